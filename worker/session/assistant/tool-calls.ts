import { ActorError } from '../../actor/actor.ts'
import {
  answerPermission,
  askPermission,
  expire,
  type Grant,
  NO_PERMISSIONS,
  type Permissions,
  revokeGrants,
  useGrant,
} from '../../core/assistant/permissions.ts'
import type { PendingOperation } from '../../core/assistant/conversation-state.ts'
import type { Told } from '../../core/assistant/projection.ts'
import {
  isOpenCall,
  LONGEST_RESULT,
  MOST_CALLS,
  readToolPick,
  type ToolCall,
  type ToolSpec,
  type ToolTask,
  toolTask,
} from '../../core/assistant/tools.ts'
import { cap } from '../../core/reply/characters.ts'
import { clean } from '../../core/text/clean.ts'
import { toldSections } from '../../core/briefing/agent-prompt.ts'
import type { Acknowledgement, LogEvent, NewEvent, Permit, Revoke, ToolAnswer } from '../../wire/messages.ts'
import { refuse } from '../refuse.ts'
import type { TurnDeps } from '../turn-deps.ts'
import type { StoredTurn } from '../turn.ts'
import type { AssistantRecord, RoutedTurn } from './assistant-record.ts'

/** How long a turn waits for a person's answer, and for the page's, in milliseconds. */
const ASK_MS = 24 * 3_600_000
const PAGE_MS = 60_000

/** Who uses tools in a turn, and which. */
export interface Use {
  readonly turn: StoredTurn
  readonly agent: { readonly id: string }
  readonly tools: readonly ToolSpec[]
  /** Returns what is known so far, as sections of a prompt; missing for what an agent is told. */
  readonly known?: (told: Told) => readonly string[]
  readonly cues?: ToolTask['request']['cues']
}

/**
 * Lets an agent, or a colleague in a state of a context graph, use its tools before it speaks. Returns `parked` while a person or the page has to answer first: the turn
 * then waits in storage, without a runner. Whatever is over already is not done again.
 *
 * @param tellOf returns what the agent is told with the calls so far
 */
export async function useTools(
  deps: TurnDeps,
  { turn, agent, tools, known = toldSections, cues }: Use,
  tellOf: (record: AssistantRecord) => Told,
  signal: AbortSignal,
): Promise<'parked' | 'ready' | 'aborted'> {
  for (;;) {
    const record = deps.store.assistant.read()
    const routed = record?.turn
    if (!record || routed?.id !== turn.id) return 'ready'
    const last = routed.calls.at(-1)
    if (last && isOpenCall(last)) {
      if (last.status === 'waiting' && last.runs && deps.callTool) {
        // Stored before the call, so that a runner that dies in between does not call twice.
        write(deps, record, withCall(routed, { ...last, status: 'claimed' }), [])
        const { ok, text } = await deps.callTool(
          { id: `${deps.info.session}:${last.id}`, tool: last.tool, input: last.input },
          signal,
        )
        if (signal.aborted) return 'aborted'
        const now = deps.store.assistant.read()
        const call = now?.turn?.calls.find(({ id }) => id === last.id)
        if (now?.turn && call?.status === 'claimed')
          close(deps, now, now.turn, call, ok ? 'done' : 'failed', cap(text, LONGEST_RESULT))
        continue
      }
      if (!closeOverdue(deps, turn)) return 'parked'
      continue
    }
    // A tool that was not allowed or did not work is not offered a second time in the same turn.
    const offered = tools.filter(
      ({ name }) => !routed.calls.some((call) => call.tool === name && call.status !== 'done'),
    )
    if (offered.length === 0 || routed.calls.length >= MOST_CALLS) return 'ready'
    const told = tellOf(record)
    const task = toolTask(agent.id, told, offered, routed.calls, known(told), cues)
    const pick = await picked(deps, task, offered, signal)
    if (signal.aborted) return 'aborted'
    if (pick === null) return 'ready'
    beginCall(deps, record, routed, { ...pick, agent: agent.id, turn })
  }
}

async function picked({ actor }: TurnDeps, task: ToolTask, tools: readonly ToolSpec[], signal: AbortSignal) {
  try {
    return readToolPick(await actor.think(task, signal), tools)
  } catch (error) {
    if (error instanceof ActorError) return null
    throw error
  }
}

