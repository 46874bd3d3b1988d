/**
 * Measures a reply while it arrives and stops it at its limit. No piece it passes on ends inside a surrogate pair, so
 * each piece can be encoded alone.
 */
export class ReplyMeter {
  #room: number
  #heldBack = ''
  #hasWords = false

  /** @param maxCharacters the limit of the reply, in UTF-16 code units */
  constructor(maxCharacters: number) {
    this.#room = maxCharacters
  }

  /** True once more than white space has been passed on. */
  get hasWords(): boolean {
    return this.#hasWords
  }

  get isFull(): boolean {
    return this.#room === 0
  }

  /** Returns the text to pass on after this piece; often all of it, sometimes nothing. */
  take(said: string): string {
    if (said === '' || this.isFull) return ''
    const text = this.#heldBack + said
    const cut = text.length < this.#room ? text : text.slice(0, this.#room)
    const whole = endsInsidePair(cut) ? cut.slice(0, -1) : cut
    this.#heldBack = text.length < this.#room ? cut.slice(whole.length) : ''
    this.#room = text.length < this.#room ? this.#room - whole.length : 0
    return this.#handOn(whole)
  }

  /** Returns the rest at the end: nothing, or a replacement character for half a character. */
  end(): string {
    const rest = this.#heldBack
    this.#heldBack = ''
    return this.#handOn(rest)
  }

  #handOn(text: string): string {
    this.#hasWords ||= /\S/.test(text)
    return text.toWellFormed()
  }
}

function endsInsidePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
