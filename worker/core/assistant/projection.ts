import { bytesOf, cap } from '../reply/characters.ts'
import type { AgentSpec } from './assistant-spec.ts'
import type { ChatMessage, ConversationState, Handoff, AssistantPersona, SearchResults } from './conversation-state.ts'
import { type RelevantResult, sliceFor } from './intelligence.ts'
import type { ActiveEditor, ActivePipeline } from './page-context.ts'
import type { GuardedOperation } from './permissions.ts'

/**
 * What an agent may declare that it needs, besides what every agent is told. An agent that does not declare a need is
 * told nothing of it.
 */
export type Need =
  /** The text in the page's editor, with its frontmatter, and what the person decided about changes to it. */
  | 'editor'
  /** The editor's file name, language and frontmatter, without the text. */
  | 'editor-facts'
  | 'pipeline'
  | 'search-results'
  | 'research-findings'
  | 'handoffs'
  | 'context'
  | 'data-sufficiency'
  | 'lock'
  /** Which of its own operations are permitted. */
  | 'permissions'
  /** The results of earlier work that are relevant to the question. */
  | 'intelligence'

export const NEEDS: readonly Need[] = [
  'editor',
  'editor-facts',
  'pipeline',
  'search-results',
  'research-findings',
  'handoffs',
  'context',
  'data-sufficiency',
  'lock',
  'permissions',
  'intelligence',
]

/** What the projection knows of an agent. */
export interface Informed {
  readonly id: string
  readonly needs: readonly Need[]
  /** The operations of the agent's own tools that need a permission. */
  readonly operations: readonly GuardedOperation[]
  /** The agents of whose earlier work it may be told: itself, and those that are told nothing that it is not told. */
  readonly covers: readonly string[]
}

/**
 * Returns what the projection knows of an agent: its needs, its tools that need a permission, and which agents know
 * nothing that this one may not know.
 */
export function informedOf(agent: AgentSpec, agents: readonly AgentSpec[]): Informed {
  const knows = ({ needs, tools }: AgentSpec) => [...needs, ...tools.map(({ name }) => `tool ${name}`)]
  const own = new Set(knows(agent))
  return {
    id: agent.id,
    needs: agent.needs,
    operations: agent.tools.filter(({ needsPermission }) => needsPermission).map(({ name }) => name),
    covers: agents
      .filter((other) => other.id === agent.id || knows(other).every((one) => own.has(one)))
      .map(({ id }) => id),
  }
}

/** Everything that an agent is told in a turn ([assistant-3]). A part that it is not told is missing. */
export interface Told {
  readonly messages: readonly ChatMessage[]
  readonly user_id: string
  readonly current_query: string
  readonly persona: AssistantPersona
  readonly active_agent: string | null
  readonly conversation_topic: string | null
  readonly shared_memory: ToldMemory
}

export interface ToldMemory {
  readonly active_editor?: ActiveEditor
  readonly edits?: readonly ToldEdit[]
  readonly editor_facts?: Omit<ActiveEditor, 'content' | 'content_start'>
  readonly active_pipeline?: ActivePipeline
  readonly search_results?: SearchResults
  readonly research_findings?: Readonly<Record<string, string>>
  readonly agent_handoffs?: readonly Handoff[]
  readonly conversation_context?: Readonly<Record<string, string>>
  readonly data_sufficiency?: Readonly<Record<string, boolean>>
  readonly locked_agent?: string
  readonly permitted?: readonly GuardedOperation[]
  readonly intelligence?: readonly Omit<RelevantResult, 'key'>[]
}

/** A change that was proposed to the text in the editor before, and what the person decided about it so far. */
export interface ToldEdit {
  readonly expected: string
  readonly text: string
  /** What stood right before and after it. */
  readonly before: string
  readonly after: string
  readonly verdict: 'taken' | 'left' | 'open'
}

/** Why a part was told or left out, for the operator's page. */
export interface ToldReason {
  /** The part, as a path into `Told`: `shared_memory.active_editor`. */
  readonly part: string
  readonly why: 'every-agent' | 'classifier' | Need | 'byte-budget' | 'last-20' | 'half-exchange'
  /** How much of the part: UTF-8 bytes of its JSON if it was told, the number of entries if they were left out. */
  readonly amount: number
}

export interface Projection {
  readonly told: Told
  readonly because: readonly ToldReason[]
  readonly leftOut: readonly ToldReason[]
  /** The UTF-8 bytes of `told` as JSON. */
  readonly bytes: number
}

/** The most messages that an agent is told. */
export const MOST_MESSAGES = 20
/** The most UTF-8 bytes of `Told` as JSON, and of the question in it. */
export const MOST_BYTES = 64_000
/** The most entries of a list in the shared memory, and the most UTF-16 code units of one of its texts. */
const MOST_ENTRIES = 20
const LONGEST_TEXT = 2_000
/** The most changes that were proposed to a text of which an agent is told: the latest, and those that the person left. */
export const MOST_EDITS = 60
/** The most UTF-16 code units on each side of such a change. */
const LONGEST_AROUND = 24
/** The most UTF-16 code units of the old and the new text of a change that was proposed before. */
const LONGEST_EDIT = 200

