import type { MessageEntry, OutboxEvent } from '../../../widget/outbox.ts'
import { EMPTY_OUTBOX, stepOutbox } from '../../../widget/outbox.ts'
import {
  apply,
  EMPTY_TRANSCRIPT,
  type Input,
  runningSpeech,
  standing,
  type TranscriptState,
} from '../../../widget/apply.ts'
import { unsentOf, type UnsentSay } from '../../../widget/memory.ts'
import { decode, decodeAcknowledgement } from '../../../worker/wire/decode.ts'
import type { Acknowledgement, LogEvent } from '../../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../../worker/wire/version.ts'
import type { DownFrame, Line } from './network.ts'

/**
 * What the tabs of one browser share about a conversation: how far in the log a tab has handled the events. A tab
 * handles an event by reporting it, and by carrying out the command if the event is one.
 */
export interface Browser {
  epoch: string
  seen: number
}

/** What a tab tells the checks. The tab calls one of these methods when something happens in the tab. */
export interface TabListener {
  news(tab: Tab, event: LogEvent): void
  shown(tab: Tab, before: TranscriptState): void
  acknowledged(tab: Tab, cid: string, answer: Acknowledgement): void
}

const ANSWER_MS = 10_000

/**
 * A page with the widget, without any drawing. It consists of the widget's own reducer, outbox and decoder, connected
 * as in `openConversation`.
 */
export class Tab {
  readonly clientId: string
  state: TranscriptState = EMPTY_TRANSCRIPT
  line: Line | null = null
  /** The time at which the outbox has to do something, in milliseconds since 1970. Null if it has nothing to do. */
  wakeAt: number | null = null
  readonly waiting = new Map<number, { readonly until: number; readonly answered: (answer: unknown) => void }>()
  readonly done: string[] = []
  /** The unsent messages in the tab's session storage. A reload of the page keeps this storage. */
  stored: readonly UnsentSay[] = []
  #outbox = EMPTY_OUTBOX
  #asked = 0
  #acks = 0
  #stopping = 0
  #known: Browser
  readonly #browser: Browser
  readonly #now: () => number
  readonly #listener: TabListener

  constructor(
    clientId: string,
    {
      browser,
      stored,
      now,
      listener,
    }: { browser: Browser; stored: readonly UnsentSay[]; now: () => number; listener: TabListener },
  ) {
    this.clientId = clientId
    this.#browser = browser
    this.#known = { ...browser }
    this.#now = now
    this.#listener = listener
    for (const { cid, text, held } of stored) this.step({ type: 'add', cid, message: { name: 'say', text }, held })
  }

  /**
   * The sequence number of the last event that this tab has handled: the tab has reported the event and carried out its
   * command.
   */
  get seen(): number {
    return this.#known.seen
  }

  get entries(): readonly MessageEntry[] {
    return this.#outbox.entries
  }

  connect(line: Line): void {
    this.line = line
    // Every fourth connection is one of an older widget, which gets no short events.
    const short = line.id % 4 === 0 ? {} : { short: true }
    line.sendUp({
      type: 'connect',
      auth: { v: WIRE_VERSION, clientId: this.clientId, ...short, ...standing(this.state) },
    })
  }

  take(text: string): void {
    const frame = JSON.parse(text) as DownFrame
    if (frame.type === 'ack') {
      const waiting = this.waiting.get(frame.ack)
      this.waiting.delete(frame.ack)
      return waiting?.answered(frame.body)
    }
    const message = decode(frame.name, frame.body)
    if (message === null) throw new Error(`the widget cannot read ${text}`)
    const news = this.#apply(inputOf(message))
    if (message.name === 'hello') this.#greet(message.body.epoch)
    this.#act(news)
    this.#askForMissing(message.name === 'hello')
  }

  down(): void {
    this.line = null
    this.#asked = 0
    this.step({ type: 'link', up: false })
    const all = [...this.waiting.values()]
    this.waiting.clear()
    for (const { answered } of all) answered(null)
  }

