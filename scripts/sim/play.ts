import { amountOf } from '../../sims/authoring/finding.ts'
import { firstName, type Npc, type Scenario } from '../../worker/core/scenario/scenario.ts'
import type { PlayRun } from './play-run.ts'
import { debriefText, showDesk, showNotebook, showScene } from './show.ts'
import { createInterface } from 'node:readline/promises'

type Write = (text: string) => void

/** What the player does after a screen: go on with the game, or leave the game. */
type Left = 'on' | 'quit'

/** Plays a simulation from its scene to its debrief. Ends early at `/quit`, or when there are no more answers. */
export async function play(run: PlayRun, answers: Answers, write: Write): Promise<void> {
  const { scenario } = run
  write(showScene(scenario))
  const guide = scenario.npcs.find(({ id }) => id === scenario.simulation?.guide)
  let next = guide
  while (run.view().decision === null) {
    write(showDesk(run.view(), scenario, next))
    const answer = await answers.ask('\n> ')
    if (answer === null || /^(?:q|quit|\/quit)$/i.test(answer)) return
    const npc = answer === '' ? next : personOf(answer, scenario)
    if (npc) {
      if ((await talkWith(npc, run, answers, write)) === 'quit') return
      next = nextAfter(npc, run)
    } else if (/^(?:n|notebook)$/i.test(answer)) write(showNotebook(run.view(), scenario))
    else if (/^(?:d|decide)$/i.test(answer)) {
      if ((await decide(run, answers, write)) === 'quit') return
    } else
      write(
        answer === '' ? '\nEverybody was talked with. It is yours to decide.\n' : `\nThere is no "${answer}" here.\n`,
      )
  }
  const debrief = run.debrief()
  if (debrief) write(debriefText(debrief, scenario))
}

/**
 * Returns the colleague that the answer names, by the number on the desk or by the id. Returns undefined if it names
 * none.
 */
function personOf(answer: string, { npcs }: Scenario): Npc | undefined {
  return npcs.find(({ id }, place) => answer === String(place + 1) || answer.toLowerCase() === id)
}

/**
 * Returns the colleague to whom the given colleague sent the learner, or else a colleague whose conversation is not
 * over.
 */
function nextAfter({ id }: Npc, run: PlayRun): Npc | undefined {
  const { people } = run.view()
  const open = people.filter(({ status, npc }) => status !== 'over' && npc !== id)
  const sent = people.find(({ npc }) => npc === id)?.next?.npc
  const meant = open.find(({ npc }) => npc === sent) ?? open[0]
  return run.scenario.npcs.find((npc) => npc.id === meant?.npc)
}

async function talkWith(npc: Npc, run: PlayRun, answers: Answers, write: Write): Promise<Left> {
  const state = run.view().people.find((person) => person.npc === npc.id)
  if (state?.status === 'over') {
    write(`\nYou have talked with ${npc.name} to the end.\n`)
    return 'on'
  }
  write(`\n${npc.name}, ${npc.role}. ${npc.scene}\n(A number picks a card. /notebook, /leave, /quit.)\n`)
  const opening = run.meet(npc)
  if (opening !== null) write(`\n${firstName(npc.name)}  ${opening}\n`)
  for (;;) {
    const line = await answers.ask('\nyou  ')
    if (line === null || line === '/quit') return 'quit'
    if (line === '/leave') return 'on'
    if (line === '/notebook') write(showNotebook(run.view(), run.scenario))
    else if (line !== '') {
      const before = run.view()
      const { turn, commands, after } = await run.say(npc, line)
      if (turn && !turn.ok) write('     (no reply; say it again)\n')
      for (const { command } of commands) {
        if (command.name === 'AI_PivotMoment')
          write(command.choices.map(({ text }, place) => `     ${place + 1}  ${text}\n`).join(''))
        if (command.name === 'AI_AdvanceObjective') write(`     Met: ${command.title}\n`)
        if (command.name === 'AI_EndConversation' && command.document)
          write(`     In your notebook: ${command.document.title}\n`)
      }
      const news = run.view().facts.length - before.facts.length
      if (news > 0) write(`     Noted: ${amountOf(news, 'fact')}\n`)
      if (after.end) return 'on'
    }
  }
}

