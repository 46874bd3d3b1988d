import { ActorError } from '../../actor/actor.ts'
import { classifyTask, listenFor, readClassified } from '../../core/assistant/classify.ts'
import type { ChatMessage, ConversationState, SharedMemory } from '../../core/assistant/conversation-state.ts'
import { locate } from '../../core/assistant/editor-operations.ts'
import { keepFinding } from '../../core/assistant/intelligence.ts'
import type { PageContext } from '../../core/assistant/page-context.ts'
import { project, type Projection, type Told } from '../../core/assistant/projection.ts'
import { callMessages } from '../../core/assistant/tools.ts'
import { type AgentWork, NO_WORK } from '../../core/assistant/read-work.ts'
import { route } from '../../core/assistant/routing.ts'
import { fingerprint } from '../../core/graph/hash.ts'
import type { AssistantSpec } from '../../core/assistant/assistant-spec.ts'
import { beginWalk } from '../../core/walk/engine.ts'
import { EMPTY_REPORT } from '../../core/reply/report.ts'
import { said } from '../turn-loop.ts'
import type { NewEvent } from '../../wire/messages.ts'
import { converse, type ConverseOutcome, type TurnLinks } from '../converse.ts'
import type { ConverseDeps, TurnDeps } from '../turn-deps.ts'
import type { StoredTurn } from '../turn.ts'
import { dropOpenCalls, useTools } from './tool-calls.ts'
import { type AssistantRecord, newAssistantRecord, type RoutedTurn, type ToldRecord } from './assistant-record.ts'

/** An agent's turn before its end is written. `deps` are those of the agent. */
export interface Assisted {
  readonly deps: ConverseDeps
  /** Null while the turn waits for a person or the page. */
  readonly conversed: ConverseOutcome | null
}

/**
 * Runs one turn of an assistant: decides who answers, and lets that agent answer with its own walk, from exactly what it
 * may know. Who answers is stored before the agent speaks, so that another attempt has the same agent.
 */
export async function assist(
  deps: TurnDeps,
  spec: AssistantSpec,
  turn: StoredTurn,
  signal: AbortSignal,
  links?: Partial<TurnLinks>,
): Promise<Assisted> {
  const { store, info } = deps
  const record = store.assistant.read() ?? newAssistantRecord(info)
  const known = record.turn?.id === turn.id ? record.turn : null
  const routed = known ?? (await routedTurn(deps, spec, record, turn, signal))
  if (routed !== null && 'among' in routed) return { deps, conversed: askWhich(deps, turn, routed.among) }
  if (routed === null) return { deps, conversed: { ok: false, failure: 'aborted' } }
  const current = known ? record : withRouting(record, spec, routed)
  if (!known) store.assistant.write(current)
  const agent = spec.agents.find(({ id }) => id === routed.agent)
  const page = turn.context ? store.assistant.page(turn.context) : null
  const tools =
    agent?.tools.filter(({ name, runs }) => (runs === 'page' ? page?.tools?.includes(name) : deps.callTool)) ?? []
  if (agent && tools.length > 0) {
    const used = await useTools(deps, { turn, agent, tools }, (now) => toldOf(deps, spec, now, turn), signal)
    if (used === 'parked') return { deps, conversed: null }
    if (used === 'aborted') return { deps, conversed: { ok: false, failure: 'aborted' } }
  }
  const own = depsOf(deps, spec, store.assistant.read() ?? current, turn)
  return { deps: own, conversed: await converse(own, turn, signal, links) }
}

/** The turn of a mention that does not mean exactly one agent: nobody answers, and the person is offered the agents. */
function askWhich({ store, now }: TurnDeps, turn: StoredTurn, among: readonly string[]): ConverseOutcome {
  const text = `${among.map((id) => `@${id}`).join(', ')}?`
  return {
    ok: true,
    walk: store.walk(),
    text,
    offers: among.slice(0, 3).map((id) => `@${id}`),
    report: EMPTY_REPORT,
    quality: 'missing',
    commands: [],
    sends: [],
    records: [said('learner', turn.learner, [], turn, now()), said('npc', text, [], turn, now())],
  }
}

