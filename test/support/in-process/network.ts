/** The frames of a connection, sent as JSON text. The client sends an `UpFrame`, and the server sends a `DownFrame`. */
export type UpFrame =
  | { readonly type: 'connect'; readonly auth: unknown }
  | { readonly type: 'event'; readonly name: string; readonly body: unknown; readonly ack: number | null }

export type DownFrame =
  | { readonly type: 'event'; readonly name: string; readonly body: unknown }
  | { readonly type: 'ack'; readonly ack: number; readonly body: unknown }

/**
 * One connection. Frames arrive in order. When the line dies, it accepts no more frames. Each side notices this later,
 * at its own time, and may until then receive frames that the other side sent before.
 */
export class Line {
  readonly id: number
  readonly up: string[] = []
  readonly down: string[] = []
  /** False when the client has noticed that the line is dead. */
  isOpen = true
  /**
   * False when the server has noticed that the line is dead. Until then the server may send frames on the dead line;
   * they are lost.
   */
  isServed = true
  /** False when the line is dead. */
  isAlive = true
  clientId: string | null = null
  /** Whether the server has sent `hello` on this line. */
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

  /**
   * Kills the line. Of the frames that are under way, the first `up` frames still reach the server, and the first
   * `down` frames the client.
   */
  die(up: number, down: number): void {
    this.isAlive = false
    this.up.length = Math.min(up, this.up.length)
    this.down.length = Math.min(down, this.down.length)
  }
}