async function decide(run: PlayRun, answers: Answers, write: Write): Promise<Left> {
  const { scenario } = run
  const { facts, options = scenario.decision.options, more } = run.view()
  write(`\n${scenario.decision.question}\n${numbered(options.map(({ title }) => title))}${more ? MORE : ''}`)
  const option = await pick(answers, write, 'Which? ', options.length, 'one')
  if (option === null) return 'quit'
  let reason = ''
  while (reason === '') {
    const given = await answers.ask('Why? ')
    if (given === null) return 'quit'
    reason = given
  }
  let cited: readonly number[] | null = []
  if (facts.length > 0) {
    write(`\nWhat it rests on:\n${numbered(facts.map(({ said, npc }) => `"${said}" (${nameOf(npc, scenario)})`))}`)
    cited = await pick(answers, write, 'Numbers, or nothing: ', facts.length, 'any')
    if (cited === null) return 'quit'
  }
  const sure = await answers.ask('Decided? It cannot be taken back. yes or no: ')
  if (sure === null) return 'quit'
  const [chosen] = option
  if (!/^y/i.test(sure) || chosen === undefined) return 'on'
  run.decide({
    option: options[chosen]?.id ?? '',
    reason,
    evidence: cited.flatMap((place) => facts[place]?.id ?? []),
  })
  return 'on'
}

/**
 * Asks until the answer consists of valid numbers. Returns indexes from 0, each index once; null if the answers end.
 */
async function pick(
  answers: Answers,
  write: Write,
  prompt: string,
  of: number,
  how: 'one' | 'any',
): Promise<readonly number[] | null> {
  for (;;) {
    const line = await answers.ask(prompt)
    if (line === null) return null
    const given = line.split(/[\s,]+/).filter((part) => part !== '')
    const places = [...new Set(given.map((part) => (/^\d{1,4}$/.test(part) ? Number(part) - 1 : -1)))]
    const isGood = places.every((place) => place >= 0 && place < of)
    if (isGood && (how === 'any' || places.length === 1)) return places
    write(how === 'one' ? `A number from 1 to ${of}.\n` : `Numbers from 1 to ${of}, with blanks between them.\n`)
  }
}

const MORE = '     There may be another way. It appears once you have heard what it takes.\n'

function numbered(texts: readonly string[]): string {
  return texts.map((text, place) => `  ${place + 1}  ${text}\n`).join('')
}

function nameOf(id: string, { npcs }: Scenario): string {
  return npcs.find((npc) => npc.id === id)?.name ?? id
}

/** The learner's answers: typed lines, or the lines of a script. */
export interface Answers {
  /**
   * Returns the next line, trimmed; null after the last line. Prints the lines of a script as if a learner typed them.
   */
  ask(prompt: string): Promise<string | null>
  close(): void
}

/** Reads answers from the terminal or from piped input. Ctrl-C ends the process without a message. */
export function readAnswers(input: NodeJS.ReadStream, write: (text: string) => void): Answers {
  const isTerminal = input.isTTY === true
  const lines = createInterface({ input, output: isTerminal ? process.stdout : undefined })
  const next = lines[Symbol.asyncIterator]()
  const leave = () => {
    write('\n')
    process.exit(0)
  }
  lines.on('SIGINT', leave)
  process.on('SIGINT', leave)
  return {
    ask: async (prompt) => {
      if (isTerminal) {
        lines.setPrompt(prompt)
        lines.prompt()
      } else write(prompt)
      const { value, done } = await next.next()
      if (done === true) return null
      const line = value.trim()
      if (!isTerminal) write(`${line}\n`)
      return line
    },
    close: () => lines.close(),
  }
}
