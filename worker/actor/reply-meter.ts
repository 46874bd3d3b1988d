/**
 * Measures a reply while it arrives and cuts the reply at its limit. No text that the meter returns ends inside a
 * surrogate pair, so each text can be encoded alone.
 */
export class ReplyMeter {
  #room: number
  #heldBack = ''
  #hasWords = false

  /** @param maxCharacters the limit of the reply, in UTF-16 code units */
  constructor(maxCharacters: number) {
    this.#room = maxCharacters
  }

  /** True once the meter has returned more than white space. */
  get hasWords(): boolean {
    return this.#hasWords
  }

  get isFull(): boolean {
    return this.#room === 0
  }

  /** Takes the next piece of the reply. Returns the text to pass on: often the whole piece, sometimes nothing. */
  take(said: string): string {
    if (said === '' || this.isFull) return ''
    const text = this.#heldBack + said
    const cut = text.length < this.#room ? text : text.slice(0, this.#room)
    const whole = endsInsidePair(cut) ? cut.slice(0, -1) : cut
    this.#heldBack = text.length < this.#room ? cut.slice(whole.length) : ''
    this.#room = text.length < this.#room ? this.#room - whole.length : 0
    return this.#handOn(whole)
  }

  /** Returns the rest when the reply has ended: nothing, or a replacement character for half a surrogate pair. */
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
