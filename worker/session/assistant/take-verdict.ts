import type { Acknowledgement, LogEvent, Verdict } from '../../wire/messages.ts'
import { refuse } from '../refuse.ts'
import type { TurnDeps } from '../turn-deps.ts'
import { newAssistantRecord } from './assistant-record.ts'

/**
 * Takes what a person decides about proposed changes. Each change takes one verdict, from whichever tab. If one of them
 * has a verdict already, or was never proposed, all are refused as `stale`, and nothing changes.
 */
export function takeVerdict(deps: TurnDeps, { ids, verdict }: Verdict): Acknowledgement {
  const { store, info } = deps
  if (!info.scenario.assistant) return refuse('unknown-event')
  const events = store.eventsAfter(0)
  const edits = events.find((event) => event.type === 'edits' && event.operations.some(({ id }) => id === ids[0]))
  if (edits?.type !== 'edits' || !areOpen(ids, edits, events)) return refuse('stale')
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

function areOpen(
  ids: readonly string[],
  { operations }: Extract<LogEvent, { type: 'edits' }>,
  events: readonly LogEvent[],
): boolean {
  const closed = new Set(events.flatMap((event) => (event.type === 'edit-end' ? event.ids : [])))
  return (
    new Set(ids).size === ids.length && ids.every((id) => !closed.has(id) && operations.some((each) => each.id === id))
  )
}
