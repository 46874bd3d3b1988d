import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { checkScenario } from '../../sims/authoring/check-file.ts'
import { createPlayRun } from '../../scripts/sim/play-run.ts'
import { play } from '../../scripts/sim/play.ts'
import { ADVICE } from '../../sims/authoring/advice.ts'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import { chooseActor, createPace } from '../../worker/actor/choose-actor.ts'
import { readConfig } from '../../worker/env.ts'
import { BROKEN } from '../support/broken-scenarios.ts'
import { openDayIn, playedOpenDay } from '../support/open-day-script.ts'

const page = readFileSync(new URL('../../docs/reference/authoring.md', import.meta.url), 'utf8')
const scripts = Object.keys(
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { scripts: object }).scripts,
)
const folder = mkdtempSync(path.join(tmpdir(), 'walkon-authoring-'))
const file = openDayIn(folder)
const steps = fenced('yaml step')
const example = readFileSync(file, 'utf8')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the page for authors', () => {
  it('[authoring-12] has excerpts of the example, to the letter', () => {
    const excerpts = fenced('yaml excerpt')
    expect(excerpts).toHaveLength(3)
    expect(excerpts.filter((each) => !example.includes(each))).toEqual([])
  })

  it('[authoring-12] has no other example in YAML', () => {
    expect(page.match(/^```ya?ml/gm)).toHaveLength(fenced('yaml excerpt').length + steps.length)
    expect(steps).toHaveLength(3)
  })

  it('[authoring-12] says what check says of it', async () => {
    const { lines } = await checkScenario(file)
    const said = lines.map((line) => line.replace(`${file}  `, '').trim()).join('\n')
    expect(fenced('text check').join('').trim()).toBe(said)
  })

  it.each(steps.map((_, place) => place + 1))('[authoring-12] is sound after step %d', (count) => {
    const text = after(count)
    const read = readScenario(text, 'scenario.yaml', SHIPPED_LIBRARY)
    expect(read.ok ? [] : read.findings.map(formatFinding)).toEqual([])
    expect(text).not.toBe(after(count - 1))
  })

  it('[authoring-12] leaves nothing out that a step needs: without its line in the document a figure is found', () => {
    const text = after(1).replace(/.*To empty and sweep.*\n/, '')
    const read = readScenario(text, 'scenario.yaml', SHIPPED_LIBRARY)
    expect(read.ok ? [] : read.findings.map(({ message }) => message)).toContain(
      'states 20, which is not in the document',
    )
  })

  it('[authoring-12] plays to its right end with all its steps', async () => {
    const read = readScenario(after(steps.length), 'scenario.yaml', SHIPPED_LIBRARY)
    if (!read.ok) throw new Error(read.findings.map(formatFinding).join('\n'))
    const script = playedOpenDay()
      // The steps add a second fork and a fact. So the script gets two lines for the fork, and the question that leads
      // to the fact.
      .flatMap((line) => (line.startsWith('So it is 52') ? [line, 'Right.', '1'] : [line]))
      .flatMap((line) =>
        line === 'It goes into the hall.' ? ['How long does it take to sweep between two slots?', line] : [line],
      )
      .map((line) => (line === '1 2 3 4' ? '1 2 3 4 5 6' : line))
    const lines = [...script]
    let out = ''
    const write = (text: string) => void (out += text)
    const run = createPlayRun({
      scenario: read.scenario,
      library: SHIPPED_LIBRARY,
      actor: chooseActor(readConfig({}), { pace: createPace(0) }),
      after: () => () => undefined,
      write,
    })
    await play(
      run,
      { ask: (prompt) => (write(prompt), Promise.resolve(lines.shift() ?? null)), close: () => undefined },
      write,
    )
    expect(out).toContain('PIVOT_2 (pivot-choice)')
    expect(out).toContain('You chose: In the hall, in three slots. That was right.')
    expect(run.debrief()?.facts.map(({ id, state }) => [id, state])).toContainEqual(['turnover', 'cited'])
    expect(run.debrief()?.others.map(({ option }) => option)).toContain('cancel')
  })

  it('[authoring-12] names commands that there are', () => {
    const commands = fenced('sh').join('').trim().split('\n')
    expect(commands.length).toBeGreaterThan(3)
    for (const command of commands) {
      const [, name = ''] = /^npm (?:run )?(\w+)/.exec(command) ?? []
      expect(scripts).toContain(name)
      if (name === 'sim') expect(command).toMatch(/^npm run sim -- (?:new|check|play|draft|publish) open-day/)
    }
  })

  it('[authoring-3] has in its table what the command advises, and nothing else', () => {
    const rows = [...page.matchAll(/^\| (?<says>.+) \| (?<advice>.+) \|$/gm)].flatMap(({ groups }) => {
      const known = ADVICE.find(([finding]) => finding.test(groups?.['says'] ?? ''))
      return known ? [[groups?.['says'], groups?.['advice']]] : []
    })
    const wanted = ADVICE.map(([finding, advice]) => [
      BROKEN.find((each) => finding.test(each.finding))?.finding,
      advice,
    ])
    expect(rows).toEqual(wanted)
  })
})

/** Returns the contents of the page's code blocks in the given language. */
function fenced(kind: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, content = '']) => content)
}

/** Returns the example after its first `count` steps. */
function after(count: number): string {
  const added = steps.slice(0, count).reduce<unknown>((before, step) => merged(before, parse(step)), parse(example))
  return stringify(added)
}

/**
 * Merges a step into the example. Adds the step's keys to objects and its items to lists. Merges an item that has a
 * name into the item with the same name.
 */
function merged(before: unknown, added: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(added)) {
    const known = before.map((item: unknown) => {
      const more = added.find((other: unknown) => nameOf(item) !== null && nameOf(other) === nameOf(item))
      return more === undefined ? item : merged(item, more)
    })
    const fresh = added.filter(
      (item: unknown) => nameOf(item) === null || !before.some((other) => nameOf(other) === nameOf(item)),
    )
    return [...known, ...fresh]
  }
  if (!isRecord(before) || !isRecord(added)) return added
  const both = Object.entries(added).map(([key, value]) => [key, key in before ? merged(before[key], value) : value])
  return { ...before, ...Object.fromEntries(both) }
}

function nameOf(item: unknown): string | null {
  if (!isRecord(item)) return null
  const name = item['id'] ?? item['option']
  return typeof name === 'string' ? name : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
