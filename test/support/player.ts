import type { Acknowledgement, Delta, Hello, LogEvent } from '../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, type Given, keepCredentials, passage } from './credentials.ts'
import { connectClient, type SocketClient } from './socket-client.ts'
import type { WorkerServer } from './worker-server.ts'

type TurnEvent = Extract<LogEvent, { type: 'turn' }>

type Reached = Pick<WorkerServer, 'url' | 'fetch'>

/** Opens a conversation in the launch decision over HTTP, and returns its session id. */
export function beginSession(server: Reached, npc = 'maya'): Promise<string> {
  return openSession(server, { scenario: 'launch-decision', npc })
}

/**
 * Opens a conversation with the given request body, stores the session's credentials, and returns the session id.
 *
 * @throws when the server refuses
 */
export async function openSession(server: Reached, body: object): Promise<string> {
  const response = await server.fetch('api/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`no session: ${response.status}`)
  return keepCredentials((await response.json()) as Given & { session: string })
}

let cids = 0
export const newCid = (): string => `cid-${++cids}`

/**
 * A learner with the official client. It sends messages, and keeps everything that the client receives, as a page does.
 */
export class Player {
  readonly client: SocketClient
  readonly events: LogEvent[] = []
  readonly deltas: Delta[] = []
  #hello: Hello | null = null
  /** Whether the client has connected and not yet received the connection's `hello`. */
  #isBack = true
  #waiting: (() => void)[] = []

  private constructor(client: SocketClient) {
    this.client = client
    client.socket.on('connect', () => (this.#isBack = true))
    client.socket.on('hello', (hello: Hello) => this.#note(() => this.#greet(hello)))
    client.socket.on('event', (event: LogEvent) => this.#note(() => this.events.push(event)))
    client.socket.on('delta', (delta: Delta) => this.#note(() => this.deltas.push(delta)))
  }

  /** Joins a session, with the credentials that are stored for it. `auth` has more fields for the CONNECT payload. */
  static async join(server: Reached, session: string, auth: object = {}): Promise<Player> {
    const client = connectClient(new URL('socket.io/', server.url), {
      query: { ...passage(session), hb: '1' },
      auth: { v: WIRE_VERSION, ...admission(session), ...auth },
    })
    // The player must listen before the code waits. Events may come right after `hello`, and the code after `next`
    // would run too late for them.
    const player = new Player(client)
    await client.next('hello')
    return player
  }

  get hello(): Hello {
    if (this.#hello === null) throw new Error('nobody has greeted this player')
    return this.#hello
  }

  emit(name: string, body: unknown): Promise<Acknowledgement> {
    return this.client.emitAck(name, body) as Promise<Acknowledgement>
  }

  /** Sends a message and waits for the turn to end. @throws when the server refuses the message */
  async say(text: string, cid = newCid()): Promise<TurnEvent> {
    const acknowledgement = await this.emit('say', { cid, text })
    if (!acknowledgement.ok) throw new Error(`refused: ${acknowledgement.code}`)
    return this.turn(acknowledgement.turn)
  }

  /** Waits for the end of a turn and returns the event of the end. */
  async turn(id: number, attempt = 1): Promise<TurnEvent> {
    return this.until(() =>
      this.events.find(
        (event): event is TurnEvent => event.type === 'turn' && event.turn === id && event.attempt >= attempt,
      ),
    )
  }

  /** Returns the first value of `look` that is not undefined. Calls `look` again after each arrival. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  commands(): string[] {
    return this.events.flatMap((event) => (event.type === 'command' ? [event.id] : []))
  }

  /** Returns the text of an attempt as it was streamed. The offsets of the pieces say where each piece belongs. */
  streamed(turn: number, attempt = 1): string {
    let text = ''
    for (const delta of this.deltas.filter((each) => each.turn === turn && each.attempt === attempt)) {
      if (delta.offset > text.length) throw new Error(`a piece of turn ${turn} is missing before ${delta.offset}`)
      text = text.slice(0, delta.offset) + delta.text
    }
    return text
  }

  leave(): void {
    this.client.stop()
  }

  /**
   * Adds the events that this `hello` brings. After a lost connection, the server sends the missed events only there.
   */
  #greet(hello: Hello): void {
    this.#hello ??= hello
    if (!this.#isBack) return
    this.#isBack = false
    const last = this.events.at(-1)?.seq ?? 0
    this.events.push(...hello.events.filter(({ seq }) => seq > last))
  }

  #note(keep: () => void): void {
    keep()
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
