import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf } from '../../worker/chain/contexts/csv.ts'
import { exportContexts } from '../../worker/chain/contexts/export-contexts.ts'
import { listContexts } from '../../worker/chain/contexts/list-contexts.ts'
import { freshScope } from './support/fresh-scope.ts'
import { change, plant } from './support/plant.ts'

/** Parses a CSV strictly, as RFC 4180 defines it. */
function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (!found) throw new Error('not CSV')
    cells.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'))
    if (found[3] === '\r\n') {
      lines.push(cells)
      cells = []
    }
  }
  return lines
}

const UPDATE = `UPDATE contexts SET purpose = ?3, version = version + 1, updated_at = updated_at + 1
  WHERE tenant = ?1 AND id = ?2`

/** Returns whether a spreadsheet would run a cell as a formula; full-width signs count too. */
function isFormula(cell: string): boolean {
  return /^[=+\-@\t\r＝＋－＠]/.test(cell)
}

describe('exporting contexts', () => {
  it('gives what is listed, page by page, with the history on request', async () => {
    const scope = await freshScope()
    await plant(scope, [
      { id: 'ctx_a', userId: 'ada', data: { amount: 1 } },
      { id: 'ctx_b', parentId: 'ctx_a', space: 'other' },
      { id: 'ctx_c', parentId: 'ctx_a' },
    ])
    await change(scope, UPDATE, 'ctx_a', 'second')
    await change(scope, UPDATE, 'ctx_a', 'third')
    await change(scope, UPDATE, 'ctx_c', 'second')
    const { items: listed } = await listContexts(scope, { order: 'oldest', limit: 10 })
    expect(await listContexts(scope, { history: false, limit: 10 })).toEqual({ items: listed, next: null })
    const one = await listContexts(scope, { history: true, limit: 1 })
    expect(one.items).toMatchObject([
      {
        id: 'ctx_a',
        version: 3,
        purpose: 'third',
        previousVersions: [
          { version: 1, purpose: 'work on ctx_a', data: { amount: 1 } },
          { version: 2, purpose: 'second' },
        ],
      },
    ])
    const rest = await listContexts(scope, { history: true, limit: 5, cursor: one.next ?? undefined })
    expect(rest.items.map(({ id, previousVersions }) => [id, previousVersions?.length])).toEqual([
      ['ctx_b', 0],
      ['ctx_c', 1],
    ])
    const filtered = await listContexts(scope, { history: true, leaf: true, memorySpaceId: 'desk', limit: 5 })
    expect(filtered.items.map(({ id }) => id)).toEqual(['ctx_c'])
  })

  it('limits a page with histories in bytes', async () => {
    const scope = await freshScope()
    const ids = ['ctx_a', 'ctx_b', 'ctx_c']
    await plant(
      scope,
      ids.map((id) => ({ id })),
    )
    for (const id of ids) for (let at = 0; at < 3; at += 1) await change(scope, UPDATE, id, 'x'.repeat(1_000_000))
    const pages: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await listContexts(scope, { history: true, limit: 100, cursor })
      pages.push(page.items.map(({ id, previousVersions }) => [id, previousVersions?.length]))
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    expect(pages).toEqual([
      [
        ['ctx_a', 3],
        ['ctx_b', 3],
      ],
      [['ctx_c', 3]],
    ])
  })

  it('[context-72] as CSV, the pages make one table with a line for every state', async () => {
    const scope = await freshScope()
    await plant(scope, [
      {
        id: 'ctx_a',
        userId: 'ada',
        description: 'commas, "quotes"\r\nand lines',
        conversationId: 'talk',
        messageIds: ['m1'],
        data: { say: '"hi", she said' },
        createdAt: 0,
      },
      { id: 'ctx_b', parentId: 'ctx_a', status: 'completed', completedAt: 86_400_000 },
    ])
    await change(scope, UPDATE, 'ctx_a', 'Grüße 🙂')
    const first = await exportContexts(scope, { history: true, limit: 1 })
    const second = await exportContexts(scope, { history: true, limit: 1, cursor: first.next ?? undefined })
    expect(second.next).toBeNull()
    const [names = [], ...lines] = readCsv(first.csv + second.csv)
    const table = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at], cell])))
    expect(table).toMatchObject([
      { id: 'ctx_a', version: '1', latest: 'false', purpose: 'work on ctx_a', updatedAt: '1970-01-01T00:00:00.000Z' },
      { id: 'ctx_a', version: '2', latest: 'true', purpose: 'Grüße 🙂', updatedAt: '1970-01-01T00:00:00.001Z' },
      { id: 'ctx_b', version: '1', latest: 'true' },
    ])
    expect(table[1]).toEqual({
      id: 'ctx_a',
      version: '2',
      latest: 'true',
      status: 'active',
      purpose: 'Grüße 🙂',
      description: 'commas, "quotes"\r\nand lines',
      data: '{"say":"\\"hi\\", she said"}',
      updatedAt: '1970-01-01T00:00:00.001Z',
      updatedBy: 'tests',
      parentId: '',
      rootId: 'ctx_a',
      depth: '0',
      childCount: '1',
      memorySpaceId: 'desk',
      userId: 'ada',
      participants: '["desk"]',
      conversationId: 'talk',
      messageIds: '["m1"]',
      autoComplete: 'never',
      createdAt: '1970-01-01T00:00:00.000Z',
      completedAt: '',
    })
    expect(table[2]?.['completedAt']).toBe('1970-01-02T00:00:00.000Z')
    const empty = await exportContexts(await freshScope(), { history: false, limit: 1 })
    expect(readCsv(empty.csv)).toEqual([names])
  })

  it('[context-72] writes no cell that is a formula', async () => {
    const scope = await freshScope()
    const formulas = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM(A1)',
      '=HYPERLINK("http://x","y")',
    ]
    await plant(
      scope,
      formulas.map((formula, at) => ({ id: `ctx_${at}`, purpose: formula, space: formula, userId: formula })),
    )
    const { csv } = await exportContexts(scope, { history: false, limit: 100 })
    const [names = [], ...lines] = readCsv(csv)
    const column = (name: string) => lines.map((cells) => cells[names.indexOf(name)])
    for (const name of ['purpose', 'memorySpaceId', 'userId'])
      expect(column(name)).toEqual(formulas.map((formula) => `'${formula}`))
    expect(lines.flat().filter((cell) => isFormula(cell))).toEqual([])
  })

  it('[context-72] writes every other text so that it is read unchanged', () => {
    const texts = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), { minLength: 1 })
    fc.assert(
      fc.property(texts, (lines) => {
        const safe = lines.map((cells) => cells.map((cell) => (isFormula(cell) ? `'${cell}` : cell)))
        expect(readCsv(csvOf(lines))).toEqual(safe)
      }),
    )
  })
})
