import { parseArgs, styleText } from 'node:util'
import { graphLibrary, scenarios } from '../build/scenarios.ts'
import { chooseActor, createPace } from '../worker/actor/choose-actor.ts'
import { systemClock } from '../worker/clock.ts'
import { ConfigError, readConfig } from '../worker/env.ts'
import { wordTable } from './word-table-file.ts'
import { fail } from './fail.ts'
import { noLinesMessage, settingsOf } from './start/settings.ts'
import { readAnswers } from './sim/play.ts'
import { createTalk, type Talked } from './sim/talk.ts'
import type { Actor } from '../worker/actor/actor.ts'
import { firstName, hasLines, type Npc, type Scenario } from '../worker/core/scenario/scenario.ts'
import type { CommandEffect, Thought, Trace } from '../worker/core/walk/event.ts'

const HELP = `Talk with a colleague in the terminal, and see what the walker makes of it.

  npm run talk -- [npc] [--scenario ID] [--returning] [--engine legacy] [--quiet]

  npc           the scenario's first colleague unless you say another
  --scenario    the first that has this colleague unless you say one
  --returning   you have met before
  --engine      graph, or legacy: the one that only counts
  --quiet       the words alone, without node, decision, report and commands

While you talk: a number picks a card, /brief shows what the colleague was told, /quit leaves.`

/**
 * Runs a conversation in the terminal, with the same walker and actor as on the page, but without a socket or a stored
 * session.
 */
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
  if (config.speaker.kind !== 'model' && !hasLines(npc)) return fail(noLinesMessage(npc.name))
  const actor = chooseActor(config, { pace: createPace(isTerminal ? config.rehearsalPaceMs : 0), table: wordTable })
  const write = (text: string) => void process.stdout.write(text)
  const talk = createTalk({
    scenario,
    npc,
    library: graphLibrary,
    engine,
    person: values.returning ? 'returning' : 'new',
    actor,
    after: (ms, task) => systemClock.after(ms, task),
    write,
  })
  showOpening(scenario, npc, actor, write)
  if (talk.opening !== null) write(`\n${firstName(npc.name)}  ${talk.opening}\n`)

  const answers = readAnswers(process.stdin, write)
  for (;;) {
    const line = await answers.ask('\nyou  ')
    if (line === null || line === '/quit') break
    if (line === '/brief') write(`\n${talk.lastBriefing()}\n`)
    else if (line !== '') {
      const turn = await talk.say(line)
      if (!values.quiet) showTurn(turn, write)
      if (turn.after.end) break
    }
  }
  answers.close()
}

function listed(): string {
  return scenarios.map(({ id, npcs }) => `${id} has ${npcs.map((npc) => npc.id).join(', ')}.`).join(' ')
}

type Write = (text: string) => void

function showOpening(scenario: Scenario, npc: Npc, actor: Actor, write: Write): void {
  write(`${scenario.title}\n${scenario.situation.where}. ${scenario.situation.what}\nYou are ${scenario.role}.\n\n`)
  write(`${npc.name}, ${npc.role}. ${npc.scene}\n`)
  write(
    dim(
      `${actor.kind === 'rehearsal' ? 'Rehearsal actor: scripted lines, no language model.' : `Spoken by ${actor.label}.`}\n`,
    ),
  )
}

/**
 * Prints what the walker did after the learner's line: the current node, the decision and its reason, the actor's
 * report, and the commands for the page.
 */
function showTurn(talked: Talked, write: Write): void {
  const { turn } = talked
  if (turn && !turn.ok) return write(dim(`     no reply: ${turn.failure}. Say it again.\n`))
  const lines = [
    ...wayLines(talked),
    ...decisionLines(talked),
    ...reportLines(talked),
    ...sendLines(talked),
    ...commandLines(talked),
  ]
  for (const line of lines) write(dim(`     ${line}\n`))
}

