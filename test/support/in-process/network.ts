/** What goes over a connection, as text in both directions. */
export type UpFrame =
  | { readonly type: 'connect'; readonly auth: unknown }
  | { readonly type: 'event'; readonly name: string; readonly body: unknown; readonly ack: number | null }

export type DownFrame =
  | { readonly type: 'event'; readonly name: string; readonly body: unknown }
  | { readonly type: 'ack'; readonly ack: number; readonly body: unknown }

/**
 * One connection: what was sent arrives in order or, from the moment the line dies, not at all. Each side learns of that in
 * its own time; what the other had sent before may still arrive.
 */
export class Line {
  readonly id: number
  readonly up: string[] = []
  readonly down: string[] = []
  /** The client has not learnt that it is dead. */
  isOpen = true
  /** The server has not. A dead line that it takes for a live one swallows what is sent. */
  isServed = true
  /** The line itself. */
  isAlive = true
  clientId: string | null = null
  /** The server has greeted whoever is there. */
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

  /** The line dies. Of what is on its way so much arrives still, in each direction. */
  die(up: number, down: number): void {
    this.isAlive = false
    this.up.length = Math.min(up, this.up.length)
    this.down.length = Math.min(down, this.down.length)
  }
}
