import { scenarios } from '../../../build/scenarios.ts'
import type { Context } from '../../../worker/chain/context.ts'
import { type ConversationStart, beginConversation } from '../../../worker/chain/runs/begin-conversation.ts'
import type { RunPlace } from '../../../worker/chain/runs/run-data.ts'
import { rows, type Scope } from '../../../worker/chain/scope.ts'
import type { SessionEvent } from '../../../worker/chain/session-events.ts'

const found = scenarios.find(({ id }) => id === 'launch-decision')
if (!found) throw new Error('the launch decision is not there')
const LAUNCH = found

/** The session id of a conversation and its place in the chain. */
export interface Talk {
  readonly session: string
  readonly place: RunPlace
}

let sessions = 0

/** Begins a conversation with a colleague of the launch decision. @throws when the chain refuses */
export async function talk(
  scope: Scope,
  npc: string,
  { run = null, learner = 'ada' }: { run?: string | null; learner?: string } = {},
): Promise<Talk> {
  sessions += 1
  const session = sessions.toString(16).padStart(64, '0')
  const begun = await beginConversation(scope, beginning(session, npc, { run, learner }))
  if (!begun.ok) throw new Error(begun.why)
  return { session, place: begun.place }
}

export function beginning(
  session: string,
  npc: string,
  { run = null, learner = 'ada' }: { run?: string | null; learner?: string } = {},
): ConversationStart {
  const colleague = LAUNCH.npcs.find(({ id }) => id === npc)
  if (!colleague) throw new Error(`nobody is called ${npc}`)
  return { session, scenario: LAUNCH, npc: colleague, learner: { kind: 'verified', id: learner }, run }
}

/** Returns all events of a conversation that reaches its end. */
export function wholeWay(at: number, next: string | null = 'marcus'): readonly SessionEvent[] {
  return [
    { type: 'met', at },
    { type: 'annotation', node: 'mark', text: 'The questions begin here.', at: at + 1 },
    { type: 'objective', objective: 'size-the-risk', title: 'Learn what the test run really says', at: at + 2 },
    {
      type: 'ended',
      completion: 'earned',
      document: 'Run 47',
      next: next === null ? null : { npc: next, why: 'He knows what the contract allows.' },
      at: at + 2,
    },
  ]
}

/** The fields of a context that a run changes. */
export type Stands = Pick<Context, 'purpose' | 'status' | 'version' | 'data' | 'participants' | 'completedAt'> & {
  readonly id: string
  readonly space: string
  readonly parent: string | null
}

/** Returns the contexts of a run, oldest first. */
export async function standing(scope: Scope, run: string): Promise<readonly Stands[]> {
  const found = await rows<Record<keyof Stands, string>>(
    scope,
    `SELECT id, parent_id AS parent, space, purpose, status, version, data, participants, completed_at AS completedAt
     FROM contexts WHERE tenant = ?1 AND root_id = ?2 ORDER BY created_at, row`,
    run,
  )
  return found.map(
    ({ data, participants, ...row }) =>
      ({ ...row, data: JSON.parse(data), participants: JSON.parse(participants) }) as unknown as Stands,
  )
}

/** Returns everything that the chain stores for a tenant, except random ids and times of writing. */
export async function everything(scope: Scope): Promise<unknown> {
  const ask = (sql: string) => rows<Record<string, unknown>>(scope, sql)
  const contexts = await ask(
    `SELECT id, parent_id, space, purpose, status, version, data, participants, created_at, updated_at, completed_at
     FROM contexts WHERE tenant = ?1 ORDER BY root_id, created_at, row`,
  )
  const versions = await ask('SELECT * FROM context_versions WHERE tenant = ?1 ORDER BY at, version, data')
  const sessions_ = await ask('SELECT * FROM sessions WHERE tenant = ?1 ORDER BY session')
  const memories = await ask(
    'SELECT id, space, content, kind, context_id, root_id, created_at FROM memories WHERE tenant = ?1 ORDER BY id',
  )
  const facts = await ask('SELECT * FROM facts WHERE tenant = ?1 ORDER BY key')
  const text = JSON.stringify({ contexts, versions, sessions: sessions_, memories, facts })
  // Replaces the random ids by numbers, in the order in which the ids occur.
  const ids = [...new Set(text.match(/ctx_[\w-]{22}/g))]
  return JSON.parse(
    ids.reduce((named, id, place) => named.replaceAll(id, `ctx-${place}`), text).replaceAll(scope.tenant, 'tenant'),
  )
}
