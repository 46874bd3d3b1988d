import { parseArgs } from 'node:util'
import { chooseActor, createPace } from '../worker/actor/choose-actor.ts'
import { systemClock } from '../worker/clock.ts'
import { needsModel } from '../worker/core/scenario/scenario.ts'
import { ConfigError, readConfig } from '../worker/env.ts'
import { noLinesMessage, NO_MODEL, settingsOf } from './start/settings.ts'
import { wordTable } from './word-table-file.ts'
import { fail } from './fail.ts'
import { fileNamed, libraryOf, openFile, scenarioFiles, scenarioIds } from '../sims/authoring/open-file.ts'
import { readAnswers, play } from './sim/play.ts'
import { linesWithAdvice } from '../sims/authoring/finding.ts'
import { checkScenario } from '../sims/authoring/check-file.ts'
import { acceptLines, draftLines } from './sim/draft.ts'
import { newScenario } from './sim/new-scenario.ts'
import { publish } from './sim/publish.ts'
import { createPlayRun } from './sim/play-run.ts'

const HELP = `Checks, plays and begins simulations. docs/reference/authoring.md teaches how one is written.

  npm run sim -- check [FILE… | ID… | all]
  npm run sim -- play [ID | FILE]
  npm run sim -- draft ID | FILE [--npc ID] [--accept]
  npm run sim -- publish FILE | ID --to URL
  npm run sim -- new ID [--tier TECHNICAL|ACADEMIC|EXPERT] [--title "A title"]

  check      everything that is found, with its place and what to do about it; and of what is sound, what was proved
  play       the whole simulation in this terminal, spoken by the model of OPENAI_BASE_URL, OPENAI_API_KEY and
             OPENAI_MODEL, or else by the rehearsal actor; a script of answers can be piped in
  draft      asks the model for the rehearsal lines that are missing, and writes them into the file as drafts, which
             nobody speaks; with --accept, moves them to their places
  publish    sends one to a running server, which serves it from then on; needs WALKON_ADMIN_SECRET
  new        writes a small one that a language model can play as it is

  --npc      one colleague
  --tier     TECHNICAL unless you say another
  --title    the id in words unless you say one
  --to       the server's address
  --folder   where the simulations are: sims unless you say another`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tier: { type: 'string', default: 'TECHNICAL' },
      title: { type: 'string' },
      folder: { type: 'string', default: 'sims' },
      npc: { type: 'string' },
      accept: { type: 'boolean' },
      to: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command, ...rest] = positionals
  const { tier, title, folder } = values
  if (values.help) return console.log(HELP)
  if (command === 'check') return check(rest, folder)
  if (rest.length > 1) return fail(`${command} takes one simulation. A title of several words stands in quotes.`)
  if (command === 'play') return playOne(rest[0], folder)
  if (command === 'draft' && rest[0] !== undefined)
    return draft(await fileNamed(rest[0], folder), { only: values.npc, accepts: values.accept === true })
  if (command === 'publish' && rest[0] !== undefined) {
    if (values.to === undefined) return fail('Where? Name the server: --to https://walkon.example')
    const { WALKON_ADMIN_SECRET: secret } = settingsOf('.dev.vars', process.env)
    return show(await publish(await fileNamed(rest[0], folder), { to: values.to, secret }))
  }
  if (command === 'new' && rest[0] !== undefined) return begin({ id: rest[0], tier, title, folder })
  fail(
    command === undefined || ['new', 'draft', 'publish'].includes(command)
      ? HELP
      : `There is no "${command}".\n\n${HELP}`,
  )
}

