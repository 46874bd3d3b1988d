import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'
import { contextStateAt } from '../workflow/history.ts'
import { keyStep, typeAhead } from '../workflow/tree.ts'
import type { TreeRow } from '../workflow/tree.ts'
import { MomentTime, StatusMark, StatusWord } from './marks.tsx'

/** The longest time between two typed letters that belong to the same search, in milliseconds. */
const TYPED_TOGETHER_MS = 700

/**
 * The contexts of a run as a tree (WAI-ARIA, tree view). All lines are in one flat list, because nested lists are
 * slower with 500 lines. Attributes state each line's level and position. A context that had not begun at the shown
 * time keeps its line, with faint text, so that no other line moves.
 */
export function Tree({ desk }: { desk: Desk }) {
  const { rows, shown, focused, moments, moment, time, view } = desk.store
  const all = rows.value
  const selected = shown.value?.id ?? null
  const changed = new Set(time.value === null ? [] : moments.value[moment.value]?.changes.map(({ id }) => id))
  const inTab =
    [focused.value, selected].find((id) => all.some(({ context }) => context.id === id)) ?? all[0]?.context.id
  const select = (id: string) => {
    const now = view.value
    if (now.screen === 'run' && now.context !== id) desk.go({ ...now, context: id })
  }
  const toggle = ({ context, isOpen }: TreeRow) =>
    isOpen ? desk.closeBranches([context.id]) : desk.openBranches([context.id])
  return (
    <ul
      class="tree sheet"
      role="tree"
      aria-labelledby="tree"
      onKeyDown={(event) => {
        if (press(event, desk, select)) event.preventDefault()
      }}
    >
      {all.map((row) => (
        <Line
          key={row.context.id}
          row={row}
          desk={desk}
          isSelected={row.context.id === selected}
          isInTab={row.context.id === inTab}
          isChanged={changed.has(row.context.id)}
          onSelect={() => {
            desk.focus(row.context.id)
            select(row.context.id)
          }}
          onToggle={() => toggle(row)}
        />
      ))}
    </ul>
  )
}

function Line({
  row,
  desk,
  isSelected,
  isInTab,
  isChanged,
  onSelect,
  onToggle,
}: {
  row: TreeRow
  desk: Desk
  isSelected: boolean
  isInTab: boolean
  isChanged: boolean
  onSelect: () => void
  onToggle: () => void
}) {
  const { context, level, position, siblings, children, isOpen, passing, stray } = row
  const state = contextStateAt(context, desk.store.time.value)
  const findings = desk.store.findingsOf.value.get(context.id)
  return (
    <li
      role="treeitem"
      id={context.id}
      class="line-item"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={children > 0 ? isOpen : undefined}
      aria-selected={isSelected}
      data-begun={state !== null}
      tabIndex={isInTab ? 0 : -1}
      onFocus={() => desk.focus(context.id)}
      onClick={onSelect}
    >
      {passing.map((isPassing, index) => (
        <span key={index} class={isPassing ? 'guide passing' : 'guide'} />
      ))}
      {level > 1 && <span class={position < siblings ? 'guide branch passing' : 'guide branch'} />}
      <span
        class="twist"
        data-has={children > 0}
        onClick={(event) => {
          if (children === 0) return
          event.stopPropagation()
          onToggle()
        }}
      >
        {children > 0 && (
          <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path class="line" d={isOpen ? 'M4 6l4 4 4-4' : 'M6 4l4 4-4 4'} />
          </svg>
        )}
      </span>
      <StatusMark status={state?.status ?? null} />
      <span class="what">
        <span class="purpose" dir="auto">
          {(state ?? context).purpose}
        </span>{' '}
        <span class="small">
          {/* Screen readers need the spaces to separate the words. On the screen CSS separates them. */}
          <bdi class="space">{context.memorySpaceId}</bdi> <StatusWord status={state?.status ?? null} />{' '}
          {state && (
            <>
              <span>version {state.version}</span>{' '}
              <MomentTime time={state.timestamp} nearby={desk.store.head.value?.createdAt ?? context.createdAt} />{' '}
            </>
          )}
          {isChanged && <span class="tag">just changed</span>}{' '}
          {children > 0 && !isOpen && <span>{children} under it</span>}
        </span>
        {stray && <span class="small wrong">{STRAY[stray]}</span>}
        {findings?.map((finding) => (
          <span key={`${finding.kind} ${finding.found}`} class="small wrong">
            {texts.findingSentence(finding)}
          </span>
        ))}
      </span>
    </li>
  )
}

const STRAY: Record<NonNullable<TreeRow['stray']>, string> = {
  'parent-missing': 'Its parent isn’t in this run.',
  'in-a-circle': 'It is its own ancestor.',
}

let typed = { text: '', at: Number.NEGATIVE_INFINITY }

function press(event: KeyboardEvent, desk: Desk, select: (id: string) => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return false
  const focused = event.target.id
  const rows = desk.store.rows.value
  const step = keyStep(rows, focused, event.key)
  if (!step) {
    if (event.key.length !== 1 || event.key === ' ') return false
    const isMore = event.timeStamp - typed.at < TYPED_TOGETHER_MS
    typed = { text: isMore ? typed.text + event.key : event.key, at: event.timeStamp }
    const found = typeAhead(rows, focused, typed.text, desk.store.time.value)
    if (found !== null) document.getElementById(found)?.focus()
    return true
  }
  if (step.does === 'focus') document.getElementById(step.id)?.focus()
  else if (step.does === 'open') desk.openBranches(step.ids)
  else if (step.does === 'close') desk.closeBranches([step.id])
  else select(step.id)
  return true
}
