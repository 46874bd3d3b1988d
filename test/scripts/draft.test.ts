import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { checkScenario } from '../../sims/authoring/check-file.ts'
import { acceptLines, draftLines } from '../../scripts/sim/draft.ts'
import { newScenario } from '../../scripts/sim/new-scenario.ts'
import { readConfig } from '../../worker/env.ts'
import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { streamed } from '../support/completion-stream.ts'
import { type ModelHandler, type ModelRequest, startModelServer } from '../support/model-server.ts'
import { answer, close, head, send } from '../support/model-steps.ts'
import { openDayIn } from '../support/open-day-script.ts'
import { scriptRunner } from '../support/run-script.ts'
import { IS_LONG } from '../support/runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'walkon-draft-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let file = ''
let count = 0
beforeEach(async () => {
  count += 1
  const made = await newScenario({ id: `sim-${count}`, tier: 'TECHNICAL', title: 'The open day', folder })
  if (!made.ok) throw new Error(made.message)
  file = made.file
})

const text = () => readFileSync(file, 'utf8')
const findings = async () => (await checkScenario(file)).lines.filter((line) => /^\S+:\d+:\d+ /.test(line))

/** Drafts for the file with a model that answers so. */
async function draft(handler: ModelHandler, only?: string) {
  const model = await startModelServer(handler)
  onTestFinished(() => model.close())
  const { speaker } = readConfig({ OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'drafter' })
  if (speaker.kind !== 'model') throw new Error('no model')
  const drafted = await draftLines(file, { library: SHIPPED_LIBRARY, model: speaker, only, tell: () => undefined })
  return { ...drafted, requests: model.requests.all }
}

const accept = () => acceptLines(file, { library: SHIPPED_LIBRARY, only: undefined })

interface Answer {
  nodes: Record<string, unknown>[]
  answers: Record<string, unknown>[]
  [key: string]: unknown
}

const userOf = ({ body }: ModelRequest) =>
  (body as { messages: { content: string }[] }).messages.map(({ content }) => content).join('\n')

let spoken = 0

/** Answers a request with everything that it asks for. The lines differ, and break no rule. */
function goodAnswer(request: ModelRequest): Answer {
  const user = userOf(request)
  const lines = (howMany: number, end = '.') =>
    Array.from({ length: howMany }, () => `Well, that is how I see it, ${spelt((spoken += 1))}${end}`)
  const told = [...user.matchAll(/^answers: one more, whose say tells "(.*?)"/gm)].map(([, fact = '']) => fact)
  const facts = [...user.matchAll(/^acknowledgements: one entry for "(.*?)":/gm)].map(([, fact = '']) => fact)
  return {
    nodes: [...user.matchAll(/^nodes: node "(\w+)": (.*?)\. /gm)].map(([, node, counts = '']) => ({
      node,
      ...Object.fromEntries(
        ['open', 'stay', 'escalated', 'satisfied'].map((list) => {
          const [, howMany = '0'] = new RegExp(`(\\d) ${list}`).exec(counts) ?? []
          return [
            list,
            list === 'open' && node === 'DECISIVE'
              ? facts
              : lines(Number(howMany), node?.startsWith('PIVOT') ? '?' : '.'),
          ]
        }),
      ),
    })),
    answers: [
      ...(/^answers: 6/m.test(user) ? ['how long', 'why', 'who else'] : []).map((ask) => ({
        asks: waysToAsk(ask),
        say: lines(2),
      })),
      ...[...user.matchAll(/^answers: for the question "(.*?)"/gm)].map(([, ask = '']) => ({
        asks: waysToAsk(ask),
        say: lines(1),
      })),
      ...told.map((fact, i) => ({ asks: waysToAsk(`tell me more ${spelt(i)}`), say: [fact] })),
    ],
    acknowledgements: facts.map((fact) => ({ groups: [fact.split(/\W+/).filter((word) => word.length > 4)] })),
    redirects: [...user.matchAll(/^redirects: npc "(\w+)"/gm)].map(([, npc]) => ({ npc, say: lines(2) })),
    asides: [...user.matchAll(/^asides: name "(\w+)": (\d)/gm)].map(([, name, howMany]) => ({
      name,
      say: name === 'quoting' ? ['It says "{line}" here.'] : lines(Number(howMany)),
    })),
  }
}

function waysToAsk(question: string): readonly string[] {
  return [question, `${question} then`, `and ${question}`]
}