  /** Stops waiting for every acknowledgement that has not come in time. */
  giveUp(): void {
    for (const [ack, { until, answered }] of this.waiting)
      if (until <= this.#now()) {
        this.waiting.delete(ack)
        answered(null)
      }
  }

  stop(): void {
    this.#stopping = runningSpeech(this.state)?.turn ?? 0
    this.#askToStop()
  }

  /** Asks the server for missed events with a `sync`, even if the tab has missed none. */
  ask(): void {
    this.#emit('sync', standing(this.state), null)
  }

  step(event: OutboxEvent): void {
    const result = stepOutbox(this.#outbox, event, this.#now())
    const changed = result.outbox !== this.#outbox
    this.#outbox = result.outbox
    this.wakeAt = result.wakeIn === null ? null : this.#now() + result.wakeIn
    if (changed) {
      this.#apply({ type: 'outbox', entries: this.#outbox.entries })
      this.stored = unsentOf(this.#outbox.entries)
    }
    if (result.send) this.#transmit(result.send)
  }

  #apply(input: Input): readonly LogEvent[] {
    const before = this.state
    const { state, news } = apply(before, input)
    this.state = state
    this.#listener.shown(this, before)
    return news
  }

  #greet(epoch: string): void {
    if (this.#known.epoch !== epoch) this.#known = { epoch, seen: 0 }
    const sent = this.#outbox.entries.filter(({ state }) => state === 'sent').map(({ cid }) => cid)
    this.step({ type: 'logged', cids: sent })
    this.step({ type: 'link', up: true })
    this.#askToStop()
  }

  #act(news: readonly LogEvent[]): void {
    for (const event of news) {
      this.#listener.news(this, event)
      if (event.seq <= this.#known.seen) continue
      this.#known.seen = event.seq
      if (event.type === 'command') this.done.push(event.id)
    }
    if (news.length > 0) {
      // As in a browser, all tabs store this position in the same place, so the last tab overwrites what the others
      // have stored.
      Object.assign(this.#browser, this.#known)
      this.step({ type: 'logged', cids: news.flatMap(cidOf) })
      if (news.some(({ type }) => type === 'turn')) this.step({ type: 'hurry' })
    }
    if (runningSpeech(this.state) === undefined) this.#stopping = 0
  }

  #askForMissing(answered: boolean): void {
    if (this.state.gap === 'none') this.#asked = 0
    else if (answered || this.#asked === 0) {
      this.#asked += 1
      if (this.#asked <= 3) this.#emit('sync', standing(this.state), null)
    }
  }

  #askToStop(): void {
    if (this.#stopping && this.#outbox.linked) this.#emit('cancel', { turn: this.#stopping }, () => {})
  }

  #transmit({ cid, message }: MessageEntry): void {
    const { name, ...body } = message
    this.#emit(name, { cid, ...body }, (answer) => {
      const acknowledgement = decodeAcknowledgement(answer)
      if (acknowledgement) this.#listener.acknowledged(this, cid, acknowledgement)
      this.step(acknowledgement ? { type: 'acknowledged', cid, acknowledgement } : { type: 'unanswered', cid })
    })
  }

  #emit(name: string, body: unknown, answered: ((answer: unknown) => void) | null): void {
    const ack = answered && ++this.#acks
    if (ack !== null && answered) this.waiting.set(ack, { until: this.#now() + ANSWER_MS, answered })
    this.line?.sendUp({ type: 'event', name, body, ack })
  }
}

function inputOf(message: NonNullable<ReturnType<typeof decode>>): Input {
  if (message.name === 'hello') return { type: 'hello', hello: message.body }
  if (message.name === 'event') return { type: 'event', event: message.body }
  if (message.name === 'turn') return { type: 'turn', turn: message.body }
  return { type: 'delta', delta: message.body }
}

function cidOf(event: LogEvent): string[] {
  if (event.type === 'turn-start') return [event.cid]
  return event.type === 'pivot-end' && event.choice ? [event.choice.cid] : []
}
