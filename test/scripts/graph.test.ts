import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { parseTopology } from '../../worker/core/graph/map/topology-parse.ts'
import { readMermaid } from '../support/mermaid-check.ts'
import { scriptRunner } from '../support/run-script.ts'
import { IS_LONG } from '../support/runs.ts'

// This command prints nothing and ends at once, so no browser appears on the machine that runs the tests.
vi.stubEnv('BROWSER', `${process.execPath} --version`)

const SCENARIO = 'sims/launch-decision/scenario.yaml'

const CHECK = `# A short check, kept with its comments.
id: check
version: 1
name: Check
description: Hears how somebody is.
new_user_initial_state: ask_for_mood
returning_user_initial_state: ask_for_mood
terminal_state: leave_check
states:
  ask_for_mood: # the only question
    type: action
    objective: Hear how the person is
    actions: [Ask how they are, Ask what makes it so]
    intra_state_navigation_guidelines: [Ask once, Ask why next, Leave when they have said it]
    exit_conditions:
      - description: They have said how they are
        next_state: leave_check
      - description: They would rather not say
        next_state: leave_check
        safety: true
  leave_check:
    type: action
    objective: Hand back
    actions: [Thank them]
    exit_conditions: []
`

const VISIT = `id: visit
version: 2
name: Visit
description: A visit with a check in the middle.
new_user_initial_state: greet_person
returning_user_initial_state: greet_person
terminal_state: say_goodbye
references:
  mood: [check, 1]
states:
  greet_person:
    type: action
    objective: Say hello and hear what they came for
    actions: [Say hello, Ask what brings them]
    intra_state_navigation_guidelines: [Say hello first, Ask next, Leave when they have said it]
    exit_conditions:
      - description: They said what brings them
        next_state: [mood.ask_for_mood, note_mood]
      - description: They ask to stop
        next_state: say_goodbye
        safety: true
  note_mood:
    type: annotation
    inner_thought: The mood is known now.
    next_state: say_goodbye
  say_goodbye:
    type: action
    objective: Say goodbye
    actions: [Say goodbye]
    exit_conditions: []
`

const WRONG = CHECK.replace('terminal_state: leave_check', 'terminal_state: ask_for_mood')

