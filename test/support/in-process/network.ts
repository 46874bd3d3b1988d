/** The frames of a connection, sent as JSON text: `UpFrame` from the client, `DownFrame` to the client. */
export type UpFrame =
  | { readonly type: 'connect'; readonly auth: unknown }
  | { readonly type: 'event'; readonly name: string; readonly body: unknown; readonly ack: number | null }

export type DownFrame =
  | { readonly type: 'event'; readonly name: string; readonly body: unknown }
  | { readonly type: 'ack'; readonly ack: number; readonly body: unknown }

/**
 * One connection. What was sent arrives in order; from the moment the line dies nothing more is accepted. Each side
 * notices later, at its own time, and may still receive what the other sent before.
 */
export class Line {
  readonly id: number
  readonly up: string[] = []
  readonly down: string[] = []
  /** False once the client has noticed that the line is dead. */
  isOpen = true
  /** False once the server has noticed. Until then it may send on a dead line, and the frames are lost. */
  isServed = true
  /** Whether the line itself works. */
  isAlive = true
  clientId: string | null = null
  /** Whether the server has sent `hello` on it. */
  isReady = false

  constructor(id: number) {
    this.id = id
  }

  sendUp(frame: UpFrame): void {
    if (this.isAlive) this.up.push(JSON.stringify(frame))
  }

  sendDown(frame: DownFrame): void {
    if (this.isAlive) this.down.push(JSON.stringify(frame))
  }

  /** Kills the line. Of the frames on their way, `up` and `down` of them still arrive. */
  die(up: number, down: number): void {
    this.isAlive = false
    this.up.length = Math.min(up, this.up.length)
    this.down.length = Math.min(down, this.down.length)
  }
}