function beginCall(
  deps: TurnDeps,
  record: AssistantRecord,
  routed: RoutedTurn,
  { tool, input, agent, turn }: { tool: ToolSpec; input: string; agent: string; turn: StoredTurn },
): void {
  const at = deps.now()
  const id = `${turn.id}.${routed.calls.length}`
  const runs = tool.runs === 'deployment' ? { runs: tool.runs } : {}
  const asked: ToolCall = { id, tool: tool.name, input, status: 'asking', ...runs, result: '', until: at + ASK_MS }
  // What has expired is removed here, so that it does not pile up.
  const { permissions } = expire(permissionsOf(record), at)
  const granted = tool.needsPermission ? useGrant(permissions, { operation: tool.name, call: id }, at) : null
  if (!tool.needsPermission || granted)
    return runCall(deps, withPermissions(record, granted?.permissions ?? permissions), routed, asked)
  const request = {
    id: `ask-${id}`,
    operation: tool.name,
    agent,
    call: id,
    reasoning: tool.does,
    estimatedCost: tool.cost,
    safety: tool.safety,
    askedAt: at,
    expiresAt: at + ASK_MS,
  }
  const after = askPermission(permissions, request)
  // Too many questions wait: the call counts as not allowed.
  if (!after.ok) return close(deps, record, routed, asked, 'denied', '')
  write(deps, withPermissions(record, after.permissions), { ...routed, calls: [...routed.calls, asked] }, [
    {
      type: 'permission',
      turn: turn.id,
      id: request.id,
      operation: tool.name,
      ...(tool.title !== undefined && { title: tool.title }),
      agent,
      input,
      why: tool.does,
      cost: tool.cost,
      safety: tool.safety,
      expiresAt: request.expiresAt,
    },
  ])
}

/** Lets the page do a call. Only a call that may be done comes here. */
function runCall(
  deps: TurnDeps,
  record: AssistantRecord,
  routed: RoutedTurn,
  call: ToolCall,
  events: readonly NewEvent[] = [],
): void {
  const waiting: ToolCall = { ...call, status: 'waiting', until: deps.now() + PAGE_MS }
  write(deps, record, withCall(routed, waiting), [
    ...events,
    { type: 'tool-call', turn: routed.id, call: call.id, tool: call.tool, input: call.input },
  ])
}

function close(
  deps: TurnDeps,
  record: AssistantRecord,
  routed: RoutedTurn,
  call: ToolCall,
  status: 'done' | 'failed' | 'denied' | 'expired' | 'late',
  result: string,
): void {
  const wasAsking = call.status === 'asking'
  const kept = wasAsking ? withoutRequest(record, call.id) : record
  const findings = { ...kept.state.shared_memory.research_findings, [`${call.tool}: ${call.input}`]: result }
  const next: AssistantRecord =
    status === 'done'
      ? {
          ...kept,
          state: {
            ...kept.state,
            shared_memory: {
              ...kept.state.shared_memory,
              research_findings: Object.fromEntries(Object.entries(findings).slice(-MOST_FINDINGS)),
            },
          },
        }
      : kept
  write(deps, next, withCall(routed, { ...call, status, result }), [
    wasAsking
      ? {
          type: 'permission-end',
          turn: routed.id,
          id: `ask-${call.id}`,
          answer: status === 'expired' ? 'expired' : 'deny',
        }
      : {
          type: 'tool-end',
          turn: routed.id,
          call: call.id,
          outcome: status === 'done' ? 'done' : status === 'late' ? 'late' : 'failed',
        },
  ])
}

/** The most results that a conversation keeps. */
const MOST_FINDINGS = 10

/** What taking an answer led to: the acknowledgement, and whether the waiting turn goes on now. */
export interface TakenAnswer {
  readonly acknowledgement: Acknowledgement
  readonly goesOn: boolean
}

const REFUSED: TakenAnswer = { acknowledgement: refuse('stale'), goesOn: false }

/**
 * Takes a person's answer to a question. Each question takes one answer, from whichever tab; a second one, a late one and
 * one to a question of another turn are refused as `stale`.
 */