const run = scriptRunner('scripts/graph.ts')
const graph = (...args: readonly string[]) => run(args)

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('npm run graph -- check', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[topology-10] finds a sound graph sound, with the graph beside it, and says how long it can take',
    async () => {
      const { out, err, code } = await graph('check', folderOf()('visit.yaml'))
      expect(out).toMatch(
        /visit\.yaml {2}visit@2 is sound: \d+ situations, shortest \d+ exchanges?, longest \d+ exchanges/,
      )
      expect(out).toMatch(/\n0 errors, \d+ warnings?, 0 infos\n$/)
      expect([err, code]).toEqual(['', 0])
    },
  )

  it('[topology-10] says every finding with its place, code, pointer and message, and fails', async () => {
    const [state, safe] = ['next_state: say_goodbye\n        safety', 'next_state: nowhere\n        safety']
    const broken = folderOf({ 'broken.yaml': VISIT.replace(state, safe).replace('[check, 1]', '[check, 7]') })(
      'broken.yaml',
    )
    const { out, code } = await graph('check', broken)
    expect(out).toContain(`${broken}:9:3 error G002 /references/mood  `)
    expect(out).toContain(`${broken}:20:9 error G001 /states/greet_person/exit_conditions/1/next_state  `)
    expect(out).not.toContain('is sound')
    expect(out).toMatch(/\n2 errors, /)
    expect(code).toBe(1)
  })

  it('[topology-10] says what is wrong with the form, and with what cannot be read at all', async () => {
    const file = folderOf({ 'formless.yaml': VISIT.replace('version: 2', 'version: two'), 'torn.yaml': 'id: [\n' })
    const missing = [file('missing.yaml'), file('.')]
    const { out, code } = await graph('check', file('formless.yaml'), file('torn.yaml'), ...missing)
    expect(out).toContain(`${file('formless.yaml')}:2:1 error form /version  `)
    expect(out).toContain(`${file('torn.yaml')}:2:1 error form /  `)
    for (const name of missing) expect(out).toContain(`${name}:1:1 error form /  there is no such file`)
    expect(out).not.toMatch(/\.ts:\d+/)
    expect(code).toBe(1)
  })

  it('[topology-10] goes through every file it is given, and fails when one of them is wrong', async () => {
    const file = folderOf({ 'wrong.yaml': WRONG })
    const { out, code } = await graph('check', file('wrong.yaml'), file('visit.yaml'))
    expect(out).toMatch(/wrong\.yaml:\d+:\d+ error G004/)
    expect(out).toMatch(/visit@2 is sound/)
    expect(code).toBe(1)
  })

  it('[topology-10] where a graph is missing, says which neighbour cannot be read', async () => {
    const file = folderOf({ 'check.yaml': 'id: check\nstates: 5\n' })
    const { out } = await graph('check', file('visit.yaml'))
    expect(out).toMatch(/error G002/)
    expect(out).toContain('check.yaml cannot be read')
  })

  it.runIf(IS_LONG)('[topology-10] proves the graph of every colleague of a scenario', async () => {
    const { out, code } = await graph('check', SCENARIO)
    expect(out).toContain('maya is sound: 501 situations, shortest 6 exchanges, longest 27 exchanges')
    expect(out.match(/is sound/g)).toHaveLength(4)
    expect(code).toBe(0)
  })

  it('[topology-11] mends what is safe to mend, touches nothing else, and checks again', async () => {
    const exit = '      - description: They go on talking\n        next_state: ask_for_mood\n'
    const next = '      - description: They would'
    const mended = folderOf({ 'check.yaml': CHECK.replace(next, `${exit}${next}`) })('check.yaml')
    const before = await graph('check', mended)
    expect(before.out).toMatch(/error G006/)
    const { out, code } = await graph('check', mended, '--fix')
    expect(out).toContain(`${mended}  fixed G006`)
    expect(out).toMatch(/check@1 is sound/)
    expect(code).toBe(0)
    const written = readFileSync(mended, 'utf8')
    expect(written).toContain('# A short check, kept with its comments.')
    expect(written).toContain('# the only question')
    expect(words(written)).toBe(words(CHECK))
  })

  it('[topology-11] leaves every line that needs nothing as it was written, and says what it did and where', async () => {
    const folded = 'description: >-\n  How are they,\n  in a word or two. # no comment\n'
    const before = CHECK.replace(/^description: .*\n/m, `topology_description: |\n  [A] nowhere\n${folded}`).replace(
      '      - description: They would',
      '      # gone\n      - { description: They’re off, next_state: ask_for_mood }\n      # kept\n      - description: They would',
    )
    const file = folderOf({ 'check.yaml': before })('check.yaml')
    const { out } = await graph('check', file, '--fix')
    const after = before
      .replace('topology_description: |\n  [A] nowhere\n', '')
      .replace(/ +- \{ description: They.*\n/, '')
    expect(before.split('\n')).toHaveLength(after.split('\n').length + 3)
    expect(readFileSync(file, 'utf8')).toBe(after)
    expect(out).toContain(`${file}  fixed G006 /states/ask_for_mood/exit_conditions/1/next_state\n`)
    expect(out).toContain(`${file}  fixed G030 /topology_description\n`)
  })

  it('[topology-11] replaces signs where they stand, in a folded text and in quotes', async () => {
    const written = 'description: >-\n  Short…\n  and folded.\nname: "A “check”"\n'
    const before = CHECK.replace(/^description: .*\n/m, '').replace(/^name: .*\n/m, written)
    const file = folderOf({ 'check.yaml': before })('check.yaml')
    await graph('check', file, '--fix')
    const plain = written.replace('…', '...')
    const again = readFileSync(file, 'utf8')
    expect(again).toContain(plain.slice(0, plain.indexOf('name')))
    expect(again).not.toMatch(/[^\p{ASCII}]/u)
  })

  it('[topology-11] keeps the indentation of JSON', async () => {
    const text = JSON.stringify(jsonCheck(), null, 4)
    const file = folderOf({ 'check.json': text })('check.json')
    await graph('check', file, '--fix')
    const written = readFileSync(file, 'utf8')
    expect(written).not.toBe(text)
    expect(text).toContain(written.slice(0, 300))
  })

  it('[topology-11] mends JSON too, and leaves a file alone that needs nothing', async () => {
    const file = folderOf({ 'check.json': JSON.stringify(jsonCheck(), null, 2) })
    const json = file('check.json')
    const { out } = await graph('check', json, '--fix')
    expect(out).toContain('fixed G006')
    const { exit_conditions: exits } = (JSON.parse(readFileSync(json, 'utf8')) as ReturnType<typeof jsonCheck>).states
      .ask_for_mood
    expect(exits.map(({ next_state }) => next_state)).toEqual(['leave_check', 'leave_check'])
    await graph('check', file('visit.yaml'), '--fix')
    expect(readFileSync(file('visit.yaml'), 'utf8')).toBe(VISIT)
  })
})

