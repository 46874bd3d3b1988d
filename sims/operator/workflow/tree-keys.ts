import { stateAt } from './history.ts'
import type { Row } from './tree.ts'

/** What a key does in the tree. */
export type KeyStep =
  | { readonly does: 'focus'; readonly id: string }
  | { readonly does: 'open'; readonly ids: readonly string[] }
  | { readonly does: 'close'; readonly id: string }
  | { readonly does: 'select'; readonly id: string }

/**
 * What a key means on a line of the tree (WAI-ARIA, tree view); null where it means nothing. Left and right go out and
 * in whichever way the text runs, since the tree is drawn from the left.
 */
export function keyStep(rows: readonly Row[], focused: string, key: string): KeyStep | null {
  const at = rows.findIndex(({ context }) => context.id === focused)
  const row = rows[at]
  if (!row) return null
  const focus = (target: Row | undefined): KeyStep | null =>
    (target && { does: 'focus', id: target.context.id }) || null
  switch (key) {
    case 'ArrowDown':
      return focus(rows[at + 1])
    case 'ArrowUp':
      return focus(rows[at - 1])
    case 'Home':
      return focus(rows[0])
    case 'End':
      return focus(rows.at(-1))
    case 'ArrowRight':
      if (row.children === 0) return null
      return row.isOpen ? focus(rows[at + 1]) : { does: 'open', ids: [focused] }
    case 'ArrowLeft':
      if (row.isOpen) return { does: 'close', id: focused }
      return focus(rows.slice(0, at).findLast(({ level }) => level < row.level))
    case '*':
      return { does: 'open', ids: siblingsOf(rows, at).map(({ context }) => context.id) }
    case 'Enter':
    case ' ':
      return { does: 'select', id: focused }
    default:
      return null
  }
}

/**
 * The next line, after the focused one and around, whose purpose, as it is shown, or space begins with what was typed.
 * One letter again and again goes on.
 *
 * @param time the time that is shown; null is now
 */
export function typeAhead(rows: readonly Row[], focused: string, typed: string, time: number | null): string | null {
  const wanted = typed.toLocaleLowerCase()
  const [first] = wanted
  const isRepeated = first !== undefined && wanted === first.repeat(wanted.length)
  const search = isRepeated ? first : wanted
  if (search === '') return null
  const at = rows.findIndex(({ context }) => context.id === focused)
  // More letters may still mean the line that the first ones have found.
  const from = isRepeated ? at + 1 : Math.max(at, 0)
  const ordered = [...rows.slice(from), ...rows.slice(0, from)]
  const found = ordered.find(({ context }) =>
    [(stateAt(context, time) ?? context).purpose, context.memorySpaceId].some((text) =>
      text.toLocaleLowerCase().startsWith(search),
    ),
  )
  return found?.context.id ?? null
}

function siblingsOf(rows: readonly Row[], at: number): readonly Row[] {
  const row = rows[at]
  if (!row) return []
  const end = rows.findIndex(({ level }, index) => index > at && level < row.level)
  const begin = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return rows.slice(begin + 1, end === -1 ? undefined : end).filter(({ level }) => level === row.level)
}
