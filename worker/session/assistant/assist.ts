import { ActorError } from '../../actor/actor.ts'
import { classifyTask, isHeard, listenFor, readClassified } from '../../core/assistant/classify.ts'
import type { IntentClassification } from '../../core/assistant/conversation-state.ts'
import { isOpenCall } from '../../core/assistant/tools.ts'
import { cap } from '../../core/reply/characters.ts'
import { route, withoutMention } from '../../core/assistant/routing.ts'
import type { AssistantSpec } from '../../core/assistant/assistant-spec.ts'
import { languageOf } from '../../core/scenario/scenario.ts'
import { beginWalk } from '../../core/walk/engine.ts'
import { EMPTY_REPORT } from '../../core/reply/report.ts'
import { said } from '../turn-loop.ts'
import { converse, type ConverseOutcome, type TurnLinks } from '../converse.ts'
import type { ConverseDeps, TurnDeps } from '../turn-deps.ts'
import type { StoredTurn } from '../turn.ts'
import { toolsAtHand, useStateTools } from './state-tools.ts'
import { planOf, projectionFor, tell, tellClassifier, tellNobody } from './tell.ts'
import { dropOpenCalls, useTools } from './tool-calls.ts'
import { type AssistantRecord, newAssistantRecord, type RoutedTurn } from './assistant-record.ts'

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
  const { alive = () => {}, from = null } = links ?? {}
  const record = () => store.assistant.read() ?? newAssistantRecord(info)
  if (record().turn?.id !== turn.id) {
    const routed = await routedTurn(deps, spec, record(), turn, signal)
    if (routed === null) return { deps, conversed: { ok: false, failure: 'aborted' } }
    if ('among' in routed) return { deps, conversed: askWhich(deps, turn, routed) }
    // The record is read again, because the person may have locked the conversation while the classifier was asked.
    store.assistant.write(withRouting(record(), routed))
  }
  alive()
  const agent = spec.agents.find(({ id }) => id === record().turn?.agent)
  const tools = toolsAtHand(deps, turn, agent?.tools ?? [])
  // What earlier work answers is not looked up again.
  const isKnown = planOf(deps, spec, record()) === 'use_cached_context'
  const needed = tools.filter(({ effect }) => effect !== 'reads' || !isKnown)
  const toldFor = (now: AssistantRecord) => {
    alive()
    return tell(deps, spec, now, turn, 'tool')
  }
  if (agent && needed.length > 0) {
    const used = await useTools(deps, { turn, agent, tools: needed }, toldFor, signal)
    if (used === 'parked') return { deps, conversed: null }
    if (used === 'aborted') return { deps, conversed: { ok: false, failure: 'aborted' } }
  }
  alive()
  // A reply that is complete already is not asked for again.
  const told = from?.spoken ? projectionFor(deps, spec, record(), turn).told : tell(deps, spec, record(), turn, 'reply')
  const own: ConverseDeps = {
    ...agentDeps(deps, turn),
    told,
    // The tools of a state, if the agent's own graph has any.
    useTools: async ({ tools: ofState }, called) => {
      const use = { turn, agent: { id: agent?.id ?? '' }, tools: ofState }
      const used = await useStateTools(deps, use, toldFor, called)
      return typeof used === 'string' ? used : { ...used, told: tell(deps, spec, record(), turn, 'reply') }
    },
  }
  return { deps: own, conversed: await converse(own, turn, signal, links) }
}

/** Says in each language of an assistant that there is no agent with a name. */
const NO_SUCH: Readonly<Record<string, (name: string) => string>> = {
  en: (name) => `There is no ${name} here. Whom do you mean:`,
  es: (name) => `Aquí no hay ningún ${name}. A quién te refieres:`,
  de: (name) => `Hier gibt es kein ${name}. Wen meinst du:`,
  ar: (name) => `لا يوجد ${name} هنا. من تقصد:`,
}

/** The most UTF-16 code units of an offer. */
const LONGEST_OFFER = 200

/** The turn of a mention that does not mean exactly one agent: nobody answers, and the person is offered the agents. */
function askWhich(
  { store, now, info }: TurnDeps,
  turn: StoredTurn,
  { among, unknown }: Extract<Awaited<ReturnType<typeof routedTurn>>, { among: unknown }>,
): ConverseOutcome {
  const noSuch = NO_SUCH[languageOf(info.scenario)] ?? NO_SUCH['en']!
  const names = `${among.map((id) => `@${id}`).join(', ')}?`
  const text = unknown === null ? names : `${noSuch(`@${unknown}`)} ${names}`
  return {
    ok: true,
    walk: store.walk(),
    text,
    offers: among.slice(0, 3).map((id) => cap(`@${id} ${withoutMention(turn.learner)}`.trim(), LONGEST_OFFER)),
    report: EMPTY_REPORT,
    quality: 'missing',
    commands: [],
    sends: [],
    records: [said('learner', turn.learner, [], turn, now()), said('npc', text, [], turn, now())],
  }
}

/** Who answers a turn, and what that changes besides. */
interface Routed {
  readonly turn: RoutedTurn
  /** The lock that this message has cleared; null if it has cleared none. */
  readonly unlocked: string | null
  /** What the classifier said; null if it was not asked. */
  readonly classified: IntentClassification | null
}

