import type { Graph } from '../../worker/core/graph/graph.ts'
import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import { keepCredentials } from './credentials.ts'
import { signSession } from './sign-session.ts'
import type { WorkerServer } from './worker-server.ts'

/**
 * The configuration of the deployed worker with extra routes for tests ("doors"), which return data that no client
 * sees.
 */
export const DOORS_CONFIG = 'test/conversations/context-worker.toml'

/** The response of each door, for one conversation. */
export interface Doors {
  interactionLog: InteractionLog
  outbox: readonly {
    readonly id: string
    readonly effect: string
    readonly status: string
    readonly attempts: number
  }[]
  mails: readonly { readonly from: string; readonly to: string; readonly subject: string; readonly text: string }[]
  walk: Walk
  info: SessionInfo & { readonly graph: Graph }
  /** Ends the object's running instance, as a crash does. What the object has stored remains. */
  die: { readonly died: string }
}

export type Reachable = Pick<WorkerServer, 'fetch'>

export async function door<K extends keyof Doors>(server: Reachable, session: string, name: K): Promise<Doors[K]> {
  const response = await server.fetch(`doors/${session}/${name}`)
  return (await response.json()) as Doors[K]
}

/**
 * A conversation that an older version of the worker has stored. The session's id is missing in `info`. The texts are
 * stored exactly as they are here.
 */
export interface OldSession {
  readonly info: object
  readonly walk: string
  readonly turns: readonly { readonly id: number; readonly status: 'running' | 'done'; readonly learner: string }[]
  readonly events: readonly object[]
}

/**
 * Stores an old conversation in a new object, keeps credentials for it, and returns the session's id.
 *
 * @param at the path of the door, because some workers have this door at another path
 */
export async function putSession(server: Reachable, old: OldSession, at = 'doors/new'): Promise<string> {
  const response = await server.fetch(at, { method: 'POST', body: JSON.stringify(old) })
  const { session } = (await response.json()) as { session: string }
  return keepCredentials({ session, ...(await signSession(session)) })
}