/** Decides who answers, or among whom the person has to choose. Returns null if the turn was aborted meanwhile. */
async function routedTurn(
  deps: TurnDeps,
  { agents }: AssistantSpec,
  { state }: AssistantRecord,
  turn: StoredTurn,
  signal: AbortSignal,
): Promise<RoutedTurn | { readonly among: readonly string[] } | null> {
  const { id, learner } = turn
  const routing = route({
    message: learner,
    agents,
    locked: state.shared_memory.locked_agent ?? null,
    requested: null,
    safety: null,
  })
  const { trace } = routing
  if (routing.type === 'routed')
    return { id, agent: routing.agent, by: routing.by, query: routing.query, trace, calls: [] }
  const fallback = lastHandoff(state.shared_memory) ?? agents[0]?.id ?? ''
  if (routing.type === 'ambiguous') return { among: routing.among }
  const { query } = routing
  const agent = await classified(deps, agents, query, state.active_agent, signal)
  if (signal.aborted) return null
  return { id, agent: agent ?? fallback, by: agent ? 'classifier' : 'default', query, trace, calls: [] }
}

/** Asks the model which agent a message is for. If it does not say, the listener does. */
async function classified(
  deps: TurnDeps,
  agents: AssistantSpec['agents'],
  query: string,
  active: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (agents.length < 2) return agents[0]?.id ?? null
  try {
    const named = readClassified(await deps.actor.think(classifyTask(query, agents, active), signal), agents)
    if (named !== null) return named
  } catch (error) {
    if (!(error instanceof ActorError)) throw error
  }
  return listenFor(query, agents)?.agent ?? null
}

function lastHandoff({ agent_handoffs: handoffs }: SharedMemory): string | null {
  return handoffs.at(-1)?.to ?? null
}

function withRouting(before: AssistantRecord, { agents }: AssistantSpec, routed: RoutedTurn): AssistantRecord {
  const record = dropOpenCalls(before)
  const { state } = record
  const { locked_agent: lock, ...memory } = state.shared_memory
  // A lock that names no agent is cleared, and so is a lock that the person took back with `@auto`.
  const isKept =
    lock !== undefined &&
    agents.some(({ id }) => id === lock) &&
    (routed.by === 'lock' || routed.by === 'mention' || routed.by === 'safety')
  return {
    ...record,
    turn: routed,
    state: {
      ...state,
      active_agent: routed.agent,
      // A hand-off counts for one message.
      shared_memory: { ...memory, ...(isKept && { locked_agent: lock }) },
      orchestrator_routing_decision: { agent: routed.agent, by: routed.by, trace: routed.trace },
      intent_classification:
        routed.by === 'classifier'
          ? { agent: routed.agent, confidence: 1, by: 'listener' }
          : state.intent_classification,
    },
  }
}

function depsOf(deps: TurnDeps, spec: AssistantSpec, record: AssistantRecord, turn: StoredTurn): ConverseDeps {
  const { info, store } = deps
  const agent = record.turn?.agent ?? ''
  const npc = info.scenario.npcs.find(({ id }) => id === agent) ?? deps.npc
  const graph = info.agents?.[agent] ?? info.graph
  const walk = record.walks[agent] ?? beginWalk(info.engine, graph, 'new')
  const told = toldOf(deps, spec, record, turn)
  return {
    ...deps,
    npc,
    info: { ...info, npc: npc.id, graph },
    told,
    store: {
      walk: () => walk,
      eventsAfter: (seq) => store.eventsAfter(seq),
      reports: () => [],
      recorded: () => [],
    },
  }
}

/** Returns what the agent of a turn is told now. */
function toldOf(deps: TurnDeps, spec: AssistantSpec, record: AssistantRecord, turn: StoredTurn): Told {
  return projectionOf(deps, spec, record, turn).told
}

function projectionOf(deps: TurnDeps, spec: AssistantSpec, record: AssistantRecord, turn: StoredTurn): Projection {
  const agent = spec.agents.find(({ id }) => id === record.turn?.agent)
  const informed = {
    id: agent?.id ?? '',
    needs: agent?.needs ?? [],
    operations: agent?.tools.filter(({ needsPermission }) => needsPermission).map(({ name }) => name) ?? [],
  }
  return project(stateFor(deps, record, turn), informed, deps.now())
}