/** Returns a number as a word of letters, because a figure would have to be in the colleague's document. */
function spelt(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
}

/** The steps of an answer. A model may think aloud before its answer. */
const said = (value: unknown) =>
  streamed([typeof value === 'string' ? value : `<think>{ a plan }</think>${JSON.stringify(value)}`])

describe('npm run sim -- draft', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[authoring-14] asks once for each colleague, drafts, and after --accept the simulation needs no model',
    async () => {
      const before = text()
      const { ok, lines, requests } = await draft((request) => said(goodAnswer(request)))
      expect([ok, lines.slice(0, -1)]).toEqual([
        true,
        expect.arrayContaining([expect.stringMatching(/^dana: \d+ lines proposed, 0 left out$/)]),
      ])
      expect(lines.at(-1)).toContain('--accept')
      expect(requests).toHaveLength(3)
      const asked = userOf(requests[0]!)
      expect(asked).toContain('All of it takes 9 weeks.')
      expect(asked).toContain('You want a date from me, like everybody.')
      expect(asked).not.toContain('5 weeks')
      expect(requests[0]?.body).toMatchObject({ response_format: { type: 'json_schema' } })

      expect(text().startsWith(before)).toBe(true)
      expect(Object.keys(parse(text()).drafts)).toEqual(['dana', 'sam', 'otto'])
      const checked = await checkScenario(file)
      expect([checked.isSound, checked.lines.join('\n')]).toEqual([
        true,
        expect.stringContaining('needs a language model'),
      ])

      expect((await accept()).lines).toEqual(['dana: accepted', 'sam: accepted', 'otto: accepted'])
      expect((await checkScenario(file)).lines.join('\n')).toMatch(/is sound(?![^]*needs a language model)/)
      const { drafts, npcs, ...rest } = parse(text())
      const { npcs: npcsBefore, ...restBefore } = parse(before)
      expect(drafts).toBeUndefined()
      expect(rest).toEqual(restBefore)
      expect(npcs).toMatchObject(npcsBefore)
      expect(before.split('\n').filter((line) => !text().split('\n').includes(line))).toEqual([])
      expect((await draft(() => [])).lines).toEqual(['Nothing is missing.'])
      expect((await accept()).lines).toEqual([`${file} has no drafts.`])
    },
  )

  it('[authoring-14] leaves out lines that break a rule, says which, and asks only for these the next time', async () => {
    const wrong = {
      'It is 17 weeks.': 'states 17, which is not in the document',
      'Good question.': 'says "Good question", which nobody says at work',
      'Wait \u2014 there is more.': 'has a dash where a person would pause; use a full stop or a comma',
      'One. Two. Three. Four.': 'runs past three sentences',
      'Dana says no.': 'says the speaker’s own name',
    }
    const { lines } = await draft((request) => {
      const good = goodAnswer(request)
      return said({
        ...good,
        nodes: good.nodes.map((node) => (node['node'] === 'GROUND' ? { ...node, open: Object.keys(wrong) } : node)),
        asides: [],
      })
    }, 'dana')
    expect(lines[0]).toMatch(/^dana: \d+ lines proposed, 5 left out$/)
    for (const [line, message] of Object.entries(wrong))
      expect(lines).toContain(`    left out "${line}": it ${message}`)
    expect(lines.at(-2)).toMatch(/^ {4}still missing: the aside unknown, the aside noIdea, /)
    for (const line of Object.keys(wrong)) expect(text()).not.toContain(line)
    expect(await findings()).toEqual([])

    expect((await draft(() => [], 'anna')).lines).toEqual(['Nobody is called "anna". There are dana, sam, otto.'])
    // The lines are incomplete, so they stay drafts.
    const drafted = text()
    const { ok, lines: told } = await accept()
    expect([ok, told[0], text()]).toEqual([false, 'dana: still a draft', drafted])
    expect(told.join('\n')).toContain('has no aside for insult')

    const { requests } = await draft((request) => said(goodAnswer(request)), 'dana')
    expect(userOf(requests[0]!)).not.toMatch(/^(?:nodes|answers|redirects|acknowledgements):/m)
    expect((await accept()).lines).toEqual(['dana: accepted'])
  })

  it.each<[string, ModelHandler]>([
    ['nonsense', () => said('Sure! Here are some great lines for Dana.')],
    ['nothing', () => said('')],
    ['half a JSON', (request) => said(JSON.stringify(goodAnswer(request)).slice(0, 400))],
    ['another JSON', () => said({ lines: ['Hello.'], nodes: 'none', asides: [{ name: 7 }], drafts: { dana: {} } })],
    [
      'nodes that nobody asked for',
      () =>
        said({
          nodes: [
            { node: '__proto__', open: ['Hi.'] },
            { node: 'PIVOT_9', open: ['Hi.'] },
          ],
        }),
    ],
    ['an error', () => answer(500, {}, '{"error":{"message":"oops"}}')],
    ['HTML', () => answer(200, { 'content-type': 'text/html' }, '<!doctype html>')],
    ['a torn stream', () => [head(), send('data: {"id":"1","choices":[{"del'), close]],
  ])(
    '[authoring-14] if the model answers with %s, the file stays as it is, and the command says so',
    async (_, handler) => {
      const before = text()
      const { ok, lines } = await draft(handler)
      expect(text()).toBe(before)
      expect([ok, lines.at(-1)]).toEqual([false, `${file} is as it was.`])
      expect(lines).toHaveLength(4)
    },
  )

  it('[authoring-15] accepts nothing of a colleague of whom only a part is there', async () => {
    await draft(() => said({ redirects: [{ npc: 'sam', say: ['Sam has that.'] }] }), 'otto')
    const drafted = text()
    expect((await accept()).lines).toContain('    /npcs/2/rehearsal/nodes  has no lines for WELCOME')
    expect(text()).toBe(drafted)
  })

  it('[authoring-14] keeps what the author writes meanwhile, and writes nothing into a file that cannot be read any more', async () => {
    const change =
      (to: string): ModelHandler =>
      (request) => {
        writeFileSync(
          file,
          text().replace(/^title: .*$/m, () => to),
        )
        return said(goodAnswer(request))
      }
    expect((await draft(change('title: Another day # mine'), 'sam')).ok).toBe(true)
    expect(text()).toContain('title: Another day # mine\n')
    expect(Object.keys(parse(text()).drafts)).toEqual(['sam'])
    const { ok, lines } = await draft(change('title: ['), 'dana')
    expect([ok, lines.at(-1)]).toEqual([false, expect.stringContaining("can't be read any more")])
    expect(text()).not.toMatch(/^ {2}dana:/m)
  })

  it('[authoring-15] check holds a draft to the rules, with its place', async () => {
    await draft((request) => said(goodAnswer(request)), 'dana')
    writeFileSync(
      file,
      text()
        .replace('It says "{line}" here.', 'Good point, "{line}" and 17 more.')
        .replace(/\n {2}dana:\n/, '\n  dan:\n    nods: {}\n  dana:\n'),
    )
    expect((await findings()).join('\n')).toMatch(/\/drafts\/dan\/nods {2}is not a key this file knows/)
    writeFileSync(file, text().replace('    nods: {}', '    nodes: {}'))
    const found = await findings()
    expect(found).toHaveLength(3)
    expect(found[0]).toMatch(/:\d+:3 \/drafts\/dan {2}nobody here is called "dan"/)
    expect(found[1]).toMatch(/\/drafts\/dana\/asides\/quoting\/0 {2}states 17/)
    expect(found[2]).toMatch(/\/drafts\/dana\/asides\/quoting\/0 {2}says "Good point"/)
  })

  it('[authoring-14] fills what a colleague with lines lacks, between the author’s own lines and comments', async () => {
    file = openDayIn(path.join(folder, 'own'))
    const whole = text()
    const without = whole
      .replace(/ {8}GROUND:\n {10}stay:\n {12}- Come in.*\n/, '')
      .replace(/ {8}insult:\n(?: {10}- .*\n)+/, '        # Nadia is never insulted.\n')
      .replace(/ {8}- npc: otto\n {10}say:\n {12}- Otto will know.*\n/, '')
      .replace(/asks: \[forecast, .*\]/, 'asks: [forecast] # how they ask')
    writeFileSync(file, without)
    expect(await findings()).toHaveLength(3)
    const { lines, requests } = await draft((request) => said(goodAnswer(request)))
    expect(requests).toHaveLength(1)
    expect(lines[0]).toMatch(/^nadia: \d+ lines proposed, 0 left out$/)
    expect((await accept()).lines).toEqual(['nadia: accepted'])
    expect(await findings()).toEqual([])
    expect(without.split('\n').filter((line) => !text().split('\n').includes(line))).toEqual([
      '        - asks: [forecast] # how they ask',
    ])
    expect(text()).toContain('        - asks: [forecast, "forecast then", "and forecast"] # how they ask\n')
    const answers = parse(text()).npcs[0].rehearsal.answers
    expect(answers[0]).toMatchObject({ say: ['Gusts of 52 km/h, from eleven on.', expect.any(String)] })
  })

  it('[authoring-14] leaves out another way to ask a known question if it breaks a rule, and keeps the others', async () => {
    file = openDayIn(path.join(folder, 'ask'))
    writeFileSync(file, text().replace(/asks: \[forecast, .*\]/, 'asks: [forecast]'))
    const wrong = '---END---'
    const { lines } = await draft(() =>
      said({ answers: [{ asks: ['forecast', 'how windy', wrong, 'how much wind'], say: ['Too much of it.'] }] }),
    )
    expect(lines.slice(0, 2)).toEqual([
      'nadia: 1 line proposed, 1 left out',
      `    left out "${wrong}": it holds the separator between speech and report`,
    ])
    expect(parse(text()).drafts).toEqual({
      nadia: { answers: [{ asks: ['forecast', 'how windy', 'how much wind'], say: ['Too much of it.'] }] },
    })
  })

  it.each<[string, unknown, readonly string[]]>([
    [
      'breaks a rule',
      { groups: [['a lorry']] },
      ['    left out "{"groups":[["a lorry"]]}": it has a group the fact itself holds no term of'],
    ],
    ['can’t be read', { groups: 'a crane' }, []],
  ])('[authoring-14] drafts no acknowledgement from the first one on that %s', async (_, second, told) => {
    file = openDayIn(path.join(folder, `facts-${told.length}`))
    const own = / {6}acknowledgements:\n {8}- groups:\n(?: {12}- .*\n)+/
    const fact = /( {4}decisionFacts:\n)( {6}- Gusts .*\n)/
    writeFileSync(
      file,
      text().replace(own, '').replace(fact, '$1$2      - It takes a crane.\n      - It takes a day.\n'),
    )
    const first = { groups: [['gusts']] }
    const { lines } = await draft(() => said({ acknowledgements: [first, second, { groups: [['a day']] }] }))
    expect(lines.slice(1, -2)).toEqual(told)
    expect(parse(text()).drafts).toEqual({ nadia: { acknowledgements: [first] } })
  })

  it('[authoring-14] asks for lines wherever check finds too few, also if there are some idle lines', async () => {
    file = openDayIn(path.join(folder, 'idle'))
    writeFileSync(file, text().replace(/^( {8}idle:\n(?: {10}- .*\n){2})(?: {10}- .*\n)+/m, '$1'))
    const short = (await findings()).flatMap((line) => /nodes\/(\w+) {2}runs dry/.exec(line)?.[1] ?? [])
    expect(short.length).toBeGreaterThan(0)
    const { requests } = await draft((request) => said(goodAnswer(request)))
    expect([...userOf(requests[0]!).matchAll(/^nodes: node "(\w+)"/gm)].map(([, node]) => node)).toEqual(short)
    expect((await accept()).lines).toEqual(['nadia: accepted'])
    expect(await findings()).toEqual([])
  })

  it.runIf(IS_LONG)('[authoring-14] says how to set a model if there is none', async () => {
    const sim = scriptRunner('scripts/sim.ts')
    const { err, code } = await sim(['draft', `sim-${count}`, '--folder', folder])
    expect(err).toContain('A language model writes the drafts. Set OPENAI_API_KEY')
    expect(code).toBe(1)
    expect((await sim(['draft', 'nowhere', '--folder', folder])).err).toContain('there is no such file')

    // The checks would not run with a backbone that can't be read.
    const backbones = path.join(path.dirname(path.dirname(file)), 'backbones')
    onTestFinished(() => rmSync(backbones, { recursive: true }))
    mkdirSync(backbones)
    writeFileSync(path.join(backbones, 'technical.yaml'), 'id: technical\ntier: NONE\n')
    for (const accepted of [[], ['--accept']])
      expect((await sim(['draft', `sim-${count}`, '--folder', folder, ...accepted])).err).toMatch(
        /technical\.yaml:2:1 \/tier {2}/,
      )
  })
})