async function check(named: readonly string[], folder: string): Promise<void> {
  const isAll = named.length === 0 || named.includes('all')
  const files = isAll ? await scenarioFiles(folder) : await Promise.all(named.map((name) => fileNamed(name, folder)))
  if (files.length === 0) return fail(`There is no simulation in ${folder}. npm run sim -- new ID begins one.`)
  const seen = new Map<string, string>()
  let wrong = 0
  for (const file of new Set(files)) {
    const { id, isSound, lines } = await checkScenario(file)
    for (const line of lines) console.log(line)
    const twin = id === null ? undefined : seen.get(id)
    if (twin !== undefined)
      console.log(`${file}:1:1 /id  ${twin} is called "${id}" too\n    Give one of the two another id.`)
    if (id !== null) seen.set(id, file)
    if (!isSound || twin !== undefined) wrong += 1
  }
  if (wrong === 0) return
  fail(`\n${wrong === 1 ? 'One file has' : `${wrong} files have`} findings, and would not be built.`)
}

async function playOne(name: string | undefined, folder: string): Promise<void> {
  const file = await fileToPlay(name, folder)
  if (file === null) return
  const source = await openFile(file)
  if (source.kind !== 'scenario') {
    for (const line of (await checkScenario(file)).lines) console.error(line)
    return fail('\nIt can be played once nothing is found.')
  }
  const { scenario, library } = source
  if (!scenario.simulation)
    return fail(`${scenario.id} has no simulation to be decided. npm run talk has its colleagues.`)
  const config = readConfig(settingsOf('.dev.vars', process.env))
  if (config.speaker.kind !== 'model' && needsModel(scenario)) return fail(noLinesMessage(scenario.id))
  const isTerminal = process.stdin.isTTY === true
  const write = (text: string) => void process.stdout.write(text)
  const run = createPlayRun({
    scenario,
    library,
    actor: chooseActor(config, { pace: createPace(isTerminal ? config.rehearsalPaceMs : 0), table: wordTable }),
    after: (ms, task) => systemClock.after(ms, task),
    write,
  })
  const answers = readAnswers(process.stdin, write)
  await play(run, answers, write)
  answers.close()
}

async function draft(file: string, { only, accepts }: { only: string | undefined; accepts: boolean }): Promise<void> {
  const found = await libraryOf(file)
  if (!found.ok) return fail(found.findings.flatMap(linesWithAdvice).join('\n'))
  const { library } = found
  if (accepts) return show(await acceptLines(file, { library, only }))
  const { speaker } = readConfig(settingsOf('.dev.vars', process.env))
  if (speaker.kind !== 'model') return fail(`A language model writes the drafts. ${NO_MODEL}`)
  show(await draftLines(file, { library, model: speaker, only, tell: (line) => console.error(line) }))
}

function show({ ok, lines }: Awaited<ReturnType<typeof acceptLines>>): void {
  for (const line of lines) console.log(line)
  if (!ok) process.exitCode = 1
}

async function begin(wanted: Parameters<typeof newScenario>[0]): Promise<void> {
  const made = await newScenario(wanted)
  if (!made.ok) return fail(made.message)
  console.log(
    `${made.file}\n\nA language model can play it as it is. ${NO_MODEL}\n\n  npm run sim -- check ${wanted.id}   checks it\n  npm run sim -- play ${wanted.id}    plays it\n  npm run sim -- draft ${wanted.id}   proposes lines, so that it can be played without a model too`,
  )
}

/**
 * Returns the file of the named simulation. Without a name, returns the file of the only simulation; if there are
 * several simulations, lists them and returns null.
 */
async function fileToPlay(name: string | undefined, folder: string): Promise<string | null> {
  if (name !== undefined) return fileNamed(name, folder)
  const files = await scenarioIds(folder)
  const [only, ...more] = files
  if (only && more.length === 0) return only.file
  fail(`Which? There are ${files.flatMap(({ id }) => id ?? []).join(', ')}.`)
  return null
}

try {
  await main()
} catch (error) {
  // An error with a code comes from a wrong option, or from a folder that can't be written to; a ConfigError from a
  // wrong setting. Its message tells what to do.
  if (!(error instanceof Error) || !('code' in error || error instanceof ConfigError)) throw error
  fail(error.message)
}
