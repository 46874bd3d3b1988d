import { isDeepStrictEqual } from 'node:util'
import type { Accepted, LogEvent } from '../../worker/wire/messages.ts'

/**
 * The promises about every conversation, which must hold even under faults. `I10` (erased data stays erased) is not
 * among them, because other tests check it.
 */
export const INVARIANTS = {
  I1: 'no message is lost',
  I2: 'no message is doubled',
  I3: 'every message gets one end, soon',
  I4: 'what a screen shows is what is stored',
  I5: 'what was shown is stored or declared void',
  I6: 'nothing hidden is shown, and the pointer goes only where the graph goes',
  I7: 'every command is given once',
  I8: 'what arrives is what was committed',
  I9: 'nothing is asked more often than it may be',
  I11: 'the conversation goes on',
  I12: 'nothing of another conversation is in it',
  I13: 'what it brings into the chain is there once',
} as const

export type Invariant = keyof typeof INVARIANTS

export interface Violation {
  readonly invariant: Invariant
  readonly what: string
}

/** A message, with what its learner knows about it. */
export interface Written {
  readonly cid: string
  readonly text: string
  /** The server's acknowledgement of the message. Null if the learner has not seen one. */
  readonly acknowledged: Accepted | null
}

/** What became of a conversation, according to its clients, the store, the model and the receiver of webhooks. */
export interface Outcome {
  readonly written: readonly Written[]
  /** The turns that a learner has asked to stop. */
  readonly stopped: ReadonlySet<number>
  readonly clients: readonly {
    readonly events: readonly LogEvent[]
    readonly shown: readonly { readonly turn: number; readonly attempt: number; readonly text: string }[]
    readonly commands: readonly string[]
  }[]
  /** The log as the server sends it to a client that connects without a cursor. */
  readonly stored: readonly LogEvent[]
  /**
   * The requests to the model, in order. `text` is the message that the model answers, `for` says what kind of answer
   * is asked for, and `said` is the model's answer.
   */
  readonly asked: readonly { readonly text: string; readonly for: string; readonly said: string }[]
  readonly node: string
  readonly committed: readonly string[]
  readonly arrived: readonly string[]
  /** When the conversation began, in milliseconds since 1970. So this is earlier than the fault. */
  readonly struckAt: number
  /** Matches text that can come only from another conversation. */
  readonly foreign: RegExp
  readonly hidden: RegExp
}

/**
 * The state that a conversation must have: its node, and all commands and side effects that it must have sent so far.
 */
export interface Expected {
  readonly node: string
  readonly commands: readonly string[]
  readonly sends: readonly string[]
}

/**
 * Returns the state that a conversation must have after a message, if the server has answered the message completely.
 */
export type Law = (at: Expected, text: string) => Expected

type Of<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>

/** How many attempts a turn may have, and how often the server may ask for one piece of inner work. */
const MAX_ATTEMPTS = 2
const MINUTE_MS = 60_000

/**
 * Returns every broken invariant. The function finds out which logs are correct only from the acknowledged messages and
 * the model's replies. It does not know how the server works.
 */
