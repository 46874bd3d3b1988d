import { createLiteralSet, createScanner } from './literals.ts'
import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'

/** The marks around a model's reasoning. Letter case is ignored. */
export interface ThinkTags {
  readonly open: string
  readonly close: string
}

export const THINK_TAGS: readonly ThinkTags[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<reasoning>', close: '</reasoning>' },
]

/**
 * Drops reasoning, tags and all. A line break stays in its place, so that what stood before and behind it can never
 * grow together into a tag or a separator. Tags of one kind nest, and reasoning that is never closed is never shown.
 */
export function createThinkFilter(
  next: Stage,
  { tags, startsInThink, note }: { tags: readonly ThinkTags[]; startsInThink: boolean; note: NoteIssue },
): Stage {
  let inside: ThinkTags | null = startsInThink ? (tags[0] ?? null) : null
  let depth = inside === null ? 0 : 1

  return createScanner({
    pattern: createLiteralSet(tags.flatMap(({ open, close }) => [open, close])),
    found(held) {
      const tag = held.toLowerCase()
      if (inside === null) enter(tag)
      else if (tag === inside.open.toLowerCase()) depth += 1
      else if (tag === inside.close.toLowerCase()) leave()
    },
    text(point) {
      if (inside === null) next.push(point)
    },
    end() {
      if (inside !== null) note('reasoning-unclosed')
      next.end()
    },
  })

  function enter(tag: string): void {
    inside = tags.find(({ open }) => open.toLowerCase() === tag) ?? null
    depth = 1
    if (inside !== null) return
    note('reasoning-unopened')
    next.push('\n')
  }

  function leave(): void {
    depth -= 1
    if (depth > 0) return
    inside = null
    next.push('\n')
  }
}
