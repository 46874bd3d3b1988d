import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { graphDocuments, scenarios } from '../build/scenarios.ts'
import { chooseActor } from '../worker/actor/choose-actor.ts'
import { systemClock } from '../worker/clock.ts'
import { createPace } from '../worker/actor/pace.ts'
import { ConfigError, readConfig } from '../worker/env.ts'
import { fail } from './fail.ts'
import { settingsOf } from './start/settings.ts'
import { showOpening, showTurn } from './talk/show.ts'
import { createTalk } from './talk/talk.ts'

const HELP = `Talk with a colleague in the terminal, and see what the walker makes of it.

  npm run talk -- [npc] [--scenario ID] [--returning] [--engine legacy] [--quiet]

  npc           the scenario's first colleague unless you say another
  --scenario    the first that has this colleague unless you say one
  --returning   you have met before
  --engine      graph, or legacy: the one that only counts
  --quiet       the words alone, without node, decision, report and commands

While you talk: a number picks a card, /brief shows what the colleague was told, /quit leaves.`

/** The conversation of the page, in a terminal: the same walker, the same actor, without socket and store. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scenario: { type: 'string' },
      returning: { type: 'boolean' },
      engine: { type: 'string', default: 'graph' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const [wanted] = positionals
  const scenario = scenarios.find(
    ({ id, npcs }) =>
      (values.scenario ?? id) === id && (wanted === undefined || npcs.some((person) => person.id === wanted)),
  )
  const npc = wanted === undefined ? scenario?.npcs[0] : scenario?.npcs.find(({ id }) => id === wanted)
  if (!scenario || !npc) return fail(`There is no such colleague. ${listed()}`)
  const { engine } = values
  if (engine !== 'graph' && engine !== 'legacy') return fail('The engine is graph or legacy.')

  const isTerminal = process.stdin.isTTY === true
  const config = readConfig(settingsOf('.dev.vars', process.env))
  const actor = chooseActor(config, { pace: createPace(isTerminal ? config.rehearsalPaceMs : 0) })
  const write = (text: string) => process.stdout.write(text)
  const talk = createTalk({
    scenario,
    npc,
    documents: graphDocuments,
    engine,
    person: values.returning ? 'returning' : 'new',
    actor,
    after: (ms, task) => systemClock.after(ms, task),
    write,
  })
  showOpening(scenario, npc, actor, write)

  const lines = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    prompt: '\nyou  ',
  })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === '/quit') break
    if (line.trim() === '/brief') write(`\n${talk.lastBriefing()}\n`)
    else if (line.trim() !== '') {
      if (!isTerminal) write(`\nyou  ${line.trim()}\n`)
      const turn = await talk.say(line.trim())
      if (!values.quiet) showTurn(turn, write)
      if (turn.after.end) break
    }
    lines.prompt()
  }
  lines.close()
}

function listed(): string {
  return scenarios.map(({ id, npcs }) => `${id} has ${npcs.map((npc) => npc.id).join(', ')}.`).join(' ')
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  fail(error.message)
}
