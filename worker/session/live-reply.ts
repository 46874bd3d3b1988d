import type { Delta, PartialReply } from '../wire/messages.ts'

/** Gets a reply while it is spoken. */
export interface ReplySink {
  /** Gets the reply that begins now: a client that connects meanwhile is given what it missed. */
  begin(reply: LiveReply): void
  /** Gets each piece, at its place. */
  piece(delta: Delta): void
}

/** The spoken part of a running reply. Only in memory: an attempt that dies is void and does not continue. */
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

  /** Adds what was spoken and returns it as a delta at its offset, in UTF-16 code units. */
  add(text: string): Delta {
    const delta = { turn: this.turn, attempt: this.attempt, offset: this.#text.length, text }
    this.#text += text
    return delta
  }

  /** The text that a client with `have` still misses: all of it, unless it has a part of the same attempt. */
  rest(have: PartialReply | undefined): Delta {
    const { turn, attempt } = this
    const isOurs = have?.turn === turn && have.attempt === attempt && have.offset <= this.#text.length
    const offset = isOurs ? have.offset : 0
    return { turn, attempt, offset, text: this.#text.slice(offset) }
  }
}
