import type { Acknowledgement, LogEvent, TextChange, Verdict } from '../../wire/messages.ts'
import { refuse } from '../refuse.ts'
import type { TurnDeps } from '../turn-deps.ts'
import { newAssistantRecord } from './assistant-record.ts'

/**
 * Takes what a person decides about proposed changes. Each change takes one verdict, from whichever tab. If one of them
 * has a verdict already, was never proposed, or was replaced by newer proposals, all are refused as `stale`, and nothing
 * changes.
 */
export function takeVerdict(deps: TurnDeps, { ids, verdict }: Verdict): Acknowledgement {
  const { store, info } = deps
  if (!info.scenario.assistant) return refuse('unknown-event')
  const events = store.eventsAfter(0)
  const edits = events.find((event) => event.type === 'edits' && event.operations.some(({ id }) => id === ids[0]))
  if (edits?.type !== 'edits') return refuse('stale')
  const open = new Set(openChanges(edits.filename, events).map(({ id }) => id))
  if (new Set(ids).size < ids.length || !ids.every((id) => open.has(id))) return refuse('stale')
  const record = store.assistant.read() ?? newAssistantRecord(info)
  const { manuscript_edit: edit } = record.state
  const decided = ids.filter((id) => edit?.offered.includes(id))
  const key = verdict === 'taken' ? 'accepted' : 'rejected'
  const manuscript_edit = edit && { ...edit, [key]: [...edit[key], ...decided] }
  const logged = store.writeAssistant(
    { ...record, state: { ...record.state, manuscript_edit } },
    [{ type: 'edit-end', turn: edits.turn, ids: [...ids], verdict }],
    deps.now(),
  )
  deps.sendEvents(logged)
  return { ok: true, turn: store.lastTurn()?.id ?? 0, seq: store.head() }
}

/**
 * Returns the proposed changes to a text that are still open: those of the latest proposals to it that have no verdict.
 * The older ones were replaced ([assistant-31]).
 */
export function openChanges(filename: string, events: readonly LogEvent[]): readonly TextChange[] {
  const edits = events.findLast(
    (event) => event.type === 'edits' && event.filename === filename && event.operations.length > 0,
  )
  const closed = new Set(events.flatMap((event) => (event.type === 'edit-end' ? event.ids : [])))
  return edits?.type === 'edits' ? edits.operations.filter(({ id }) => !closed.has(id)) : []
}