/** Returns the whole state of the conversation for a turn: the record, with the messages and the page of the turn. */
function stateFor(
  { store }: Pick<TurnDeps, 'store'>,
  { state, turn: routed }: AssistantRecord,
  turn: StoredTurn,
): ConversationState {
  const page = turn.context ? store.assistant.page(turn.context) : null
  return {
    ...state,
    messages: [
      ...messagesIn(store.eventsAfter(0), turn.id),
      ...(routed ? callMessages(routed.agent, routed.calls) : []),
    ],
    current_query: routed?.query ?? turn.learner,
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

function messagesIn(events: ReturnType<TurnDeps['store']['eventsAfter']>, before: number): readonly ChatMessage[] {
  return events.flatMap((event): readonly ChatMessage[] => {
    if (event.turn >= before) return []
    if (event.type === 'turn-start') return event.attempt === 1 ? [{ role: 'user', text: event.text }] : []
    if (event.type !== 'turn' || event.outcome === 'failed' || event.text === '') return []
    return [{ role: 'assistant', agent: event.agent ?? '', text: event.text }]
  })
}

/** What an agent's complete turn adds: the record after it, the events for the page, and what the agent was told. */
export interface AssistedEnd {
  readonly record: AssistantRecord
  readonly events: readonly NewEvent[]
  readonly told: ToldRecord
}

/**
 * Returns what a complete turn of an agent leaves behind: its walk, the topic, what can be used again, the hand-off, and
 * the changes that it proposes to the page's text.
 */
export function assistedEnd(
  deps: TurnDeps,
  spec: AssistantSpec,
  turn: StoredTurn,
  {
    walk,
    text,
    work = NO_WORK,
  }: { walk: AssistantRecord['walks'][string]; text: string; work?: AgentWork | undefined },
): AssistedEnd | null {
  const record = deps.store.assistant.read()
  const routed = record?.turn
  if (!record || routed?.id !== turn.id) return null
  const at = deps.now()
  const agent = spec.agents.find(({ id }) => id === routed.agent)
  const state = stateFor(deps, record, turn)
  const { because, leftOut, bytes, told } = projectionOf(deps, spec, record, turn)
  const editor = agent?.needs.includes('editor') ? state.shared_memory.active_editor : undefined
  const located =
    editor?.is_editable && work.edits.length > 0
      ? locate(editor.content, work.edits, (index) => `${turn.id}.${index}`, editor.content_start)
      : null
  const operations = located?.operations ?? []
  const to = spec.agents.find(({ id }) => id === work.hand_over && id !== routed.agent)?.id
  const handoffs = record.state.shared_memory.agent_handoffs
  const next: AssistantRecord = {
    ...record,
    walks: { ...record.walks, [routed.agent]: walk },
    state: {
      ...record.state,
      latest_response: text,
      chat_agent_response: routed.agent === spec.agents[0]?.id ? text : record.state.chat_agent_response,
      agent_results: { ...record.state.agent_results, [routed.agent]: { text, at } },
      conversation_topic: work.topics[0] ?? record.state.conversation_topic,
      conversation_intelligence: keepFinding(
        record.state.conversation_intelligence,
        { agent: routed.agent, query: routed.query, content: text, type: 'answer', topics: work.topics },
        at,
        fingerprint,
      ),
      editor_operations: operations.length > 0 ? operations : record.state.editor_operations,
      manuscript_edit:
        operations.length > 0 && editor
          ? { filename: editor.filename, offered: operations.map(({ id }) => id), accepted: [], rejected: [] }
          : record.state.manuscript_edit,
      shared_memory: {
        ...record.state.shared_memory,
        agent_handoffs: to
          ? [...handoffs, { from: routed.agent, to, why: routed.query.slice(0, 200), at }].slice(-20)
          : handoffs,
      },
      metadata: { ...record.state.metadata, updated_at: at },
    },
  }
  return {
    record: next,
    told: { turn: turn.id, agent: routed.agent, by: routed.by, because, leftOut, bytes, told },
    events:
      located && editor
        ? [
            {
              type: 'edits',
              turn: turn.id,
              filename: editor.filename,
              operations: operations.map((each) => ({ ...each })),
              ...(located.refused.length > 0 && { refused: located.refused.map((each) => ({ ...each })) }),
            },
          ]
        : [],
  }
}
