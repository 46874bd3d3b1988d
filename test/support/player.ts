import type { Acknowledgement, Delta, Hello, LogEvent } from '../../worker/wire/messages.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, type Given, keepCredentials, passage } from './credentials.ts'
import { connectClient, type SocketClient } from './socket-client.ts'
import type { WorkerServer } from './worker-server.ts'

type TurnEvent = Extract<LogEvent, { type: 'turn' }>

/** What a player needs of a server, however it runs. */
type Reached = Pick<WorkerServer, 'url' | 'fetch'>

/** Begins a conversation of the first scenario over HTTP and returns its session. */
export function beginSession(server: Reached, npc = 'maya'): Promise<string> {
  return openSession(server, { scenario: 'launch-decision', npc })
}

/**
 * Begins a conversation with whatever a request may say, and returns its session. What lets in is kept for whoever joins.
 *
 * @throws when there is none
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

/** A learner at the official client: says things and keeps what comes back, as a page would. */
export class Player {
  readonly client: SocketClient
  readonly events: LogEvent[] = []
  readonly deltas: Delta[] = []
  #hello: Hello | null = null
  /** It has a new line, on which it was not greeted yet. */
  #isBack = true
  #waiting: (() => void)[] = []

  private constructor(client: SocketClient) {
    this.client = client
    client.socket.on('connect', () => (this.#isBack = true))
    client.socket.on('hello', (hello: Hello) => this.#note(() => this.#greet(hello)))
    client.socket.on('event', (event: LogEvent) => this.#note(() => this.events.push(event)))
    client.socket.on('delta', (delta: Delta) => this.#note(() => this.deltas.push(delta)))
  }

  /** Connects to a session with what it was opened with; `auth` is added to the CONNECT payload. */
  static async join(server: Reached, session: string, auth: object = {}): Promise<Player> {
    const client = connectClient(new URL('socket.io/', server.url), {
      query: { ...passage(session), hb: '1' },
      auth: { v: WIRE_VERSION, ...admission(session), ...auth },
    })
    // Listens before it waits: what comes right behind the greeting comes before whoever waits for that goes on.
    const player = new Player(client)
    await client.next('hello')
    return player
  }

  /** The first greeting. */
  get hello(): Hello {
    if (this.#hello === null) throw new Error('nobody has greeted this player')
    return this.#hello
  }

  emit(name: string, body: unknown): Promise<Acknowledgement> {
    return this.client.emitAck(name, body) as Promise<Acknowledgement>
  }

  /** Says something and waits for the turn to end. @throws when it is refused. */
  async say(text: string, cid = newCid()): Promise<TurnEvent> {
    const acknowledgement = await this.emit('say', { cid, text })
    if (!acknowledgement.ok) throw new Error(`refused: ${acknowledgement.code}`)
    return this.turn(acknowledgement.turn)
  }

  /** The end of a turn, when it has come. */
  async turn(id: number, attempt = 1): Promise<TurnEvent> {
    return this.until(() =>
      this.events.find(
        (event): event is TurnEvent => event.type === 'turn' && event.turn === id && event.attempt >= attempt,
      ),
    )
  }

  /** The first thing `look` finds, now or after something else has come. */
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

  /** What was streamed of an attempt, put together by offset. */
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

  /** What happened while the line was down is told in the greeting, and nowhere else. */
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