export function takePermit(deps: TurnDeps, { id, answer }: Permit): TakenAnswer {
  const open = openCall(deps, (call) => `ask-${call.id}` === id && call.status === 'asking')
  if (!open) return REFUSED
  const { record, routed, call } = open
  const at = deps.now()
  const done = answerPermission(permissionsOf(record), id, answer, at)
  if (!done.ok) return REFUSED
  if (answer === 'deny') close(deps, withPermissions(record, done.permissions), routed, call, 'denied', '')
  else {
    const used = useGrant(done.permissions, { operation: call.tool, call: call.id }, at)
    if (!used) return REFUSED
    runCall(deps, withPermissions(record, used.permissions), routed, call, [
      { type: 'permission-end', turn: routed.id, id, answer },
    ])
  }
  return { acknowledgement: accepted(deps), goesOn: answer === 'deny' || call.runs !== undefined }
}

/**
 * Takes what a page says of a call: that one tab does it now (`claim`), or what came of it. One tab can claim a call, so
 * that it is done at most once. An answer to a call that is over is refused as `stale`.
 */
export function takeToolAnswer(deps: TurnDeps, answer: ToolAnswer): TakenAnswer {
  const wanted = 'claim' in answer ? 'waiting' : 'claimed'
  const open = openCall(deps, (call) => call.id === answer.call && call.status === wanted)
  // A page has no say about what the deployment runs.
  if (!open || deps.now() >= open.call.until || open.call.runs) return REFUSED
  const { record, routed, call } = open
  if ('claim' in answer) {
    write(deps, record, withCall(routed, { ...call, status: 'claimed' }), [])
    return { acknowledgement: accepted(deps), goesOn: false }
  }
  const result = cap(clean(answer.text), LONGEST_RESULT)
  close(deps, record, routed, call, answer.ok ? 'done' : 'failed', result)
  return { acknowledgement: accepted(deps), goesOn: true }
}

/**
 * Takes back what a person has allowed for the conversation. What runs already goes on; the next use is asked about again.
 * Nothing that may be used is no fault: the answer is the same.
 */
export function takeRevoke(deps: TurnDeps, { operation }: Revoke): Acknowledgement {
  const record = deps.store.assistant.read()
  if (!deps.info.scenario.assistant) return refuse('unknown-event')
  const live = record ? liveGrants(record, deps.now()).map((grant) => grant.operation) : []
  const operations = [...new Set(live)].filter((each) => operation === null || each === operation)
  if (record && operations.length > 0) {
    const permissions = revokeGrants(permissionsOf(record), operation)
    const events = [{ type: 'permission-revoked', turn: deps.store.lastTurn()?.id ?? 0, operations }] as const
    deps.sendEvents(deps.store.writeAssistant(withPermissions(record, permissions), events, deps.now()))
  }
  return accepted(deps)
}

/** Returns the grants for the whole conversation that may still be used. */
export function liveGrants(record: AssistantRecord, at: number): readonly Grant[] {
  return permissionsOf(record).grants.filter(({ scope, expiresAt }) => scope === 'conversation' && at < expiresAt)
}

/** Until when the turn that runs waits for an answer, in milliseconds since 1970; null if it does not wait. */
export function parkedUntil({ store }: Pick<TurnDeps, 'store'>, { id, status }: StoredTurn): number | null {
  if (status !== 'running') return null
  try {
    const routed = store.assistant.read()?.turn
    const last = routed?.id === id ? routed.calls.at(-1) : undefined
    return last && isOpenCall(last) ? last.until : null
  } catch {
    // A turn whose record cannot be read is taken up like any other, and ends there.
    return null
  }
}

/**
 * Gives up the call for which a turn has waited too long. Returns false if it may still wait, or waits for nothing.
 *
 * @throws if that cannot be written
 */
export function closeOverdue(deps: TurnDeps, { id }: Pick<StoredTurn, 'id'>): boolean {
  const record = deps.store.assistant.read()
  const routed = record?.turn
  const last = routed?.calls.at(-1)
  if (!record || routed?.id !== id || !last || !isOpenCall(last) || deps.now() < last.until) return false
  close(deps, record, routed, last, last.status === 'asking' ? 'expired' : 'late', '')
  return true
}