export function violations(outcome: Outcome, start: Expected, law: Law): readonly Violation[] {
  const found: Violation[] = []
  const hold = (invariant: Invariant, holds: boolean, what: string) => {
    if (!holds) found.push({ invariant, what })
  }
  const { stored, written, clients } = outcome
  const starts = stored.filter((event): event is Of<'turn-start'> => event.type === 'turn-start')
  const ends = stored.filter((event): event is Of<'turn'> => event.type === 'turn')
  const begun = starts.filter(({ attempt }) => attempt === 1)

  for (const { cid, text, acknowledged } of written) {
    const own = begun.filter((event) => event.cid === cid)
    hold('I2', own.length <= 1, `${cid} opened ${own.length} turns`)
    if (!acknowledged) continue
    hold('I1', own.length === 1 && own[0]?.text === text, `${cid} was acknowledged and is not there as it was written`)
    hold('I1', own[0]?.seq === acknowledged.seq, `${cid} was acknowledged at ${acknowledged.seq}`)
    hold('I2', own[0]?.turn === acknowledged.turn, `${cid} was acknowledged as turn ${acknowledged.turn}`)
  }
  hold(
    'I1',
    begun.every(({ cid }) => written.some((each) => each.cid === cid)),
    'a message that nobody wrote',
  )

  for (const { turn, text } of begun) checkTurn(turn, text)
  for (const client of clients) checkClient(client)
  checkWalk()

  hold('I8', isDeepStrictEqual([...outcome.arrived].toSorted(), [...outcome.committed].toSorted()), 'what was sent')
  hold('I12', !outcome.foreign.test(JSON.stringify([stored, clients])), 'a foreign mark')
  hold('I6', !outcome.hidden.test(JSON.stringify([stored, clients])), 'a hidden text')
  return found

  function checkTurn(turn: number, text: string): void {
    const attempts = starts.filter((event) => event.turn === turn)
    const last = attempts.at(-1)?.attempt ?? 0
    const ended = ends.filter((event) => event.turn === turn)
    hold('I3', ended.filter(({ attempt }) => attempt === last).length === 1, `turn ${turn} has not ended once`)
    hold(
      'I3',
      ended.every(({ attempt, outcome: how }) => attempt === last || how === 'failed'),
      `turn ${turn} was answered and asked for again`,
    )
    const late = Math.max(...ended.map(({ at }) => at)) - Math.max(outcome.struckAt, attempts.at(-1)?.at ?? 0)
    hold('I3', late < MINUTE_MS, `turn ${turn} ended ${late} ms after the last fault`)
    const asked = outcome.asked.filter((each) => each.text === text)
    const replies = asked.filter((each) => each.for === 'reply').map(({ said }) => said)
    hold('I9', replies.length <= last && last <= MAX_ATTEMPTS, `${replies.length} replies in ${last} attempts`)
    // The server asks for each piece of inner work once. If the object died while the piece was running, the server
    // asks a second time.
    hold(
      'I9',
      asked.length - replies.length <= 2 * MAX_ATTEMPTS,
      `${asked.length - replies.length} pieces of inner work`,
    )
    for (const end of ended) checkReply(end, replies)
  }

  function checkReply(end: Of<'turn'>, replies: readonly string[]): void {
    const { turn, attempt, text } = end
    const shown = clients.flatMap((client) =>
      client.shown.filter((each) => each.turn === turn && each.attempt === attempt).map((each) => each.text),
    )
    const isStart = (each: string) => text.startsWith(each)
    if (end.outcome === 'failed') return
    hold('I5', shown.every(isStart), `turn ${turn}.${attempt} showed something else than it stored`)
    if (end.outcome === 'complete') return hold('I6', replies.includes(text), `turn ${turn} is no reply of the model`)
    hold('I3', outcome.stopped.has(turn), `turn ${turn} was cut, and nobody asked for it`)
    hold('I4', text === '' || shown.includes(text), `turn ${turn} was cut where no screen was`)
    hold(
      'I6',
      replies.some((reply) => reply.startsWith(text)),
      `turn ${turn} holds what the model did not say`,
    )
  }

  /**
   * Checks the text that a screen showed. The store must have it, unless its attempt failed or another attempt began.
   */
  function checkClient({ events, shown, commands }: Outcome['clients'][number]): void {
    hold('I4', isDeepStrictEqual(events, stored), `a screen has ${events.length} of ${stored.length} entries`)
    hold(
      'I4',
      stored.every(({ seq }, at) => seq === at + 1),
      'the log has a gap',
    )
    for (const { turn, attempt } of shown) {
      const isEnded = ends.some((end) => end.turn === turn && end.attempt === attempt)
      const isVoid = starts.some((event) => event.turn === turn && event.attempt > attempt)
      hold('I5', isEnded || isVoid, `turn ${turn}.${attempt} was shown and is neither stored nor void`)
    }
    const given = stored.flatMap((event) => (event.type === 'command' ? [event.id] : []))
    hold('I7', isDeepStrictEqual(commands, given), `a screen carried out ${commands.join(' ')}`)
  }

  function checkWalk(): void {
    let at = start
    for (const { turn, outcome: how } of ends) {
      if (how === 'complete') at = law(at, begun.find((event) => event.turn === turn)?.text ?? '')
    }
    const given = stored.flatMap((event) => (event.type === 'command' ? [event.id] : []))
    hold('I6', outcome.node === at.node, `it stands at ${outcome.node}, not at ${at.node}`)
    hold('I7', isDeepStrictEqual(given, at.commands), `${given.join(' ')} was given, not ${at.commands.join(' ')}`)
    hold('I8', outcome.committed.length === at.sends.length, `${outcome.committed.length} sends were committed`)
    hold('I11', at.commands.length > 0, 'it did not come to its end')
  }
}
