import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildScenarios } from '../../scripts/build-scenarios.ts'
import { WORKER_BUDGET, workerSize } from '../../scripts/size.ts'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { graphDocument, graphText } from '../support/graph-fixtures.ts'
import { openDayIn } from '../support/open-day-script.ts'
import { IS_LONG } from '../support/runs.ts'

let root: string
let out: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'walkon-sims-'))
  out = join(root, 'build/scenarios.ts')
  openDayIn(join(root, 'sims'))
})

afterEach(() => rm(root, { recursive: true, force: true }))

describe('building scenarios', () => {
  it('[rehearsal-26] writes a module that says where its type is', async () => {
    expect(await buildScenarios({ root, out })).toMatchObject({
      ok: true,
      scenarios: [{ id: 'open-day' }],
      written: true,
    })
    const text = await readFile(out, 'utf8')
    expect(text).toContain("import type { Scenario } from '../worker/core/scenario/scenario.ts'")
    expect(dataOf(text, 'scenarios')).toMatchObject([
      { id: 'open-day', npcs: [{ id: 'nadia' }, { id: 'joel' }, { id: 'otto' }] },
    ])
  })

  it('[rehearsal-26] leaves the file alone when nothing changed', async () => {
    await buildScenarios({ root, out })
    const before = (await stat(out, { bigint: true })).mtimeNs
    expect(await buildScenarios({ root, out })).toMatchObject({ ok: true, written: false })
    expect((await stat(out, { bigint: true })).mtimeNs).toBe(before)
  })

  it('[rehearsal-26] writes nothing over a good build when a scenario has findings', async () => {
    await buildScenarios({ root, out })
    const good = await readFile(out, 'utf8')
    await mkdir(join(root, 'sims/second'))
    await writeFile(join(root, 'sims/second/scenario.yaml'), 'id: second\n')
    const built = await buildScenarios({ root, out })
    expect(built.ok).toBe(false)
    if (!built.ok) expect(built.findings.every(({ file }) => file === 'sims/second/scenario.yaml')).toBe(true)
    expect(await readFile(out, 'utf8')).toBe(good)
  })

  it('[rehearsal-22] two scenarios of one name are refused', async () => {
    await cp(join(root, 'sims/open-day'), join(root, 'sims/twin'), { recursive: true })
    const built = await buildScenarios({ root, out })
    expect(built.ok ? [] : built.findings.map(({ message }) => message)).toEqual([
      'there is another scenario "open-day"',
    ])
  })
})

describe('what the Worker gets', () => {
  it('[publish-10] is a list, and each scenario in a file of its own, which it reads when it needs it', async () => {
    await buildScenarios({ root, out })
    const folder = join(root, 'build/public/worker-only')
    const names = await readdir(folder)
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
    const body = await readFile(join(folder, names[0] ?? ''), 'utf8')
    expect(JSON.parse(body)).toMatchObject({ scenario: { id: 'open-day' }, library: { documents: [] } })
    const catalogue = await readFile(join(root, 'build/catalogue.ts'), 'utf8')
    const [list] = dataOf<object[]>(catalogue, 'builtScenarios')
    const hash = names[0]?.replace('.json', '')
    expect(list).toEqual({ id: 'open-day', version: 1, title: 'The open day', hash, npcs: ['nadia', 'joel', 'otto'] })

    // Other content gets another file, and the old one is removed.
    const file = join(root, 'sims/open-day/scenario.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^title: .*$/m, 'title: Another day'))
    await buildScenarios({ root, out })
    expect(await readdir(folder)).toEqual([expect.not.stringContaining(hash ?? '')])
  })

  it('[publish-10] is code without a scenario, within its budget', async () => {
    expect(await workerSize()).toBeLessThanOrEqual(WORKER_BUDGET)
  })
})

describe('building context graphs', () => {
  it.runIf(IS_LONG)('[document-21] puts them beside the scenarios, as they were read', async () => {
    await copyGraphs('coaching@2', 'check-in@1', 'check-in@2')
    expect(await buildScenarios({ root, out })).toMatchObject({
      ok: true,
      scenarios: [{ id: 'open-day' }],
      written: true,
    })
    const text = await readFile(out, 'utf8')
    expect(text).toContain("import type { GraphLibrary } from '../worker/core/graph/graph-for.ts'")
    expect(dataOf<GraphLibrary>(text, 'graphLibrary').documents).toEqual(
      ['check-in@1', 'check-in@2', 'coaching@2'].map(graphDocument),
    )
  })

  it('[document-21] without any builds an empty list', async () => {
    await buildScenarios({ root, out })
    expect(dataOf<GraphLibrary>(await readFile(out, 'utf8'), 'graphLibrary').documents).toEqual([])
  })

  it('[document-21] a file that is not called after its graph and version stops the build', async () => {
    await copyGraphs('check-in@1')
    await rename(join(root, 'sims/graphs/check-in@1.yaml'), join(root, 'sims/graphs/check-in.yaml'))
    expect(await findings()).toEqual([
      'sims/graphs/check-in.yaml:1:1 error form /  has to be called sims/graphs/check-in@1.yaml',
    ])
  })

  it('[document-21] a file that cannot be read stops the build, and nobody is told off for referring to it', async () => {
    await copyGraphs('coaching@2', 'check-in@1', 'check-in@2')
    await writeFile(join(root, 'sims/graphs/check-in@1.yaml'), 'id: check-in\n')
    expect((await findings()).every((finding) => finding.startsWith('sims/graphs/check-in@1.yaml:1:1 '))).toBe(true)
  })

  it('[document-21] an error of a graph stops the build at its place', async () => {
    await copyGraphs('coaching@2', 'check-in@2')
    const line = graphText('coaching@2').split('\n').indexOf('  mood: [check-in, 1]') + 1
    expect(await findings()).toContainEqual(
      expect.stringMatching(`^sims/graphs/coaching@2.yaml:${line}:3 error G002 /references/mood  `),
    )
  })

  it.runIf(IS_LONG)('[document-21] a colleague who walks a graph that is not there stops the build', async () => {
    const file = join(root, 'sims/open-day/scenario.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('    hue: 150\n', '    hue: 150\n    walk: { graph: coaching, version: 2 }\n'))
    expect(await findings()).toContainEqual(expect.stringContaining('/npcs/0  cannot be walked: G002'))
    await copyGraphs('coaching@2', 'check-in@1', 'check-in@2')
    expect((await findings()).filter((finding) => finding.includes('G002'))).toEqual([])
  })

  async function copyGraphs(...names: readonly string[]): Promise<void> {
    await mkdir(join(root, 'sims/graphs'), { recursive: true })
    for (const name of names) await writeFile(join(root, 'sims/graphs', `${name}.yaml`), graphText(name))
  }

  async function findings(): Promise<readonly string[]> {
    const built = await buildScenarios({ root, out })
    return built.ok ? [] : built.findings.map(formatFinding)
  }
})

/** Returns what a built module exports under a name. */
function dataOf<T>(module: string, name: string): T {
  const start = module.indexOf(' = ', module.indexOf(`export const ${name}:`)) + 3
  const end = module.indexOf('\n\nexport', start)
  const [, text] = /^JSON\.parse\((".*")\)\s*$/.exec(module.slice(start, end < 0 ? undefined : end)) ?? []
  return JSON.parse(
    text === undefined ? module.slice(start, end < 0 ? undefined : end) : (JSON.parse(text) as string),
  ) as T
}
