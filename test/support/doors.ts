import type { Graph } from '../../worker/core/graph/graph.ts'
import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import { keepCredentials } from './credentials.ts'
import { signSession } from './sign-session.ts'
import type { WorkerServer } from './worker-server.ts'

/** The deployed worker with doors to what no client sees. */
export const DOORS_CONFIG = 'test/conversations/context-worker.toml'

/** What each door shows of a conversation. */
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
  /** Ends the object's instance, with what was written. */
  die: { readonly died: string }
}

export type Reachable = Pick<WorkerServer, 'fetch'>

export async function door<K extends keyof Doors>(server: Reachable, session: string, name: K): Promise<Doors[K]> {
  const response = await server.fetch(`doors/${session}/${name}`)
  return (await response.json()) as Doors[K]
}

/** A stored conversation. `info` lacks the session's name; texts are kept to the letter. */
export interface OldSession {
  readonly info: object
  readonly walk: string
  readonly turns: readonly { readonly id: number; readonly status: 'running' | 'done'; readonly learner: string }[]
  readonly events: readonly object[]
}

/**
 * Puts such a conversation into an object's storage and returns its session. What lets in is signed for it.
 *
 * @param at the door of a worker that has others than this
 */
export async function putSession(server: Reachable, old: OldSession, at = 'doors/new'): Promise<string> {
  const response = await server.fetch(at, { method: 'POST', body: JSON.stringify(old) })
  const { session } = (await response.json()) as { session: string }
  return keepCredentials({ session, ...(await signSession(session)) })
}
