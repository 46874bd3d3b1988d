import type { RunStarted, RunView, TalkOpened } from '../../worker/wire/run.ts'
import { keepCredentials } from './credentials.ts'
import { Player } from './player.ts'
import type { WorkerServer } from './worker-server.ts'

/** The response to a request of the game's API. */
export interface GameAnswer<T> {
  readonly status: number
  readonly body: T & { readonly error?: { readonly code: string; readonly next: string; readonly message: string } }
}

type Reached = Pick<WorkerServer, 'url' | 'fetch'>

/** Sends a request as the game's page does, with or without a run key. */
export async function askGame<T>(
  server: Reached,
  path: string,
  { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<GameAnswer<T>> {
  const response = await server.fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as GameAnswer<T>['body'] }
}

/** Starts a run, by default of the launch decision. @throws when the server refuses */
export async function startGame(server: Reached, asked: object = {}): Promise<RunStarted['run']> {
  const { status, body } = await askGame<RunStarted>(server, 'api/runs', {
    body: { scenario: 'launch-decision', ...asked },
  })
  if (status !== 201) throw new Error(`no run: ${status} ${body.error?.code}`)
  return body.run
}

/** Opens the conversation with a colleague. @throws when the server refuses */
export async function openTalk(server: Reached, key: string, npc: string): Promise<TalkOpened> {
  const { status, body } = await askGame<TalkOpened>(server, 'api/run/talk', { key, body: { npc } })
  if (status !== 200) throw new Error(`no talk: ${status} ${body.error?.code}`)
  keepCredentials(body)
  return body
}

/** Opens the conversation with a colleague and joins it. */
export async function talkWith(server: Reached, key: string, npc: string): Promise<Player> {
  return Player.join(server, (await openTalk(server, key, npc)).session)
}

/** Returns the run as its learner sees it. @throws when the server refuses */
export async function runOf(server: Reached, key: string): Promise<RunView> {
  const { status, body } = await askGame<RunView>(server, 'api/run', { key })
  if (status !== 200) throw new Error(`no run to see: ${status} ${body.error?.code}`)
  return body
}
