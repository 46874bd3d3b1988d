import type { RunPlace } from '../chain/runs/run-data.ts'
import { beginWalk } from '../core/walk/engine.ts'
import { readWalk, type Walk } from '../core/walk/walk.ts'
import type { Learner } from '../trust/learner.ts'
import { NO_PERMISSIONS } from '../core/assistant/permissions.ts'
import { isOpenCall } from '../core/assistant/tools.ts'
import { newAssistantRecord, type AssistantRecord } from './assistant/assistant-record.ts'
import { readAssistantRecord } from './assistant/record-schema.ts'
import { liveGrants } from './assistant/tool-calls.ts'
import { chainEventsOf } from './chain-events.ts'
import type { ConversationCopy } from './conversation-copy.ts'
import {
  type Contents,
  isolateContents,
  pinsOf,
  readFacts,
  readInfo,
  type SessionFacts,
  type SessionInfo,
} from './session-info.ts'
import type { SessionStore } from './session-store.ts'
import type { Npc, Scenario } from '../core/scenario/scenario.ts'
import type { LogRecord } from '../core/walk/log-entry.ts'
import type { NewEvent } from '../wire/messages.ts'

/** The data that a copied conversation does not share with its original. */
export interface CopyOpening {
  readonly session: string
  readonly epoch: string
  readonly learner: Learner
  readonly run: RunPlace | null
}

/**
 * Begins a conversation as a copy of another conversation. If the conversation has begun already, nothing changes.
 *
 * @param contents has the contents to which the copy is pinned
 */
export function beginSessionCopy(
  store: SessionStore,
  copy: ConversationCopy,
  opening: CopyOpening,
  at: number,
  contents: Contents = isolateContents,
): void {
  const info: SessionInfo = { ...readInfo(copy.info, contents), ...opening }
  const forChain = happenedIn(copy).map((happened) => ({
    at: happened.at,
    events: chainEventsOf(happened, happened.at),
  }))
  store.createAs({ info, pins: pinsOf(copy.info) }, walkOf(copy, info), copy, forChain, at, branchOf(copy, info, at))
}

/**
 * Returns the record with which a copy of an assistant's conversation begins: the one of that moment, without what the
 * person had allowed and without what waited. If something was allowed, the copy's log says that it is so no longer.
 */
function branchOf(
  { walk: stored }: ConversationCopy,
  info: SessionInfo,
  at: number,
): { record?: AssistantRecord; first?: readonly NewEvent[] } {
  if (!info.scenario.assistant) return {}
  const fresh = newAssistantRecord(info)
  const before = (stored === null ? null : readAssistantRecord(stored)) ?? fresh
  const { turn, state } = before
  const { user_id, conversation_id, session_id } = fresh.state
  const operations = [...new Set(liveGrants(before, at).map(({ operation }) => operation))]
  return {
    record: {
      ...before,
      turn: turn && { ...turn, calls: turn.calls.filter((call) => !isOpenCall(call)) },
      state: {
        ...state,
        user_id,
        conversation_id,
        session_id,
        shared_memory: { ...state.shared_memory, permissions: NO_PERMISSIONS },
        pending_operations: [],
        pending_permission_requests: [],
        metadata: { ...state.metadata, created_at: at, updated_at: at, is_pinned: false, is_archived: false },
      },
    },
    first: operations.length > 0 ? [{ type: 'permission-revoked', turn: turn?.id ?? 0, operations }] : [],
  }
}

function walkOf({ walk }: ConversationCopy, { engine, graph, person, scenario }: SessionInfo): Walk {
  return walk === null || scenario.assistant ? beginWalk(engine, graph, person) : readWalk(walk)
}

/** The data that the chain stores about a copied conversation before the copy begins. */
interface CopiedPlay {
  readonly scenario: Scenario
  readonly npc: Npc
  /**
   * `metAt`: when the learner first said something that was answered. `endedAt`: when the conversation ended. Each is
   * null if it did not happen in the copied part.
   */
  readonly metAt: number | null
  readonly endedAt: number | null
}

/** Reads the scenario with a hash; null if there is none. */
export type ReadScenario = (hash: string) => Promise<{ readonly scenario: Scenario } | null>

/**
 * Returns the data that the chain stores about a copied conversation.
 *
 * @throws if the scenario is not there, or does not have the conversation's colleague
 */
export async function playOf(copy: ConversationCopy, read: ReadScenario): Promise<CopiedPlay> {
  const { scenario, npc: id } = await scenarioOf(copy, read)
  const npc = scenario.npcs.find((each) => each.id === id)
  if (!npc) throw new Error(`scenario ${scenario.id} has no such colleague`)
  const happened = happenedIn(copy)
  const isEnd = ({ events }: (typeof happened)[number]) =>
    events.some((event) => event.type === 'command' && event.command.name === 'AI_EndConversation')
  return { scenario, npc, metAt: happened[0]?.at ?? null, endedAt: happened.find(isEnd)?.at ?? null }
}

async function scenarioOf(
  { info }: ConversationCopy,
  read: ReadScenario,
): Promise<SessionFacts & { readonly scenario: Scenario }> {
  const pins = pinsOf(info)
  if (pins === null) return readInfo(info)
  const found = await read(pins.scenario)
  if (found === null) throw new Error(`there is no content ${pins.scenario}`)
  return { ...readFacts(info), scenario: found.scenario }
}

interface PastEnd {
  /** The number of the last event of this turn or choice. */
  readonly seq: number
  readonly at: number
  readonly events: readonly NewEvent[]
  readonly records: readonly LogRecord[]
}

/** Returns the stored result of each turn and each choice in a copied conversation, oldest first. */
export function happenedIn({ events, records }: ConversationCopy): readonly PastEnd[] {
  const all: PastEnd[] = []
  let before = 0
  for (const { seq, at, walk } of events) {
    // Only the last event of a turn or choice has a walk.
    if (walk === null) continue
    const from = before
    before = seq
    all.push({
      seq,
      at,
      events: events
        .filter((event) => event.seq > from && event.seq <= seq)
        .map(({ body }) => JSON.parse(body) as NewEvent)
        .filter(({ type }) => type !== 'turn-start'),
      records: records.filter((row) => row.seq === seq).flatMap(({ body }) => JSON.parse(body) as readonly LogRecord[]),
    })
  }
  return all
}
