import type { AssistantSpec } from '../../core/assistant/assistant-spec.ts'
import type { ConversationState } from '../../core/assistant/conversation-state.ts'
import { type EditorOperation, locate } from '../../core/assistant/editor-operations.ts'
import { type AgentFinding, keepFinding } from '../../core/assistant/intelligence.ts'
import { type AgentWork, NO_WORK } from '../../core/assistant/read-work.ts'
import { MOST_EDITS } from '../../core/assistant/projection.ts'
import { sourcesIn } from '../../core/assistant/tools.ts'
import { fingerprint } from '../../core/graph/hash.ts'
import type { NewEvent, TextChange } from '../../wire/messages.ts'
import type { TurnDeps } from '../turn-deps.ts'
import type { TurnResult } from '../turn-loop.ts'
import type { StoredTurn } from '../turn.ts'
import type { AssistantRecord, RoutedTurn } from './assistant-record.ts'
import { openChanges } from './take-verdict.ts'
import { stateFor } from './tell.ts'
import { stopCall } from './tool-calls.ts'

/** What an assistant's turn adds to its end. */
export interface AssistedEnd {
  /** The agent that answered; null if the turn has no reply of an agent. */
  readonly agent: string | null
  readonly events: readonly NewEvent[]
  /**
   * Changes the record as it is when the end is written. That may be later than the reply: what the person has done
   * meanwhile, such as a lock, stays.
   */
  readonly change: (now: AssistantRecord) => AssistantRecord
}

/**
 * Returns what a complete turn of an agent leaves behind: its walk, the topic, what can be used again, the hand-off, and
 * the changes that it proposes to the page's text.
 */
export function assistedEnd(
  deps: TurnDeps,
  spec: AssistantSpec,
  turn: StoredTurn,
  { walk, text, report, work = NO_WORK }: Pick<TurnResult, 'walk' | 'text' | 'report' | 'work'>,
): AssistedEnd | null {
  const record = deps.store.assistant.read()
  const routed = record?.turn
  if (!record || routed?.id !== turn.id) return null
  const at = deps.now()
  const agent = spec.agents.find(({ id }) => id === routed.agent)
  const state = stateFor(deps, record, turn)
  const editor = agent?.needs.includes('editor') ? state.shared_memory.active_editor : undefined
  const located =
    editor?.is_editable && work.edits.length > 0
      ? locate(editor.content, work.edits, (index) => `${turn.id}.${index}`, editor.content_start)
      : null
  const open = editor ? openChanges(editor.filename, deps.store.eventsAfter(0)) : []
  // What is open already is not proposed a second time.
  const isNews = located?.operations.some((each) => !open.some((other) => isSameChange(each, other))) ?? false
  const operations = isNews ? (located?.operations ?? []) : []
  const to = spec.agents.find(({ id }) => id === work.hand_over && id !== routed.agent)?.id
  const finding = findingOf(routed, state, { text, work, suggestions: to ? [`${to}: ${routed.query}`] : [] })
  const change = (now: AssistantRecord): AssistantRecord => {
    if (now.turn?.id !== turn.id) return now
    const { state: before } = now
    const handoffs = before.shared_memory.agent_handoffs
    const insights = [...(before.agent_insights[routed.agent] ?? []), ...report.information_revealed]
    return {
      ...now,
      walks: { ...now.walks, [routed.agent]: walk },
      turn: { ...now.turn, ...(to && { handedTo: to }) },
      state: {
        ...before,
        latest_response: text,
        chat_agent_response: routed.agent === spec.agents[0]?.id ? text : before.chat_agent_response,
        agent_results: { ...before.agent_results, [routed.agent]: { text, at } },
        conversation_topic: work.topics[0] ?? before.conversation_topic,
        conversation_intelligence: finding
          ? keepFinding(before.conversation_intelligence, finding, at, fingerprint)
          : before.conversation_intelligence,
        agent_insights: { ...before.agent_insights, [routed.agent]: insights.slice(-MOST_INSIGHTS) },
        active_agent_checkpoint: walk.node,
        is_complete: true,
        requires_user_input: true,
        error_state: null,
        ...(operations.length > 0 && editor && offered(before, editor.filename, operations)),
        shared_memory: {
          ...before.shared_memory,
          agent_handoffs: to
            ? [...handoffs, { from: routed.agent, to, why: routed.query.slice(0, 200), at }].slice(-20)
            : handoffs,
        },
        metadata: { ...before.metadata, updated_at: at },
      },
    }
  }
  return {
    agent: routed.agent,
    change,
    events:
      located && editor && operations.length + located.refused.length > 0
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

const MOST_INSIGHTS = 10

type Edited = Pick<ConversationState, 'manuscript_edit' | 'editor_operations'>

/** Returns new proposals to a text, and after them those that the person has left, so that they stay known. */
function offered(
  { manuscript_edit: edit, editor_operations: earlier }: Edited,
  filename: string,
  operations: readonly EditorOperation[],
): Edited {
  const left = edit?.filename === filename ? earlier.filter(({ id }) => edit.rejected.includes(id)) : []
  const all = [...operations, ...left].slice(0, MOST_EDITS)
  const ids = all.map(({ id }) => id)
  const rejected = left.map(({ id }) => id).filter((id) => ids.includes(id))
  return { editor_operations: all, manuscript_edit: { filename, offered: ids, accepted: [], rejected } }
}

function isSameChange(one: TextChange, other: TextChange): boolean {
  return (['op', 'expected', 'text', 'before', 'after'] as const).every((part) => one[part] === other[part])
}

/**
 * Returns what of a reply can be used again; null if the agent names no topic, or if its tools have all failed: then it
 * has found nothing. A source counts as used if the reply names its address.
 */
function findingOf(
  { agent, query, calls }: RoutedTurn,
  { shared_memory: { search_results: results } }: ConversationState,
  { text, work, suggestions }: { text: string; work: AgentWork; suggestions: readonly string[] },
): AgentFinding | null {
  const isDone = calls.some(({ status }) => status === 'done')
  if (work.topics.length === 0 || (calls.length > 0 && !isDone)) return null
  const found = calls.flatMap(({ result }) => sourcesIn(result).hits)
  const cited = [...results.local, ...results.web, ...found].filter(({ url }) => url !== '' && text.includes(url))
  const isFounded = isDone || cited.length > 0
  return {
    agent,
    query,
    content: text,
    type: isDone ? 'search' : isFounded ? 'research' : 'answer',
    topics: work.topics,
    confidence: isFounded ? 0.9 : 0.8,
    citations: cited.map(({ url }) => url),
    sources: cited.map(({ url, title, text: summary }) => ({ url, summary: `${title}: ${summary}` })),
    suggestions,
  }
}

/**
 * Returns what a turn leaves behind that the person stopped, or that failed. What waited for an answer does not wait any
 * longer, and is shown to be over.
 */
export function calledOffEnd({ store, now }: TurnDeps, turn: StoredTurn, why: 'cut' | 'failed'): AssistedEnd {
  const before = store.assistant.read()
  const stopped = before && stopCall(before, turn)
  const at = now()
  return {
    agent: null,
    events: stopped ? [stopped.event] : [],
    change(record) {
      const { state, ...rest } = stopCall(record, turn)?.record ?? record
      return {
        ...rest,
        state: {
          ...state,
          is_complete: false,
          requires_user_input: true,
          error_state: why === 'failed' ? 'failed' : null,
          metadata: { ...state.metadata, updated_at: at },
        },
      }
    },
  }
}
