import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildScenarios } from '../../scripts/build-scenarios.ts'

const house = resolve(import.meta.dirname, '../..')
let root: string
let out: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'walkon-sims-'))
  out = join(root, 'build/scenarios.ts')
  await cp(join(house, 'sims/launch-decision'), join(root, 'sims/launch-decision'), { recursive: true })
})

afterEach(() => rm(root, { recursive: true, force: true }))

describe('building scenarios', () => {
  it('[A26] writes a module that says where its type is', async () => {
    expect(await buildScenarios({ root, out })).toEqual({ ok: true, count: 1, written: true })
    const text = await readFile(out, 'utf8')
    expect(text).toContain("import type { Scenario } from '../worker/core/scenario/scenario.ts'")
    const data: unknown = JSON.parse(text.slice(text.indexOf('= [') + 2))
    expect(data).toMatchObject([
      { id: 'launch-decision', npcs: [{ id: 'maya' }, { id: 'marcus' }, { id: 'ines' }, { id: 'otto' }] },
    ])
  })

  it('[A26] leaves the file alone when nothing changed', async () => {
    await buildScenarios({ root, out })
    const before = (await stat(out, { bigint: true })).mtimeNs
    expect(await buildScenarios({ root, out })).toEqual({ ok: true, count: 1, written: false })
    expect((await stat(out, { bigint: true })).mtimeNs).toBe(before)
  })

  it('[A26] writes nothing over a good build when a scenario has findings', async () => {
    await buildScenarios({ root, out })
    const good = await readFile(out, 'utf8')
    await mkdir(join(root, 'sims/second'))
    await writeFile(join(root, 'sims/second/scenario.yaml'), 'id: second\n')
    const built = await buildScenarios({ root, out })
    expect(built.ok).toBe(false)
    if (!built.ok) expect(built.findings.every(({ file }) => file === 'sims/second/scenario.yaml')).toBe(true)
    expect(await readFile(out, 'utf8')).toBe(good)
  })

  it('[A22] two scenarios of one name are refused', async () => {
    await cp(join(root, 'sims/launch-decision'), join(root, 'sims/twin'), { recursive: true })
    const built = await buildScenarios({ root, out })
    expect(built.ok ? [] : built.findings.map(({ message }) => message)).toEqual([
      'there is another scenario "launch-decision"',
    ])
  })
})
