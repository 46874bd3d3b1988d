import path from 'node:path'
import { parseArgs } from 'node:util'
import { openFile, scenarioIds } from '../sims/authoring/open-file.ts'
import { chooseActor, createPace } from '../worker/actor/choose-actor.ts'
import { ActorError } from '../worker/actor/actor.ts'
import { ConfigError, readConfig } from '../worker/env.ts'
import { readLearnerModel } from './arena/model-learner.ts'
import { arenaPage } from './arena/page.ts'
import { PERSONAS } from './arena/personas.ts'
import { LogError, replay } from './arena/replay.ts'
import { type ArenaReport, summaryOf, tablesOf, tableText } from './arena/report.ts'
import { type ArenaPlan, hasModelIn, jobsOf, runArena } from './arena/run-arena.ts'
import { readAgainst, sidesOf } from './arena/sides.ts'
import { wordTable } from './word-table-file.ts'
import { fail } from './fail.ts'
import { noLinesMessage, settingsOf } from './start/settings.ts'
import { needsModel } from '../worker/core/scenario/scenario.ts'
import { writeBuilt } from './write-built.ts'

const HELP = `Plays the conversations without people, and counts what went well. docs/reference/arena.md explains the figures.

  npm run arena -- [--scenario ID | FILE] [--npc ID] [--persona NAME] [--seed N] [--repeat K]
                   [--against legacy | VERSION | FILE] [--out FILE]
  npm run arena -- --replay LOG… [--against VERSION | FILE]

  --scenario   one simulation, by its id or its file; all of them unless you say one
  --npc        one colleague
  --persona    one learner: ${PERSONAS.map(({ name }) => name).join(', ')}
  --seed       the number from which the scripted learners draw: 1 unless you say another
  --repeat     how often each learner plays: 1, or 3 if a model takes part
  --against    the same learners on a second side: the count-based engine, another version of a context graph
               (2, or one-to-one@2), or the file of another version of a backbone
  --out        where the page is written: build/arena.html
  --replay     walks recorded conversations through today's graphs, or through those of --against, without an actor

Colleagues are spoken by the model of OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL, or else by the rehearsal actor.
Learners are played by the model of WALKON_LEARNER_BASE_URL, WALKON_LEARNER_API_KEY and WALKON_LEARNER_MODEL, or else
by a script.`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scenario: { type: 'string' },
      npc: { type: 'string' },
      persona: { type: 'string' },
      seed: { type: 'string', default: '1' },
      repeat: { type: 'string' },
      against: { type: 'string' },
      out: { type: 'string', default: 'build/arena.html' },
      replay: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  if (values.replay) return console.log(await replay(positionals, { against: values.against }))
  if (positionals.length > 0) return fail(`The arena takes no "${positionals[0]}" without --replay.`)
  const settings = settingsOf('.dev.vars', process.env)
  const actor = chooseActor(readConfig(settings), { pace: createPace(0), table: wordTable })
  const learner = readLearnerModel(settings)
  const hasModel = hasModelIn({ actor, learner })
  const personas = PERSONAS.filter(({ name }) => name === (values.persona ?? name))
  if (personas.length === 0)
    return fail(`There is no learner "${values.persona}". There are ${PERSONAS.map(({ name }) => name).join(', ')}.`)
  const seed = wholeNumber(values.seed, '--seed', 0)
  const repeat = wholeNumber(values.repeat ?? (hasModel ? '3' : '1'), '--repeat', 1)
  const against = values.against === undefined ? null : await readAgainst(values.against)
  const wanted = await scenariosOf(values.scenario)
  const scenarios = wanted.filter(({ scenario }) => actor.kind === 'model' || !needsModel(scenario))
  for (const { scenario } of wanted.filter((each) => !scenarios.includes(each)))
    console.error(noLinesMessage(scenario.id))
  if (scenarios.length === 0) return void (process.exitCode = 1)
  const plan: ArenaPlan = { scenarios, npc: values.npc ?? null, personas, seed, repeat, against, actor, learner }
  const known = scenarios.flatMap(({ scenario }) => scenario.npcs.map(({ id }) => id))
  if (values.npc !== undefined && !known.includes(values.npc))
    return fail(`There is no colleague "${values.npc}". There are ${[...new Set(known)].join(', ')}.`)
  const sides = sidesOf({ backbones: [], documents: [] }, against).map(({ name }) => name)
  const played = new Set(jobsOf(plan).map(({ side }) => side.name))
  if (sides.some((name) => !played.has(name)))
    return fail(`None of these colleagues has a graph ${sides.at(-1)}. sims/graphs has the versions that there are.`)

  const startedAt = performance.now()
  const rows = await runArena(plan, hasModel ? showProgress : undefined)
  const seconds = (performance.now() - startedAt) / 1000
  const named = { actor: actor.label, learner: learner?.label ?? 'scripted' }
  const report: ArenaReport = { rows, sides, ...named, hasModel, repeat, seed, seconds }
  await writeBuilt(values.out, arenaPage(report))
  for (const table of tablesOf(report)) console.log(`${tableText(table)}\n`)
  console.log(`${summaryOf(report).join('\n')}\n\nThe conversations are in ${values.out}.`)
}

async function scenariosOf(name: string | undefined): Promise<ArenaPlan['scenarios']> {
  const known = await scenarioIds('sims')
  const files =
    name === undefined
      ? known.map(({ file }) => file)
      : [/[./\\]/.test(name) ? path.normalize(name) : (known.find(({ id }) => id === name)?.file ?? '')]
  if (files.includes(''))
    throw new RangeError(
      `There is no simulation "${name}". There are ${known.flatMap(({ id }) => id ?? []).join(', ')}.`,
    )
  return Promise.all(
    files.map(async (file) => {
      const opened = await openFile(file)
      if (opened.kind === 'scenario') return opened
      throw new RangeError(`${file} has findings. npm run sim -- check ${file} tells them.`)
    }),
  )
}

function wholeNumber(text: string, option: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (number < least) throw new RangeError(`${option} is a whole number from ${least}.`)
  return number
}

function showProgress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all}${done === all ? '\n' : ''}`)
}

try {
  await main()
} catch (error) {
  if (error instanceof ActorError) {
    fail(`The model that plays the learners: ${error.message}. See WALKON_LEARNER_BASE_URL.`)
  } else if (
    error instanceof ConfigError ||
    error instanceof RangeError ||
    error instanceof LogError ||
    (error instanceof Error && 'code' in error)
  ) {
    // The error comes from a wrong option, a wrong setting or a file. Its message tells what to do.
    fail(error.message)
  } else throw error
}