describe('npm run graph -- draw, paths, topology', { timeout: 120_000 }, () => {
  it('[topology-12] draws a graph with those it calls, and marks a path in it', async () => {
    const { out, code } = await graph(
      'draw',
      folderOf()('visit.yaml'),
      '--path',
      'greet_person,check@1/ask_for_mood,check@1/leave_check,note_mood',
    )
    const { boxes, classes } = readMermaid(out)
    expect([...boxes.values()].map(({ title }) => title)).toEqual(['visit@2', 'check@1'])
    expect(classes.get('walked')).toHaveLength(4)
    expect(code).toBe(0)
  })

  it('[topology-12] says which states of a path there are not', async () => {
    const { out, err } = await graph('draw', folderOf()('check.yaml'), '--path', 'ask_for_mood,nonsense')
    expect(err).toContain('has no state nonsense')
    expect(out).toContain('not in this graph')
  })

  it.runIf(IS_LONG)('[topology-12] draws one colleague of a scenario, and asks which', async () => {
    const { out, code } = await graph('draw', SCENARIO, '--npc', 'maya')
    expect([...readMermaid(out).nodes.values()].map(({ label }) => label)).toContain('DECISIVE|gate')
    expect(code).toBe(0)
    const asked = await graph('draw', SCENARIO)
    expect(asked.err).toContain('has maya, marcus, ines, otto. Say which with --npc.')
    expect([asked.out, asked.code]).toEqual(['', 1])
    expect((await graph('paths', SCENARIO, '--npc', 'nobody')).code).toBe(1)
  })

  it.runIf(IS_LONG)(
    '[topology-12] takes the ids of simulations and graphs, and says how to see the drawing',
    async () => {
      const { out, err, code } = await graph('draw', 'launch-decision', '--npc', 'maya')
      expect(out).toBe((await graph('draw', SCENARIO, '--npc', 'maya')).out)
      expect(err).toContain('This is Mermaid')
      expect(err).toContain('--open shows the picture')
      expect(code).toBe(0)
      expect((await graph('paths', 'steady@1')).out).toMatch(/^shortest: /)
      expect((await graph('draw', 'nowhere')).err).toContain('there is no such file')
    },
  )

  it.runIf(IS_LONG)('[topology-12] shows the picture with --open: every node, and every way out of it', async () => {
    const { out, err, code } = await graph('draw', 'launch-decision', '--npc', 'maya', '--open', '--path', 'SURFACE')
    expect([err, code]).toEqual(['', 0])
    const picture = readFileSync(out.trim(), 'utf8')
    rmSync(path.dirname(out.trim()), { recursive: true })
    expect(picture.match(/class="title"[^>]*>[^<]*/g)?.map((title) => title.replace(/^.*>/, ''))).toEqual([
      'GROUND',
      'SURFACE · start',
      'DEEPEN',
      'PIVOT_1 · fork',
      'DECISIVE · gate',
      'PIVOT_2 · fork',
      'RESOLVE',
      'CLOSE · end',
    ])
    expect(picture.match(/marker-end/g)).toHaveLength(7)
    expect(picture).toMatch(/<g class="walked">.*\n.*SURFACE/)
    expect(picture).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  })

  it.runIf(IS_LONG)('[topology-12] lists the shortest and the longest conversation, move by move', async () => {
    const { out, code } = await graph('paths', SCENARIO, '--npc', 'maya')
    const [shortest = '', longest = ''] = out.split('\n\n')
    expect(shortest).toMatch(/^shortest: 6 exchanges\n {3}1 {2}SURFACE +/)
    expect(longest).toMatch(/^longest: 27 exchanges, where the limit ends it\n {3}1 {2}SURFACE +/)
    expect(longest.match(/^ +\d+ .*satisfied.*$/gm)).toHaveLength(36)
    expect(code).toBe(0)
  })

  it('[topology-12] tells exits of a context graph in their author’s words, and leaves out what leads nowhere', async () => {
    const { out } = await graph('paths', folderOf()('visit.yaml'))
    const [shortest = ''] = out.split('\n\n')
    expect(shortest).toMatch(/^ {3}1 {2}greet_person +leaves by "They .+"$/m)
    expect(out).not.toMatch(/ignored|hears|acts|takes exit/)
  })

  it.runIf(IS_LONG)(
    '[topology-12] prints a topology that can be read back, with the letters of what is called',
    async () => {
      const { out, code } = await graph('topology', folderOf()('visit.yaml'))
      expect(out).toContain('(They said what brings them) -> [A] mood.ask_for_mood [returns to note_mood]')
      expect(parseTopology(out)).toMatchObject({ ok: true })
      expect(code).toBe(0)
      expect((await graph('topology', SCENARIO)).err).toContain('is a scenario')
    },
  )

  it('[topology-12] draws nothing of a graph that is wrong, and says why', async () => {
    const wrong = folderOf({ 'wrong.yaml': WRONG })('wrong.yaml')
    const { out, err, code } = await graph('draw', wrong)
    expect([out, code]).toEqual(['', 1])
    expect(err).toMatch(/wrong\.yaml:\d+:\d+ error G004/)
  })

  it('[topology-12] explains itself when it is asked for something else', async () => {
    const wrong = [[], ['check'], ['dance', 'x.yaml'], ['draw', 'a', 'b'], ['check', '--wrong', 'a']]
    const said = await Promise.all(wrong.map(async (args) => graph(...args)))
    for (const { err, code } of said) {
      expect(err).toMatch(/npm run graph|takes one file|Unknown option/)
      expect(err).not.toMatch(/\n {4}at /)
      expect(code).toBe(1)
    }
    expect((await graph('--help')).out).toMatch(/npm run graph -- check FILE/)
  })
})

