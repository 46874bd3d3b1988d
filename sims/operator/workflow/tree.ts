import { contextStateAt } from './history.ts'
import type { Known } from './history.ts'

/** The reason why a context is at the top of the tree although it names a parent. */
export type Stray = 'parent-missing' | 'in-a-circle'

/** A line of the tree. */
export interface TreeRow {
  readonly context: Known
  /** The depth of the line, from 1. */
  readonly level: number
  /** The position of the context among its siblings, from 1. */
  readonly position: number
  readonly siblings: number
  /**
   * One entry for each level between the top and this row's level. The entry is true if the row's ancestor on that
   * level has later siblings. Then the tree draws a vertical line past this row, down to those siblings.
   */
  readonly passing: readonly boolean[]
  readonly children: number
  readonly isOpen: boolean
  readonly stray: Stray | null
}

/** The contexts under their parents, in their original order. */
export interface ContextTree {
  readonly tops: readonly { readonly context: Known; readonly stray: Stray | null }[]
  readonly childrenOf: ReadonlyMap<string, readonly Known[]>
}

/**
 * Puts contexts under their parents. Each context is in the tree exactly once. A context whose parent is missing is at
 * the top. If contexts are each other's parents, the first of them is at the top.
 */
export function treeOf(contexts: readonly Known[]): ContextTree {
  const known = new Set(contexts.map(({ id }) => id))
  const named = Map.groupBy(contexts, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : ''))
  const tops: ContextTree['tops'][number][] = (named.get('') ?? []).map((context) => ({
    context,
    stray: context.parentId === null ? null : 'parent-missing',
  }))
  const childrenOf = new Map<string, readonly Known[]>()
  const placed = new Set<string>()
  for (const { context } of tops) place(context)
  for (const context of contexts) {
    if (placed.has(context.id)) continue
    tops.push({ context, stray: 'in-a-circle' })
    place(context)
  }
  return { tops, childrenOf }

  function place(top: Known): void {
    const waiting = [top]
    placed.add(top.id)
    for (let context = waiting.pop(); context; context = waiting.pop()) {
      const children = (named.get(context.id) ?? []).filter(({ id }) => !placed.has(id))
      for (const { id } of children) placed.add(id)
      if (children.length > 0) childrenOf.set(context.id, children)
      waiting.push(...children)
    }
  }
}

/** Returns the lines to show from the top down, without the lines under a closed context. */
export function rowsOf(tree: ContextTree, closed: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const waiting: Omit<TreeRow, 'children' | 'isOpen'>[] = tree.tops
    .map(({ context, stray }, index) => ({
      context,
      stray,
      level: 1,
      position: index + 1,
      siblings: tree.tops.length,
      passing: [],
    }))
    .toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { context, level, passing, position, siblings } = next
    const children = tree.childrenOf.get(context.id) ?? []
    const isOpen = children.length > 0 && !closed.has(context.id)
    rows.push({ ...next, children: children.length, isOpen })
    if (!isOpen) continue
    const below = level === 1 ? [] : [...passing, position < siblings]
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const child = children[index]
      if (!child) continue
      waiting.push({
        context: child,
        stray: null,
        level: level + 1,
        position: index + 1,
        siblings: children.length,
        passing: below,
      })
    }
  }
  return rows
}

/** Returns a context's parents, nearest first, up to the first missing parent. */
export function parentsOf(contexts: ReadonlyMap<string, Known>, id: string): readonly Known[] {
  const parents: Known[] = []
  const seen = new Set([id])
  let next = contexts.get(id)?.parentId ?? null
  while (next !== null && !seen.has(next)) {
    const parent = contexts.get(next)
    if (!parent) break
    seen.add(next)
    parents.push(parent)
    next = parent.parentId
  }
  return parents
}

/** The effect of a key in the tree. */
export type KeyStep =
  | { readonly does: 'focus'; readonly id: string }
  | { readonly does: 'open'; readonly ids: readonly string[] }
  | { readonly does: 'close'; readonly id: string }
  | { readonly does: 'select'; readonly id: string }

/**
 * Returns the effect of a key on a line of the tree (WAI-ARIA, tree view); null if the key has no effect. The left
 * arrow always leads to the parent and the right arrow to the children, because the tree always grows from left to
 * right.
 */
export function keyStep(rows: readonly TreeRow[], focused: string, key: string): KeyStep | null {
  const at = rows.findIndex(({ context }) => context.id === focused)
  const row = rows[at]
  if (!row) return null
  const focus = (target: TreeRow | undefined): KeyStep | null =>
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
 * Returns the next line on which the context's purpose or memory space begins with the typed letters. The search begins
 * at the focused line and continues at the top. Repeating one letter finds the next line.
 *
 * @param time the shown time; null is now
 */
export function typeAhead(
  rows: readonly TreeRow[],
  focused: string,
  typed: string,
  time: number | null,
): string | null {
  const wanted = typed.toLocaleLowerCase()
  const [first] = wanted
  const isRepeated = first !== undefined && wanted === first.repeat(wanted.length)
  const search = isRepeated ? first : wanted
  if (search === '') return null
  const at = rows.findIndex(({ context }) => context.id === focused)
  // With a further letter the search begins at the focused line itself, which may still match.
  const from = isRepeated ? at + 1 : Math.max(at, 0)
  const ordered = [...rows.slice(from), ...rows.slice(0, from)]
  const found = ordered.find(({ context }) =>
    [(contextStateAt(context, time) ?? context).purpose, context.memorySpaceId].some((text) =>
      text.toLocaleLowerCase().startsWith(search),
    ),
  )
  return found?.context.id ?? null
}

function siblingsOf(rows: readonly TreeRow[], at: number): readonly TreeRow[] {
  const row = rows[at]
  if (!row) return []
  const end = rows.findIndex(({ level }, index) => index > at && level < row.level)
  const begin = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
  return rows.slice(begin + 1, end === -1 ? undefined : end).filter(({ level }) => level === row.level)
}
