import type { AssistantSpec } from '../../core/assistant/assistant-spec.ts'
import type { ChatMessage, ConversationState, SharedMemory } from '../../core/assistant/conversation-state.ts'
import type { PageContext } from '../../core/assistant/page-context.ts'
import { type Coverage, coverageOf, planFor } from '../../core/assistant/intelligence.ts'
import { informedOf, NEEDS, project, type Projection, type Told } from '../../core/assistant/projection.ts'
import { callMessages } from '../../core/assistant/tools.ts'
import { bytesOf } from '../../core/reply/characters.ts'
import type { TurnDeps } from '../turn-deps.ts'
import type { SessionInfo } from '../session-info.ts'
import type { StoredTurn } from '../turn.ts'
import { newAssistantRecord } from './assistant-record.ts'
import type { AssistantRecord, Exchange, RoutedTurn, ToldRecord } from './assistant-record.ts'

type Deps = Pick<TurnDeps, 'store' | 'now'>

/**
 * Returns what the agent of a turn is told now, and keeps it for the operator ([assistant-20]). Called right before it is
 * sent, so that what is kept is what was sent, however the turn ends.
 *
 * @param step what the agent is asked for: whether it needs a tool, or its reply
 */
export function tell(
  deps: Deps,
  spec: AssistantSpec,
  record: AssistantRecord,
  turn: StoredTurn,
  step: 'tool' | 'reply',
): Told {
  const { told, because, leftOut, bytes } = projectionFor(deps, spec, record, turn)
  const { agent = null, by = 'default', trace = [] } = record.turn ?? {}
  const { needs = [] } = spec.agents.find(({ id }) => id === agent) ?? {}
  const withheld = NEEDS.filter((need) => !needs.includes(need))
  keep(deps, turn, { step, agent, by, trace, because, leftOut, withheld, bytes, told })
  return told
}

/** Keeps for the operator what a classifier is told, right before it is sent. */
export function tellClassifier(
  deps: Deps,
  turn: StoredTurn,
  told: Pick<Told, 'current_query' | 'active_agent'>,
  trace: RoutedTurn['trace'],
): void {
  const because = Object.entries(told).map(([part, value]) => {
    return { part, why: 'classifier' as const, amount: bytesOf(JSON.stringify(value)) }
  })
  const bytes = bytesOf(JSON.stringify(told))
  keep(deps, turn, { step: 'classifier', agent: null, by: 'classifier', trace, because, leftOut: [], bytes, told })
}

/** Keeps for the operator that nobody was told anything in a turn, and why. */
export function tellNobody(deps: Deps, turn: StoredTurn, trace: RoutedTurn['trace']): void {
  keep(deps, turn, { step: 'nobody', agent: null, by: 'mention', trace, because: [], leftOut: [], bytes: 0, told: {} })
}

function keep(
  { store, now }: Deps,
  { id, attempt }: StoredTurn,
  told: Omit<ToldRecord, 'turn' | 'attempt' | 'at'>,
): void {
  store.assistant.addTold({ turn: id, attempt, at: now(), ...told })
}

/** Returns what the agent of a turn may be told now, with the reasons. Keeps nothing. */
export function projectionFor(deps: Deps, spec: AssistantSpec, record: AssistantRecord, turn: StoredTurn): Projection {
  const agent = spec.agents.find(({ id }) => id === record.turn?.agent)
  const informed = agent ? informedOf(agent, spec.agents) : { id: '', needs: [], operations: [], covers: [] }
  const state = stateFor(deps, record, turn)
  const plan = planOf(deps, spec, record)
  // Neither is true if earlier work is only a part of an answer.
  const data_sufficiency = {
    earlier_work: plan === 'use_cached_context',
    nothing_known: plan === 'fresh_search',
  }
  return project({ ...state, shared_memory: { ...state.shared_memory, data_sufficiency } }, informed, deps.now())
}

/**
 * Returns what to do with the question of a turn, by how well earlier work that its agent may be told of covers it
 * ([assistant-9]).
 */
export function planOf(
  { now }: Pick<Deps, 'now'>,
  { agents }: AssistantSpec,
  { state, turn }: AssistantRecord,
): Coverage {
  const agent = agents.find(({ id }) => id === turn?.agent)
  if (!turn || !agent?.needs.includes('intelligence')) return 'fresh_search'
  return planFor(coverageOf(state.conversation_intelligence, turn.query, now(), informedOf(agent, agents).covers))
}

/** Returns the whole state of the conversation for a turn: the record, with the messages and the page of the turn. */
export function stateFor(
  { store }: Pick<TurnDeps, 'store'>,
  { state, turn: routed, exchanges }: AssistantRecord,
  turn: StoredTurn,
): ConversationState {
  const page = turn.context ? store.assistant.page(turn.context) : null
  const own = exchanges.filter(({ agent }) => agent === routed?.agent)
  return {
    ...state,
    messages: [
      ...messagesIn(store.eventsAfter(0), turn.id, own),
      ...(routed ? callMessages(routed.agent, routed.calls) : []),
    ],
    current_query: routed?.query ?? turn.learner,
    shared_memory: { ...state.shared_memory, ...memoryOf(page) },
  }
}

/** Returns the whole state of a conversation as it is now, with all its messages. */
export function stateNow(info: SessionInfo, store: TurnDeps['store']): ConversationState {
  const { state, turn, exchanges } = store.assistant.read() ?? newAssistantRecord(info)
  const last = store.lastTurn()
  const page = last?.context ? store.assistant.page(last.context) : null
  const { id = 0, agent = '', calls = [] } = turn ?? {}
  const used = [...exchanges, ...calls.map((call) => ({ turn: id, agent, call }))]
  return {
    ...state,
    messages: [
      ...messagesIn(store.eventsAfter(0), Infinity, used),
      ...(last?.status === 'running' ? callMessages(agent, calls) : []),
    ],
    current_query: turn?.query ?? '',
    shared_memory: { ...state.shared_memory, ...memoryOf(page) },
  }
}

function memoryOf(page: PageContext | null): Partial<SharedMemory> {
  switch (page?.kind) {
    case 'editor':
      return { active_editor: page.editor, search_results: page.search_results ?? { local: [], web: [] } }
    case 'pipeline':
      return {
        active_pipeline: page.pipeline,
        active_pipeline_id: page.pipeline.id,
        pipeline_preference: page.pipeline.preference,
        search_results: page.search_results ?? { local: [], web: [] },
      }
    case 'text':
      return {
        conversation_context: { page: page.text },
        search_results: page.search_results ?? { local: [], web: [] },
      }
    case undefined:
      return {}
  }
}

/** Returns the messages before a turn, each tool exchange of an agent between the question and the answer of its turn. */
function messagesIn(
  events: ReturnType<TurnDeps['store']['eventsAfter']>,
  before: number,
  exchanges: readonly Exchange[],
): readonly ChatMessage[] {
  return events.flatMap((event): readonly ChatMessage[] => {
    if (event.turn >= before) return []
    if (event.type === 'turn-start') return event.attempt === 1 ? [{ role: 'user', text: event.text }] : []
    if (event.type !== 'turn') return []
    const { agent = '', text, outcome } = event
    const used = exchanges.filter(({ turn }) => turn === event.turn && outcome !== 'failed')
    return [
      ...used.flatMap((each) => callMessages(each.agent, [each.call])),
      ...(outcome === 'failed' || text === '' ? [] : [{ role: 'assistant', agent, text } as const]),
    ]
  })
}