/** What the end of a turn takes back that did not wait for its open call. */
interface StoppedCall {
  readonly record: AssistantRecord
  readonly event: NewEvent
}

/** Takes back the open call of a turn that ends without waiting for it; null if there is none ([assistant-18]). */
export function stopCall(record: AssistantRecord, { id }: Pick<StoredTurn, 'id'>): StoppedCall | null {
  const routed = record.turn
  const open = routed?.id === id ? routed.calls.find(isOpenCall) : undefined
  if (!routed || !open) return null
  const isAsking = open.status === 'asking'
  const stopped = withoutRequest(record, open.id)
  return {
    // Another attempt at the turn does not offer the tool again.
    record: {
      ...stopped,
      turn: withCall(routed, { ...open, status: isAsking ? 'expired' : 'late' }),
      state: { ...stopped.state, pending_operations: [] },
    },
    event: isAsking
      ? { type: 'permission-end', turn: id, id: `ask-${open.id}`, answer: 'stopped' }
      : { type: 'tool-end', turn: id, call: open.id, outcome: 'late' },
  }
}

/** Takes back what waits in a turn that is over: its open call and its question. */
export function dropOpenCalls(record: AssistantRecord): AssistantRecord {
  const { turn } = record
  const open = turn?.calls.find(isOpenCall)
  if (!turn || !open) return record
  const calls = turn.calls.filter((call) => call !== open)
  const dropped = withoutRequest(record, open.id)
  return { ...dropped, turn: { ...turn, calls }, state: { ...dropped.state, pending_operations: [] } }
}

function openCall({ store }: TurnDeps, isIt: (call: ToolCall) => boolean) {
  const record = store.assistant.read()
  const last = store.lastTurn()
  const routed = record?.turn
  if (!record || !routed || last?.status !== 'running' || last.id !== routed.id) return null
  const call = routed.calls.find(isIt)
  return call ? { record, routed, call } : null
}

function permissionsOf({ state }: AssistantRecord): Permissions {
  return state.shared_memory.permissions ?? NO_PERMISSIONS
}

function withPermissions(record: AssistantRecord, permissions: Permissions): AssistantRecord {
  const { state } = record
  const shared_memory = { ...state.shared_memory, permissions }
  return { ...record, state: { ...state, shared_memory, pending_permission_requests: permissions.pending } }
}

function withoutRequest(record: AssistantRecord, call: string): AssistantRecord {
  const permissions = permissionsOf(record)
  const pending = permissions.pending.filter((request) => request.call !== call)
  const gone = permissions.pending.filter((request) => request.call === call).map(({ id }) => id)
  return withPermissions(record, { ...permissions, pending, settled: [...permissions.settled, ...gone].slice(-200) })
}

function withCall(routed: RoutedTurn, call: ToolCall): RoutedTurn {
  const isKnown = routed.calls.some(({ id }) => id === call.id)
  return {
    ...routed,
    calls: isKnown ? routed.calls.map((each) => (each.id === call.id ? call : each)) : [...routed.calls, call],
  }
}

function write(deps: TurnDeps, record: AssistantRecord, turn: RoutedTurn, events: readonly NewEvent[]): void {
  const open = turn.calls.find(isOpenCall)
  const state = {
    ...record.state,
    requires_user_input: open?.status === 'asking',
    pending_operations: open ? [pendingOf(open, record, deps.now())] : [],
  }
  const logged: readonly LogEvent[] = deps.store.writeAssistant({ ...record, state, turn }, events, deps.now())
  deps.sendEvents(logged)
}

function pendingOf({ id, tool, input, status }: ToolCall, { state }: AssistantRecord, at: number): PendingOperation {
  const known = state.pending_operations.find((each) => each.id === id)
  return {
    id,
    type: tool,
    summary: input,
    permission_required: known?.permission_required ?? status === 'asking',
    status: status === 'asking' ? 'pending' : 'approved',
    created_at: known?.created_at ?? at,
  }
}

function accepted({ store }: TurnDeps): Acknowledgement {
  return { ok: true, turn: store.lastTurn()?.id ?? 0, seq: store.head() }
}