/**
 * Returns what one agent is told of a conversation, and why: what every agent is told, and what this agent has declared
 * that it needs. If that has more than `most` bytes, parts are left out in this order until it fits: earlier work, earlier
 * changes, search results, research findings, hand-offs, the conversation's context, the oldest messages, the editor's text. The
 * question, the persona and the small facts always stay.
 *
 * @param at milliseconds since 1970; earlier work that is too old is left out
 */
export function project(state: ConversationState, agent: Informed, at: number, most = MOST_BYTES): Projection {
  const { messages, leftOut } = latestMessages(state.messages)
  const all: Told = {
    messages,
    user_id: state.user_id,
    current_query: cap(state.current_query, LONGEST_TEXT),
    persona: state.persona,
    active_agent: state.active_agent,
    conversation_topic: state.conversation_topic,
    shared_memory: memoryFor(state, agent, at),
  }
  let told = all
  const dropped: ToldReason[] = [...leftOut]
  for (const { part, without } of LESS) {
    for (;;) {
      if (bytesIn(told) <= most) return withReasons(told, dropped)
      const less = without(told)
      if (less === null) break
      told = less
      const known = dropped.findIndex((each) => each.part === part && each.why === 'byte-budget')
      if (known < 0) dropped.push({ part, why: 'byte-budget', amount: 1 })
      else dropped[known] = { part, why: 'byte-budget', amount: (dropped[known]?.amount ?? 0) + 1 }
    }
  }
  return withReasons(told, dropped)
}

function memoryFor(state: ConversationState, { needs, operations, covers }: Informed, at: number): ToldMemory {
  const { shared_memory: memory } = state
  const { active_editor: editor, active_pipeline: pipeline } = memory
  const has = (need: Need) => needs.includes(need)
  const { content: _, content_start: __, ...facts } = editor ?? { content: '', content_start: 0 }
  const isTold = memory.pipeline_preference !== 'ignore' && pipeline?.preference !== 'ignore'
  return {
    ...(has('editor') && editor && { active_editor: editor }),
    ...(has('editor') && editor && editsOf(state, editor.filename)),
    ...(has('editor-facts') && !has('editor') && editor && { editor_facts: facts as Omit<ActiveEditor, 'content'> }),
    ...(has('pipeline') && pipeline && isTold && { active_pipeline: pipeline }),
    ...(has('search-results') && { search_results: shortResults(memory.search_results) }),
    ...(has('research-findings') && { research_findings: shortTexts(memory.research_findings ?? {}) }),
    ...(has('handoffs') && { agent_handoffs: memory.agent_handoffs.slice(-MOST_ENTRIES) }),
    ...(has('context') && { conversation_context: shortTexts(memory.conversation_context) }),
    ...(has('data-sufficiency') && { data_sufficiency: memory.data_sufficiency }),
    ...(has('lock') && memory.locked_agent !== undefined && { locked_agent: memory.locked_agent }),
    ...(has('permissions') && { permitted: permittedOf(memory.permissions?.grants ?? [], operations, at) }),
    ...(has('intelligence') && {
      intelligence: sliceFor(state.conversation_intelligence, state.current_query, at, covers).map(
        ({ key: _key, ...each }) => each,
      ),
    }),
  }
}

/** Returns the changes that were proposed last and those that the person has left, if they were proposed to this text. */
function editsOf({ manuscript_edit: edit, editor_operations: operations }: ConversationState, filename: string) {
  if (edit?.filename !== filename) return {}
  const { accepted, rejected } = edit
  const edits = operations.slice(0, MOST_EDITS).map(({ id, expected, text, before, after }): ToldEdit => ({
    expected: cap(expected, LONGEST_EDIT),
    text: cap(text, LONGEST_EDIT),
    before: before.slice(-LONGEST_AROUND),
    after: cap(after, LONGEST_AROUND),
    verdict: accepted.includes(id) ? 'taken' : rejected.includes(id) ? 'left' : 'open',
  }))
  return edits.length > 0 && { edits }
}

/**
 * Returns the operations of an agent that a live grant for the whole conversation covers. A grant for one call belongs
 * to that call, so no agent is told of it.
 */
function permittedOf(
  grants: readonly { readonly operation: GuardedOperation; readonly scope: string; readonly expiresAt: number }[],
  operations: readonly GuardedOperation[],
  at: number,
): readonly GuardedOperation[] {
  return operations.filter((operation) =>
    grants.some((grant) => grant.operation === operation && grant.scope === 'conversation' && at < grant.expiresAt),
  )
}

