import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { passes } from '../../scripts/arena/measure.ts'
import { readLearnerModel } from '../../scripts/arena/model-learner.ts'
import { PERSONAS } from '../../scripts/arena/personas.ts'
import { type ArenaPlan, type ArenaRow, runArena } from '../../scripts/arena/run-arena.ts'
import { readAgainst } from '../../scripts/arena/sides.ts'
import { newScenario } from '../../scripts/sim/new-scenario.ts'
import { openFile, scenarioFiles } from '../../sims/authoring/open-file.ts'
import { chooseActor, createPace } from '../../worker/actor/choose-actor.ts'
import { languageOf } from '../../worker/core/scenario/scenario.ts'
import { readConfig } from '../../worker/env.ts'
import { event, streamed, streamOf } from '../support/completion-stream.ts'
import { type ModelHandler, startModelServer } from '../support/model-server.ts'
import { answer } from '../support/model-steps.ts'
import { openDayIn } from '../support/open-day-script.ts'
import { scriptRunner } from '../support/run-script.ts'
import { IS_LONG, oneIn } from '../support/runs.ts'

const arena = scriptRunner('scripts/arena.ts')
const folder = mkdtempSync(path.join(tmpdir(), 'walkon-arena-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const out = path.join(folder, 'arena.html')

const LAUNCH_DECISION = 'sims/launch-decision/scenario.yaml'
/** The file of most plans, which is read once. */
let launchDecision: ReturnType<typeof openFile> | undefined

/** Returns a plan for one colleague with the rehearsal actor and scripted learners. */
async function planFor(rest: Partial<ArenaPlan> = {}, file = LAUNCH_DECISION): Promise<ArenaPlan> {
  const opened = file === LAUNCH_DECISION ? await (launchDecision ??= openFile(file)) : await openFile(file)
  if (opened.kind !== 'scenario') throw new Error(`${file} has findings`)
  const actor = chooseActor(readConfig({}), { pace: createPace(0) })
  const all = { scenarios: [opened], npc: 'maya', personas: PERSONAS, seed: 1, repeat: 1, against: null }
  return { ...all, actor, learner: null, ...rest }
}

const named = (...names: readonly string[]) => PERSONAS.filter(({ name }) => names.includes(name))

/** Checks the thresholds that every conversation with the rehearsal actor meets. */
function expectThresholds(rows: readonly ArenaRow[]): void {
  const failed = rows.flatMap(({ scenario, npc, persona, measures }) =>
    // A learner who contradicts everything may be asked once more.
    measures.afterGoodbye + measures.failures > 0 ||
    (measures.askedAgain > 0 && persona !== 'contrary') ||
    !passes(measures)
      ? [`${scenario} ${npc} ${persona}: ${JSON.stringify(measures)}`]
      : [],
  )
  expect(failed).toEqual([])
}

describe('the arena with the rehearsal actor', { timeout: 300_000 }, () => {
  it('[arena-1] [arena-10] plays a colleague with several learners, and repeats itself from its seed', async () => {
    expect(PERSONAS.length).toBeGreaterThanOrEqual(10)
    const ends = oneIn(2, [
      ['cooperative', 'earned'],
      ['terse', 'earned'],
      ['pushy', 'left'],
      ['ahead', 'earned'],
    ] as const)
    const plan = await planFor({ personas: named(...ends.map(([persona]) => persona)) })
    const rows = await runArena(plan)
    expectThresholds(rows)
    expect(rows.map(({ persona, measures }) => [persona, measures.end])).toEqual(ends)
    expect(await runArena(plan)).toEqual(rows)
    const others = await runArena({ ...plan, seed: 2 })
    expect(others.map(({ talk }) => talk)).not.toEqual(rows.map(({ talk }) => talk))
    expect(rows.every(({ measures: { tokens } }) => tokens.isEstimate && tokens.input > 0)).toBe(true)
  })

  it.runIf(IS_LONG)('[arena-10] every conversation of every shipped simulation meets the thresholds', async () => {
    const files = await scenarioFiles('sims')
    expect(files.length).toBeGreaterThanOrEqual(5)
    for (const file of files) {
      const plan = await planFor({ npc: null }, file)
      // The scripted learners write English.
      if (plan.scenarios.every(({ scenario }) => languageOf(scenario) === 'en')) expectThresholds(await runArena(plan))
    }
  })

  it('[arena-7] plays the same learners on a second side', async () => {
    const plan = await planFor({ personas: named('leaving'), against: await readAgainst('legacy') })
    const [first, second] = await runArena(plan)
    expect([first?.side, second?.side]).toEqual(['graph', 'legacy'])
    expect([first?.measures.end, first?.measures.afterGoodbye]).toEqual(['left', 0])
    expect(second?.measures.afterGoodbye).toBeGreaterThan(0)
    expect(second?.talk.exchanges[0]?.learner).toBe(first?.talk.exchanges[0]?.learner)
  })
})

describe('npm run arena', { timeout: 180_000 }, () => {
  it.runIf(IS_LONG)('[arena-1] [arena-9] prints the table and writes the page', async () => {
    const { out: text, err, code } = await arena(['--npc', 'maya', '--persona', 'leaving', '--out', out])
    expect([err, code]).toEqual(['', 0])
    expect(text).toMatch(/^scenario +learner +talks +passed +ended +messages/m)
    expect(text).toMatch(/^launch-decision +leaving +1 +1 +1 left +3 +0 +0 /m)
    expect(text).toContain('pass^1 100%')
    expect(readFileSync(out, 'utf8')).toContain(
      '<details><summary>launch-decision · maya · leaving · run 1: left after 3',
    )
  })

  it.runIf(IS_LONG)(
    "[arena-1] [arena-7] [arena-9] plays an author's own file, and another version of a backbone",
    async () => {
      const file = openDayIn(folder)
      const other = path.join(folder, 'technical.yaml')
      const shipped = readFileSync('sims/backbones/technical.yaml', 'utf8')
      writeFileSync(other, shipped.replace(/^version: \d+/m, 'version: 9').replace('leaving: true', 'leaving: false'))
      const asked = ['--scenario', file, '--npc', 'nadia', '--persona', 'leaving', '--against', other, '--out', out]
      const { out: text, err, code } = await arena(asked)
      expect([err, code]).toEqual(['', 0])
      expect(text).toMatch(/open-day +leaving +graph +1 +1 +1 left/)
      expect(text).toMatch(/open-day +leaving +technical@9 +1 +0/)
      expect(text).toMatch(/open-day +nadia +leaving +1 +turn 1 /)
      expect(readFileSync(out, 'utf8')).toContain('open-day')
    },
  )

  it('[authoring-13] plays no simulation that needs a model where there is none, and says so', async () => {
    const made = await newScenario({ id: 'new-one', tier: 'TECHNICAL', title: undefined, folder })
    const { err, code } = await arena(['--scenario', made.ok ? made.file : '', '--out', out])
    expect(err).toContain('new-one has no rehearsal lines and needs a language model. Set OPENAI_API_KEY')
    expect(code).toBe(1)
  })

  const MISTAKES: readonly (readonly [args: readonly string[], message: string])[] = [
    [['--persona', 'nobody'], 'There is no learner "nobody". There are cooperative,'],
    [['--scenario', 'launch-decision', '--npc', 'nobody'], 'There is no colleague "nobody". There are '],
    [['--scenario', 'nothing'], 'There is no simulation "nothing". There are launch-decision,'],
    [['--seed', 'x'], '--seed is a whole number from 0.'],
    [['--repeat', '0'], '--repeat is a whole number from 1.'],
    [['--against', 'yesterday'], '--against yesterday is no side.'],
    [['--against', 'nothing.yaml'], 'there is no such file'],
    [['--scenario', 'week-three', '--against', 'week-three@9'], 'has a graph week-three@9'],
    [['--wrong'], "Unknown option '--wrong'"],
  ]

  it.each(oneIn(3, MISTAKES))('says what to do about %j', async (args, message) => {
    const { err, code } = await arena([...args, '--out', out])
    expect(err).toContain(message)
    expect(code).toBe(1)
  })
})

describe('learners whom a model plays', { timeout: 120_000 }, () => {
  const KEY = 'learner-key'

  /**
   * Starts a model that plays the learners. The model gives these answers in order, and then repeats the last answer.
   */
  async function learnerModel(answers: readonly string[]) {
    let at = 0
    const handler: ModelHandler = () => streamed([answers[Math.min(at++, answers.length - 1)] ?? ''])
    const server = await startModelServer(handler, { key: KEY })
    const learner = readLearnerModel({
      WALKON_LEARNER_BASE_URL: server.url,
      WALKON_LEARNER_API_KEY: KEY,
      WALKON_LEARNER_MODEL: 'learner-model',
    })
    return { server, learner }
  }
  const say = (text: string, card: number | null = null) => JSON.stringify({ say: text, card })
  /** Puts reasoning before an answer, as some models do. */
  const thought = (answered: string) => `<think>{ a plan }</think>${answered}`

  it('[arena-8] asks the second endpoint for each message, and picks the card that it names', async () => {
    const lines = ["Hi, what's going on?", 'Where does it happen?', 'Go on.']
    const { server, learner } = await learnerModel(
      [...lines.map((text) => say(text)), say('', 1), say('Bye now.')].map(thought),
    )
    const [row] = await runArena(await planFor({ personas: named('pushy'), learner }))
    await server.close()
    expect(row?.talk.exchanges.map(({ learner: text, isCard }) => [text, isCard])).toEqual([
      ...lines.map((text) => [text, false]),
      ['What you actually think. The slide can wait.', true],
      ['Bye now.', false],
    ])
    expect([row?.fault, row?.thrownAway, row?.measures.end]).toEqual([null, [], 'left'])
    const [first] = server.requests.all
    expect([first?.path, first?.authorization]).toEqual(['/v1/chat/completions', 'expected'])
    expect(JSON.stringify(first?.body)).toContain('learner-model')
    expect(JSON.stringify(first?.body)).toContain(named('pushy')[0]?.about)
    expect(JSON.stringify(server.requests.all[3]?.body)).toContain('CARDS:')
  })

  it('[arena-8] plays again when the learner was not a valid one, three times at the most', async () => {
    const { server, learner } = await learnerModel([say('As an AI I have no view.'), say('Bye.'), thought('Bye now.')])
    const [row] = await runArena(await planFor({ personas: named('leaving'), learner }))
    expect([row?.thrownAway, row?.fault, row?.talk.exchanges[0]?.learner]).toEqual([['broke-role'], null, 'Bye now.'])
    const [lost] = await runArena(await planFor({ personas: named('cooperative'), learner }))
    expect([lost?.thrownAway, lost?.fault]).toEqual([['left-early', 'left-early'], 'left-early'])
    await server.close()
  })

  it('[arena-8] stops where no further conversation could be played', async () => {
    const server = await startModelServer(() => answer(401, {}, '{}'))
    const learner = readLearnerModel({ WALKON_LEARNER_BASE_URL: server.url, WALKON_LEARNER_MODEL: 'x' })
    await expect(runArena(await planFor({ learner }))).rejects.toThrow('unauthorized (401)')
    await server.close()
  })

  it('[arena-8] says which of its variables is wrong, and takes the actor’s for nobody else', () => {
    expect(() => readLearnerModel({ WALKON_LEARNER_MODEL: 'x' })).toThrow(/WALKON_LEARNER_MODEL names a model/)
    expect(() => readLearnerModel({ WALKON_LEARNER_BASE_URL: 'ftp://x', WALKON_LEARNER_MODEL: 'x' })).toThrow(
      /WALKON_LEARNER_BASE_URL must be an http or https address/,
    )
    expect(readLearnerModel({ OPENAI_API_KEY: 'x', OPENAI_MODEL: 'y' })).toBeNull()
  })

  it('[arena-5] takes the tokens that the server counts', async () => {
    const reply = 'Hello there, sit down.\n---END---\n{"node_satisfied": false, "learner_leaving": true}'
    const counted = { choices: [], usage: { prompt_tokens: 700, completion_tokens: 30 } }
    const body = `${event({ content: reply })}${event({}, 'stop')}data: ${JSON.stringify(counted)}\n\ndata: [DONE]\n\n`
    const server = await startModelServer(() => streamOf(body))
    const config = readConfig({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'actor-model' })
    const actor = chooseActor(config, { pace: createPace(0) })
    const [row] = await runArena(await planFor({ personas: named('leaving'), actor }))
    await server.close()
    expect(row?.talk.exchanges.map(({ reply: said }) => said)).toEqual(['Hello there, sit down.'])
    expect(row?.measures.tokens).toEqual({ input: 700, output: 30, isEstimate: false })
  })
})
