import type { Delta, Hello, LogEvent, RelationshipLevel, TurnOutcome } from '../../worker/wire/messages.ts'
import type { DecodedEvent, DecodedHello } from '../../worker/wire/decode.ts'
import type { Input, TranscriptState, standing } from '../../widget/apply.ts'

/** An event at the server. An event that is impossible in the current state does nothing. */
export type Happening =
  | { type: 'say'; text: string }
  | { type: 'speak'; text: string }
  | { type: 'crash' }
  /** Like `crash`, but the server then begins another attempt at the turn. The log has the event of the new attempt. */
  | { type: 'restart' }
  | { type: 'finish'; outcome: 'complete' | 'failed'; text: string | null }
  /** The learner stops the reply. The text that was sent so far becomes the reply. */
  | { type: 'cut' }
  | { type: 'retry' }
  | { type: 'objective' }
  | { type: 'pivot' }
  | { type: 'pick'; picks: boolean }
  | { type: 'unheard-of' }
  | { type: 'end' }

export const CONVERSATION: Hello['conversation'] = {
  session: 's1',
  scenario: { id: 'launch', title: 'Launch or wait', role: 'an engineer', situation: 'A launch is due.' },
  npc: { id: 'maya', name: 'Maya Patel', role: 'QA lead', hue: 320 },
  scene: 'Her desk, late.',
  colleagues: [],
  speaker: { kind: 'rehearsal', label: 'rehearsal actor' },
}

/**
 * A minimal model of a conversation on the server: a log and the running reply. The model returns the server's messages
 * in order. The test loses, doubles and reorders these messages.
 */
export class ServerModel {
  readonly epoch = 'e1'
  readonly log: DecodedEvent[] = []
  level: RelationshipLevel = 'neutral'
  running: { turn: number; attempt: number; text: string } | null = null
  turn = 0
  last: { turn: number; attempt: number; failed: boolean } | null = null
  pivot: string | null = null
  ended = false

  /** Applies an event, and returns the messages that the server sends to a connected client. */
  happen(what: Happening): Input[] {
    switch (what.type) {
      case 'say':
        if (this.running || this.ended) return []
        this.turn += 1
        this.running = { turn: this.turn, attempt: 1, text: '' }
        return [this.write({ type: 'turn-start', turn: this.turn, attempt: 1, cid: `c${this.turn}`, text: what.text })]
      case 'speak':
        return this.speak(what.text)
      case 'crash':
        if (this.running) this.running = { ...this.running, attempt: this.running.attempt + 1, text: '' }
        return []
      case 'restart':
        if (!this.running) return []
        this.running = { ...this.running, attempt: this.running.attempt + 1, text: '' }
        return [this.start(this.running)]
      case 'finish':
        return this.finish(what.outcome, what.text)
      case 'cut':
        return this.finish('cut', null)
      case 'retry':
        if (!this.last?.failed || this.running || this.ended) return []
        this.running = { turn: this.last.turn, attempt: this.last.attempt + 1, text: '' }
        return [this.start(this.running)]
      case 'objective':
        return [this.command({ name: 'AI_AdvanceObjective', objective: 'o', title: `Objective ${this.log.length}` })]
      case 'pivot':
        if (this.pivot || this.ended) return []
        this.pivot = `p${this.log.length}`
        return [
          this.command({
            name: 'AI_PivotMoment',
            pivot: this.pivot,
            question: 'Well?',
            choices: [{ id: 'a', text: 'Yes' }],
          }),
        ]
      case 'pick':
        return this.pick(what.picks)
      case 'unheard-of':
        return [this.write({ type: 'unknown' })]
      case 'end':
        if (this.ended || this.running) return []
        this.ended = true
        this.pivot = null
        return [this.command({ name: 'AI_EndConversation', completion: 'earned', document: null, next: null })]
    }
  }

  /** Returns the hello that the server sends to a client in this state. */
  hello({ cursor, have }: ReturnType<typeof standing>): DecodedHello {
    const head = this.log.length
    const resumes = cursor?.epoch === this.epoch && cursor.seq <= head
    return {
      v: 1,
      mode: resumes ? 'resume' : 'snapshot',
      epoch: this.epoch,
      head,
      conversation: CONVERSATION,
      level: this.level,
      events: this.log.slice(resumes ? cursor.seq : 0),
      running: this.runningFor(resumes ? have : undefined),
    }
  }

  private runningFor(have: { turn: number; attempt: number; offset: number } | undefined): Delta | null {
    if (!this.running || this.running.text === '') return null
    const { turn, attempt, text } = this.running
    const joins = have?.turn === turn && have.attempt === attempt && have.offset <= text.length
    const offset = joins ? have.offset : 0
    return { turn, attempt, offset, text: text.slice(offset) }
  }

  private speak(text: string): Input[] {
    if (!this.running) return []
    const { turn, attempt, text: before } = this.running
    this.running = { turn, attempt, text: before + text }
    return [{ type: 'delta', delta: { turn, attempt, offset: before.length, text } }]
  }

  private start({ turn, attempt }: { turn: number; attempt: number }): Input {
    return this.write({ type: 'turn-start', turn, attempt, cid: `r${this.log.length}`, text: 'as before' })
  }

  private finish(outcome: TurnOutcome, text: string | null): Input[] {
    if (!this.running) return []
    const { turn, attempt, text: streamed } = this.running
    this.running = null
    this.last = { turn, attempt, failed: outcome === 'failed' }
    this.level = outcome === 'complete' ? 'cooperative' : 'guarded'
    return [this.write({ type: 'turn', turn, attempt, text: text ?? streamed, outcome, level: this.level })]
  }

  private pick(picks: boolean): Input[] {
    const { pivot } = this
    if (!pivot) return []
    this.pivot = null
    const choice = picks
      ? { cid: `k${this.log.length}`, id: 'a', text: 'Yes', reaction: 'Good.', effect: 'She nods.' }
      : null
    return [this.write({ type: 'pivot-end', turn: this.turn, pivot, level: this.level, choice })]
  }

  private command(command: Extract<LogEvent, { type: 'command' }>['command']): Input {
    return this.write({ type: 'command', turn: this.turn, id: `${this.turn}.${this.log.length}`, command })
  }

  private write(event: EventBody): Input {
    const placed = { seq: this.log.length + 1, at: 0, ...event } as DecodedEvent
    this.log.push(placed)
    return { type: 'event', event: placed }
  }
}

type EventBody = DecodedEvent extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'at'> : never) : never

/** Returns what a person sees. The number of a reply's attempt is not visible, so it is 0 here. */
export function shown({ items, level, pivot, ended, seq, epoch, conversation }: TranscriptState) {
  const lines = items.map((item) => (item.kind === 'speech' ? { ...item, attempt: 0 } : item))
  return { lines, level, pivot, ended, seq, epoch, conversation }
}