/**
 * Returns the last 20 messages, without half of a tool exchange: a result whose call was cut off is left out, and so is
 * a call that has no result yet ([assistant-4]).
 */
export function latestMessages(all: readonly ChatMessage[]): {
  readonly messages: readonly ChatMessage[]
  readonly leftOut: readonly ToldReason[]
} {
  const kept = all.slice(-MOST_MESSAGES)
  const messages = wholeExchanges(kept)
  const old = all.length - kept.length
  const half = kept.length - messages.length
  return {
    messages,
    leftOut: [
      ...(old > 0 ? [{ part: 'messages', why: 'last-20', amount: old } as const] : []),
      ...(half > 0 ? [{ part: 'messages', why: 'half-exchange', amount: half } as const] : []),
    ],
  }
}

function wholeExchanges(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.filter((message, index) => {
    if (message.role === 'call')
      return messages.some((other, at) => at > index && other.role === 'result' && other.call === message.call)
    if (message.role === 'result')
      return messages.some((other, at) => at < index && other.role === 'call' && other.call === message.call)
    return true
  })
}

/** The parts that may be left out, in order. `without` returns `Told` with less of a part; null if nothing is left. */
const LESS: readonly { readonly part: string; readonly without: (told: Told) => Told | null }[] = [
  { part: 'shared_memory.intelligence', without: memoryLess('intelligence', (list) => list.slice(0, -1)) },
  { part: 'shared_memory.edits', without: memoryLess('edits', (list) => list.slice(0, -1)) },
  {
    part: 'shared_memory.search_results',
    without: memoryLess('search_results', ({ local, web }) =>
      web.length > 0 ? { local, web: web.slice(0, -1) } : { local: local.slice(0, -1), web },
    ),
  },
  { part: 'shared_memory.research_findings', without: memoryLess('research_findings', withoutLast) },
  { part: 'shared_memory.agent_handoffs', without: memoryLess('agent_handoffs', (list) => list.slice(1)) },
  { part: 'shared_memory.conversation_context', without: memoryLess('conversation_context', withoutLast) },
  {
    part: 'messages',
    without: (told) =>
      told.messages.length === 0 ? null : { ...told, messages: wholeExchanges(told.messages.slice(1)) },
  },
  {
    part: 'shared_memory.active_editor',
    without: memoryLess('active_editor', (editor) => ({
      ...editor,
      content: cap(editor.content, Math.floor(editor.content.length / 2)),
    })),
  },
]

function memoryLess<K extends keyof ToldMemory>(
  key: K,
  less: (value: NonNullable<ToldMemory[K]>) => NonNullable<ToldMemory[K]>,
): (told: Told) => Told | null {
  return (told) => {
    const value = told.shared_memory[key]
    if (value === undefined || isEmpty(value)) return null
    return { ...told, shared_memory: { ...told.shared_memory, [key]: less(value as NonNullable<ToldMemory[K]>) } }
  }
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value !== 'object' || value === null) return true
  if ('content' in value) return value.content === ''
  return Object.values(value).every((each) => (Array.isArray(each) ? each.length === 0 : false))
}

function withoutLast<T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(table).slice(0, -1))
}

function shortResults({ local, web }: SearchResults): SearchResults {
  const short = (results: SearchResults['local']) =>
    results.slice(0, MOST_ENTRIES).map(({ title, url, text }) => ({
      title: cap(title, LONGEST_TEXT),
      url: cap(url, LONGEST_TEXT),
      text: cap(text, LONGEST_TEXT),
    }))
  return { local: short(local), web: short(web) }
}

function shortTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts)
      .slice(0, MOST_ENTRIES)
      .map(([key, text]) => [cap(key, LONGEST_TEXT), cap(text, LONGEST_TEXT)]),
  )
}

const NEED_OF: Readonly<Record<keyof ToldMemory, Need>> = {
  active_editor: 'editor',
  edits: 'editor',
  editor_facts: 'editor-facts',
  active_pipeline: 'pipeline',
  search_results: 'search-results',
  research_findings: 'research-findings',
  agent_handoffs: 'handoffs',
  conversation_context: 'context',
  data_sufficiency: 'data-sufficiency',
  locked_agent: 'lock',
  permitted: 'permissions',
  intelligence: 'intelligence',
}

function withReasons(told: Told, leftOut: readonly ToldReason[]): Projection {
  const { shared_memory, ...common } = told
  const memory = Object.entries(shared_memory) as (readonly [keyof ToldMemory, unknown])[]
  return {
    told,
    because: [
      ...Object.entries(common).map(([part, value]) => ({ part, why: 'every-agent' as const, amount: bytesIn(value) })),
      ...memory.map(([part, value]) => ({ part: `shared_memory.${part}`, why: NEED_OF[part], amount: bytesIn(value) })),
    ],
    leftOut,
    bytes: bytesIn(told),
  }
}

function bytesIn(value: unknown): number {
  return bytesOf(JSON.stringify(value) ?? '')
}