/**
 * Creates a folder with a check graph, a visit graph that refers to the check graph, and the given files. Returns a
 * function that returns the path of a file in this folder.
 */
function folderOf(files: Readonly<Record<string, string>> = {}): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkon-graphs-'))
  folders.push(folder)
  const all = { 'check.yaml': CHECK, 'visit.yaml': VISIT, ...files }
  for (const [name, content] of Object.entries(all)) writeFileSync(path.join(folder, name), content)
  return (name) => path.join(folder, name)
}

/** Returns the words of a text, without its quotes, line breaks and brackets. */
function words(yaml: string): string {
  return (yaml.match(/[\w#@]+/g) ?? []).join(' ')
}

function jsonCheck() {
  const exits = ['leave_check', 'ask_for_mood', 'leave_check'].map((next_state, i) => ({
    description: ['They have said how they are', 'They go on talking', 'They would rather not say'][i],
    next_state,
  }))
  return {
    id: 'check',
    version: 2,
    name: 'Check',
    description: 'Hears how somebody is.',
    new_user_initial_state: 'ask_for_mood',
    returning_user_initial_state: 'ask_for_mood',
    terminal_state: 'leave_check',
    states: {
      ask_for_mood: {
        type: 'action',
        objective: 'Hear how the person is',
        actions: ['Ask how they are', 'Ask why'],
        intra_state_navigation_guidelines: ['Ask once', 'Ask why next', 'Leave when they have said it'],
        exit_conditions: exits,
      },
      leave_check: { type: 'action', objective: 'Hand back', actions: ['Thank them'], exit_conditions: [] },
    },
  }
}