/** Decides who answers, or among whom the person has to choose. Returns null if the turn was aborted meanwhile. */
async function routedTurn(
  deps: TurnDeps,
  { agents, safety }: AssistantSpec,
  { state, turn: last }: AssistantRecord,
  turn: StoredTurn,
  signal: AbortSignal,
): Promise<Routed | { readonly among: readonly string[]; readonly unknown: string | null } | null> {
  const { id, learner } = turn
  const lock = state.shared_memory.locked_agent ?? null
  const page = turn.context ? deps.store.assistant.page(turn.context) : null
  const routing = route({
    message: learner,
    agents,
    locked: lock,
    requested: page?.agent ?? null,
    safety: safety && isHeard(learner, safety.words) ? safety.agent : null,
  })
  const { trace } = routing
  if (routing.type === 'ambiguous') {
    tellNobody(deps, turn, trace)
    return { among: routing.among, unknown: trace.find(({ type }) => type === 'unknown-mention')?.name ?? null }
  }
  const { query } = routing
  const unlocked = routing.locked === null ? lock : null
  if (routing.type === 'routed')
    return { turn: { id, agent: routing.agent, by: routing.by, query, trace, calls: [] }, unlocked, classified: null }
  // A hand-over counts for the next message alone.
  const handedTo = last?.id === id - 1 ? (last.handedTo ?? null) : null
  const active = handedTo ?? state.active_agent
  if (agents.length > 1) tellClassifier(deps, turn, { current_query: query, active_agent: active }, trace)
  const classified = await classify(deps, agents, query, active, signal)
  if (signal.aborted) return null
  const agent = classified?.agent ?? handedTo ?? agents[0]?.id ?? ''
  const by = classified ? 'classifier' : 'default'
  return { turn: { id, agent, by, query, trace, calls: [] }, unlocked, classified }
}

/** Asks the model which agent a message is for. If it does not say, the listener does. */
async function classify(
  deps: TurnDeps,
  agents: AssistantSpec['agents'],
  query: string,
  active: string | null,
  signal: AbortSignal,
): Promise<IntentClassification | null> {
  const [only, ...others] = agents
  if (only && others.length === 0) return { agent: only.id, confidence: 1, by: 'listener' }
  try {
    const answer = await deps.actor.think(classifyTask(query, agents, active), signal)
    const agent = readClassified(answer, agents)
    if (agent !== null) return classifiedBy(deps.actor.kind, agent, query, agents)
  } catch (error) {
    if (!(error instanceof ActorError)) throw error
  }
  return listenFor(query, agents)
}

/** A model says no number, so its word counts in full. */
function classifiedBy(
  kind: TurnDeps['actor']['kind'],
  agent: string,
  query: string,
  agents: AssistantSpec['agents'],
): IntentClassification {
  const heard = kind === 'rehearsal' ? listenFor(query, agents) : null
  return heard?.agent === agent ? heard : { agent, confidence: 1, by: kind === 'model' ? 'model' : 'listener' }
}

/** The tool calls of earlier turns that are kept, and the most UTF-16 code units of the result of one. */
const MOST_EXCHANGES = 20
const MOST_KEPT = 2_000

function withRouting(before: AssistantRecord, { turn, unlocked, classified }: Routed): AssistantRecord {
  const record = dropOpenCalls(before)
  const { state } = record
  const { id = 0, agent = '', calls = [] } = before.turn ?? {}
  const over = calls
    .filter((call) => !isOpenCall(call))
    .map((call) => ({ ...call, result: cap(call.result, MOST_KEPT) }))
  const { locked_agent: lock, ...memory } = state.shared_memory
  return {
    ...record,
    turn,
    exchanges: [...before.exchanges, ...over.map((call) => ({ turn: id, agent, call }))].slice(-MOST_EXCHANGES),
    state: {
      ...state,
      is_complete: false,
      requires_user_input: false,
      error_state: null,
      active_agent: turn.agent,
      shared_memory: { ...memory, ...(lock !== undefined && lock !== unlocked && { locked_agent: lock }) },
      orchestrator_routing_decision: { agent: turn.agent, by: turn.by, trace: turn.trace },
      intent_classification: classified ?? state.intent_classification,
    },
  }
}

/**
 * Returns the dependencies of the agent that answers a turn: its own graph and walk, and nothing of the conversation but
 * what it is told. It has no memories of other conversations. An agent whose graph has come to an end begins it again.
 */
export function agentDeps(deps: TurnDeps, turn: StoredTurn): ConverseDeps {
  const { info, store } = deps
  const record = info.scenario.assistant ? store.assistant.read() : null
  if (record?.turn?.id !== turn.id) return deps
  const { agent } = record.turn
  const npc = info.scenario.npcs.find(({ id }) => id === agent) ?? deps.npc
  const graph = info.agents?.[agent] ?? info.graph
  const before = record.walks[agent]
  const walk = before && !before.end ? before : beginWalk(info.engine, graph, 'new')
  return {
    ...deps,
    npc,
    info: { ...info, npc: npc.id, graph },
    memory: () => NO_MEMORIES,
    brought: async () => null,
    store: {
      walk: () => walk,
      eventsAfter: (seq) => store.eventsAfter(seq),
      reports: () => [],
      recorded: () => [],
    },
  }
}

const NO_MEMORIES: ReturnType<TurnDeps['memory']> = { recall: async () => [] }
