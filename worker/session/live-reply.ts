import type { Delta, PartialReply } from '../wire/messages.ts'

/** Receives a reply while it is spoken. */
export interface ReplySink {
  /**
   * Receives the reply when it begins, so that a client that connects during the reply gets the text that it missed.
   */
  begin(reply: LiveReply): void
  piece(delta: Delta): void
}

/**
 * The spoken part of a running reply. The text is only in memory: if the runner dies, the next attempt begins a new
 * reply.
 */
export class LiveReply {
  readonly turn: number
  readonly attempt: number
  #text = ''

  constructor(turn: number, attempt: number) {
    this.turn = turn
    this.attempt = attempt
  }

  get text(): string {
    return this.#text
  }

  /** Adds spoken text. Returns the text with its offset in the reply, counted in UTF-16 code units. */
  add(text: string): Delta {
    const delta = { turn: this.turn, attempt: this.attempt, offset: this.#text.length, text }
    this.#text += text
    return delta
  }

  /**
   * Returns the part of the reply that a client lacks: the text after `have` if `have` is the beginning of this
   * attempt's reply; otherwise the whole text.
   */
  rest(have: PartialReply | undefined): Delta {
    const { turn, attempt } = this
    const isOurs = have?.turn === turn && have.attempt === attempt && have.offset <= this.#text.length
    const offset = isOurs ? have.offset : 0
    return { turn, attempt, offset, text: this.#text.slice(offset) }
  }
}
