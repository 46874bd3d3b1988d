/** What the client (`UpFrame`) and the server (`DownFrame`) send over a connection. A frame is sent as JSON text. */
export type UpFrame =
  | { readonly type: 'connect'; readonly auth: unknown }
  | { readonly type: 'event'; readonly name: string; readonly body: unknown; readonly ack: number | null }

export type DownFrame =
  | { readonly type: 'event'; readonly name: string; readonly body: unknown }
  | { readonly type: 'ack'; readonly ack: number; readonly body: unknown }

/**
 * One connection between a tab and the object. Frames arrive in order. A dead line takes no more frames. The client and
 * the server each notice later that the line is dead; until then, they may still receive frames that were sent before.
 */
export class Line {
  readonly id: number
  readonly up: string[] = []
  readonly down: string[] = []
  /** False when the client has noticed that the line is dead. */
  isOpen = true
  /**
   * False when the server has noticed that the line is dead. Before that, the server may send frames on the dead line,
   * and these frames are lost.
   */
  isServed = true
  /** False when the line is dead. */
  isAlive = true
  clientId: string | null = null
  /** Whether the client has asked for the short form of events. */
  isShort = false
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
   * Kills the line. Some frames may be under way. The server still receives the first `up` frames of the client, and
   * the client still receives the first `down` frames of the server.
   */
  die(up: number, down: number): void {
    this.isAlive = false
    this.up.length = Math.min(up, this.up.length)
    this.down.length = Math.min(down, this.down.length)
  }
}