/** Describes the walk's silent steps before the reply. */
function wayLines({ trace }: Talked): readonly string[] {
  return trace.flatMap((entry): readonly string[] => {
    switch (entry.type) {
      case 'exit-selected':
        return [`exit      ${entry.node} → ${entry.description}`]
      case 'action-selected':
        return [`action    ${entry.action + 1} in ${entry.node}`]
      case 'called':
        return [`calls     ${entry.to}, back to ${entry.returnTo}`]
      case 'jumpback':
        return [`returns   ${entry.to}`]
      case 'thought':
        return [`${THOUGHTS[entry.thought.kind].padEnd(10)}${thoughtLine(entry.thought)}`]
      case 'behavior-activated':
        return [`behavior  ${entry.behavior} (${entry.mode})`]
      default:
        return []
    }
  })
}

const THOUGHTS: Readonly<Record<Thought['kind'], string>> = {
  annotation: 'notes',
  recall: 'recalls',
  reflection: 'concludes',
}

function thoughtLine(thought: Thought): string {
  if (thought.kind !== 'recall') return thought.text
  return `${thought.query}: ${thought.found.join(' · ') || 'nothing'}`
}

function sendLines({ sends }: Talked): readonly string[] {
  return sends.map(({ id, sideEffect }) => `sends     ${sideEffect.type} ${id}`)
}

function decisionLines({ before, after, trace, choice }: Talked): readonly string[] {
  const decision = trace.find(({ type }) => type === 'decision')
  if (decision?.type !== 'decision') return []
  const { from, to, reason } = decision.decision
  const { score, level } = after.relationship
  const moved = score - before.relationship.score
  const where = to === null ? 'the end' : to === from ? 'stays' : to
  return [
    `node      ${from}${choice || before.node !== from ? '' : ` (turn ${(before.visits.at(-1)?.exchanges ?? 0) + 1})`}`,
    `decision  ${where}, because ${reason}`,
    `mood      ${level} ${signed(score)}${moved === 0 ? '' : ` (${signed(moved)})`}`,
  ]
}

function reportLines({ turn, trace }: Talked): readonly string[] {
  if (!turn?.ok) return []
  const { report, quality } = turn
  const flags = [report.node_satisfied && 'satisfied', report.detour_detected && 'detour'].filter(
    (flag) => flag !== false,
  )
  const remarks = trace.map(({ type }) => type).filter((type) => REMARKS.has(type))
  return [
    `report    ${quality}; ${flags.join(', ') || 'not satisfied'}; engagement ${signed(report.engagement_score)}`,
    ...(report.information_revealed.length > 0 ? [`told      ${report.information_revealed.join(' · ')}`] : []),
    ...(remarks.length > 0 ? [`traced    ${remarks.join(', ')}`] : []),
  ]
}

/** The types of trace entries that the command prints, in a line that begins with `traced`. */
const REMARKS: ReadonlySet<Trace['type']> = new Set<Trace['type']>([
  'ignored',
  'overreach',
  'mood-mismatch',
  'report-missing',
  'selection-refused',
  'call-refused',
  'internal-loop',
])

function commandLines({ commands }: Talked): readonly string[] {
  return commands.flatMap(told)
}

function told({ id, command }: CommandEffect): readonly string[] {
  switch (command.name) {
    case 'AI_PivotMoment':
      return [`command   ${id}`, ...command.choices.map(({ text }, i) => `  ${i + 1}       ${text}`)]
    case 'AI_HandOverDocument':
      return [`command   ${id}`, `  takes   ${command.document.title}`]
    case 'AI_AdvanceObjective':
      return [`command   ${id} (${command.title})`]
    case 'AI_EndConversation':
      return [
        `command   ${id}, ${command.completion}`,
        ...(command.document ? [`  takes   ${command.document.title}`] : []),
        ...(command.next ? [`  next    ${command.next.name}: ${command.next.why}`] : []),
      ]
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}

function dim(text: string): string {
  return styleText('dim', text)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  fail(error.message)
}
