import type { Acknowledgement, LogEvent } from '../worker/wire/messages.ts'
import { unsentOf } from './memory.ts'
import type { Unsent } from './memory.ts'
import { EMPTY_OUTBOX, stepOutbox } from './outbox.ts'
import type { MessageEntry, OutboxEvent } from './outbox.ts'

export interface SenderListener {
  changed(entries: readonly MessageEntry[]): void
  setDraft(text: string, resume: boolean): void
  /** Stores unsent messages and the draft for the next page load. */
  keep(unsent: Unsent): void
  transmit(entry: MessageEntry): void
}

/**
 * Runs the outbox and keeps the composer's draft. The outbox and the draft together contain all text that the learner
 * wrote and that the log doesn't contain yet.
 */
export class Sender {
  #outbox = EMPTY_OUTBOX
  #draft = ''
  #wake = 0
  readonly #listener: SenderListener

  constructor(listener: SenderListener) {
    this.#listener = listener
  }

  get isLinked(): boolean {
    return this.#outbox.linked
  }

  /** Restores the draft and the unsent messages that an earlier page load stored. */
  restore({ draft, says }: Unsent): void {
    if (draft) this.#putBack(draft)
    for (const { cid, held, ...say } of says) this.step({ type: 'add', cid, message: { name: 'say', ...say }, held })
  }

  step(event: OutboxEvent): void {
    const { outbox, send, wakeIn } = stepOutbox(this.#outbox, event, Date.now())
    const hasChanged = outbox !== this.#outbox
    this.#outbox = outbox
    clearTimeout(this.#wake)
    if (wakeIn !== null) this.#wake = window.setTimeout(() => this.step({ type: 'tick' }), wakeIn)
    if (hasChanged) {
      this.show()
      this.#keep()
    }
    if (send) this.#listener.transmit(send)
  }

  show(): void {
    this.#listener.changed(this.#outbox.entries)
  }

  /**
   * Handles `hello`. Drops the messages that the server has acknowledged from the outbox. The server had stored each of
   * them before it acknowledged the message, so the log contains them by now.
   */
  greet(): void {
    const sent = this.#outbox.entries.filter(({ state }) => state === 'sent').map(({ cid }) => cid)
    this.step({ type: 'logged', cids: sent })
    this.step({ type: 'link', up: true })
  }

  /** Handles new events. When a reply has ended, waiting messages go out at once. */
  log(news: readonly LogEvent[]): void {
    this.step({ type: 'logged', cids: news.flatMap(cidOf) })
    if (news.some(({ type }) => type === 'turn')) this.step({ type: 'hurry' })
  }

  /** Handles an acknowledgement. Returns the message if it was refused and the learner has to decide what to do. */
  answer(cid: string, acknowledgement: Acknowledgement | null): MessageEntry | undefined {
    this.step(acknowledgement ? { type: 'acknowledged', cid, acknowledgement } : { type: 'unanswered', cid })
    return this.#outbox.entries.find((entry) => entry.cid === cid && entry.state === 'failed')
  }

  takeBack({ cid, message }: MessageEntry): void {
    this.step({ type: 'drop', cid })
    if (message.name === 'say') this.#putBack(message.text, message.resume)
  }

  keepDraft(text: string): void {
    this.#draft = text
    this.#keep()
  }

  close(): void {
    clearTimeout(this.#wake)
  }

  /** Puts text into the composer, before the draft that is already there. */
  #putBack(text: string, resume = false): void {
    this.#draft = this.#draft ? `${text}\n${this.#draft}` : text
    this.#listener.setDraft(this.#draft, resume)
    this.#keep()
  }

  #keep(): void {
    this.#listener.keep({ draft: this.#draft, says: unsentOf(this.#outbox.entries) })
  }
}

function cidOf(event: LogEvent): string[] {
  if (event.type === 'turn-start') return [event.cid]
  return event.type === 'pivot-end' && event.choice ? [event.choice.cid] : []
}
