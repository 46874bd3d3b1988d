import type { Delta, PartialReply } from '../wire/messages.ts'

/** Receives a reply while it is spoken. */
export interface ReplySink {
  /**
   * Receives the reply when it begins, so that a client that connects during the reply gets the text that it missed.
   */
  begin(reply: LiveReply): void
  /** Receives each piece of the reply with the piece's offset. */
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

  /** Adds spoken text and returns it as a delta at its offset, in UTF-16 code units. */
  add(text: string): Delta {
    const delta = { turn: this.turn, attempt: this.attempt, offset: this.#text.length, text }
    this.#text += text
    return delta
  }

  /**
   * Returns the text that a client lacks. If the client has the beginning of this very attempt (`have`), that is the
   * text after the beginning; otherwise it is the whole text.
   */
  rest(have: PartialReply | undefined): Delta {
    const { turn, attempt } = this
    const isOurs = have?.turn === turn && have.attempt === attempt && have.offset <= this.#text.length
    const offset = isOurs ? have.offset : 0
    return { turn, attempt, offset, text: this.#text.slice(offset) }
  }
}
