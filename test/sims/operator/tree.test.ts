import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyStep, parentsOf, rowsOf, treeOf, typeAhead } from '../../../sims/operator/workflow/tree.ts'
import type { TreeRow } from '../../../sims/operator/workflow/tree.ts'
import { anyParents, known } from '../../support/any-workflow.ts'

const NONE: ReadonlySet<string> = new Set()
const ids = (rows: readonly TreeRow[]) => rows.map(({ context }) => context.id.replace('ctx_', ''))

/** Parses a drawn tree. Each line is a name, and the indent of the line is its level. */
function rowsIn(drawn: string, closed: readonly string[] = []): readonly TreeRow[] {
  const path: string[] = []
  const contexts = drawn
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, indent = '', name = ''] = /^( *)(\w+)/.exec(line) ?? []
      const level = indent.length / 2
      path[level] = `ctx_${name}`
      return known({ id: `ctx_${name}`, purpose: name, parentId: level === 0 ? null : (path[level - 1] ?? null) })
    })
  return rowsOf(treeOf(contexts), new Set(closed.map((name) => `ctx_${name}`)))
}

const DRAWN = `
run
  maya
    handover
  priya
    legal
      sign
  marcus`

describe('the tree', () => {
  it('[operator-6] draws children under their parents, in the order they came in', () => {
    expect(ids(rowsIn(DRAWN))).toEqual(['run', 'maya', 'handover', 'priya', 'legal', 'sign', 'marcus'])
    expect(rowsIn(DRAWN).map(({ level, position, siblings }) => [level, position, siblings])).toEqual([
      [1, 1, 1],
      [2, 1, 3],
      [3, 1, 1],
      [2, 2, 3],
      [3, 1, 1],
      [4, 1, 1],
      [2, 3, 3],
    ])
  })

  it('[operator-6] draws a line past everything under a context that has a later sibling', () => {
    const passing = Object.fromEntries(rowsIn(DRAWN).map((row) => [row.context.purpose, row.passing]))
    expect(passing).toEqual({
      run: [],
      maya: [],
      handover: [true],
      priya: [],
      legal: [true],
      sign: [true, false],
      marcus: [],
    })
  })

  it('[operator-6] leaves out only the lines under a closed context', () => {
    expect(ids(rowsIn(DRAWN, ['priya', 'marcus']))).toEqual(['run', 'maya', 'handover', 'priya', 'marcus'])
    expect(rowsIn(DRAWN, ['priya']).find(({ context }) => context.purpose === 'priya')).toMatchObject({
      isOpen: false,
      children: 1,
    })
  })

  it('[operator-6] says why a context is at the top although it names a parent', () => {
    const contexts = [
      known({ id: 'ctx_orphan', parentId: 'ctx_gone' }),
      known({ id: 'ctx_a', parentId: 'ctx_b' }),
      known({ id: 'ctx_b', parentId: 'ctx_a' }),
      known({ id: 'ctx_self', parentId: 'ctx_self' }),
    ]
    expect(rowsOf(treeOf(contexts), NONE).map(({ context, stray, level }) => [context.id, stray, level])).toEqual([
      ['ctx_orphan', 'parent-missing', 1],
      ['ctx_a', 'in-a-circle', 1],
      ['ctx_b', null, 2],
      ['ctx_self', 'in-a-circle', 1],
    ])
  })

  it('[operator-6] holds every context exactly once, with any parents', () => {
    fc.assert(
      fc.property(anyParents, (contexts) => {
        const rows = rowsOf(treeOf(contexts), NONE)
        expect(ids(rows).toSorted()).toEqual(contexts.map(({ id }) => id.replace('ctx_', '')).toSorted())
        for (const [index, row] of rows.entries()) {
          expect(row.level).toBeLessThanOrEqual((rows[index - 1]?.level ?? 0) + 1)
          expect(row.passing).toHaveLength(Math.max(0, row.level - 2))
          expect(row.position).toBeLessThanOrEqual(row.siblings)
        }
        const byId = new Map(contexts.map((context) => [context.id, context]))
        for (const { id } of contexts) expect(parentsOf(byId, id).length).toBeLessThan(contexts.length)
      }),
    )
  })
})

describe('keys in the tree', () => {
  const rows = rowsIn(DRAWN, ['priya'])
  const press = (focused: string, key: string) => keyStep(rows, `ctx_${focused}`, key)

  it.each([
    ['run', 'ArrowDown', { does: 'focus', id: 'ctx_maya' }],
    ['maya', 'ArrowUp', { does: 'focus', id: 'ctx_run' }],
    ['run', 'ArrowUp', null],
    ['marcus', 'ArrowDown', null],
    ['maya', 'Home', { does: 'focus', id: 'ctx_run' }],
    ['maya', 'End', { does: 'focus', id: 'ctx_marcus' }],
    ['maya', 'ArrowRight', { does: 'focus', id: 'ctx_handover' }],
    ['priya', 'ArrowRight', { does: 'open', ids: ['ctx_priya'] }],
    ['marcus', 'ArrowRight', null],
    ['maya', 'ArrowLeft', { does: 'close', id: 'ctx_maya' }],
    ['handover', 'ArrowLeft', { does: 'focus', id: 'ctx_maya' }],
    ['priya', 'ArrowLeft', { does: 'focus', id: 'ctx_run' }],
    ['marcus', '*', { does: 'open', ids: ['ctx_maya', 'ctx_priya', 'ctx_marcus'] }],
    ['run', '*', { does: 'open', ids: ['ctx_run'] }],
    ['handover', '*', { does: 'open', ids: ['ctx_handover'] }],
    ['priya', 'Enter', { does: 'select', id: 'ctx_priya' }],
    ['priya', ' ', { does: 'select', id: 'ctx_priya' }],
    ['priya', 'Tab', null],
    ['nobody', 'ArrowDown', null],
  ] as const)('[operator-7] on %s, %s', (focused, key, step) => {
    expect(press(focused, key)).toEqual(step)
  })

  it.each([
    ['run', 'm', 'maya'],
    ['maya', 'm', 'marcus'],
    ['marcus', 'm', 'maya'],
    ['maya', 'mm', 'marcus'],
    ['maya', 'mar', 'marcus'],
    ['marcus', 'mar', 'marcus'],
    ['run', 'HAND', 'handover'],
    ['run', 'legal', null],
    ['run', '', null],
  ])('[operator-7] on %s, typing "%s" leads to %s', (focused, typed, found) => {
    const plain = rows.map((row) => ({ ...row, context: { ...row.context, memorySpaceId: '-' } }))
    expect(typeAhead(plain, `ctx_${focused}`, typed, null)).toBe(found === null ? null : `ctx_${found}`)
  })

  it('[operator-7] letters find the shown purpose of that time, or the space', () => {
    const earlier = { ...known({ id: 'ctx_a' }), version: 1, purpose: 'Zebra', timestamp: 1_000 }
    const context = known({ id: 'ctx_a', purpose: 'Apple', version: 2, updatedAt: 2_000, previousVersions: [earlier] })
    const [row] = rowsOf(treeOf([context]), NONE)
    const found = (typed: string, time: number | null) => typeAhead(row ? [row] : [], 'ctx_a', typed, time)
    expect([found('z', 1_500), found('a', 1_500), found('z', null), found('a', null)]).toEqual([
      'ctx_a',
      null,
      null,
      'ctx_a',
    ])
    expect(found('may', 1_500)).toBe('ctx_a')
  })
})
