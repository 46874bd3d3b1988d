import type { SearchResults } from './conversation-state.ts'
import { cap } from '../reply/characters.ts'

/** What the page around the chat says about itself: an editor, a pipeline, or nothing but a text. */
export type PageContext = (
  | { readonly kind: 'editor'; readonly editor: ActiveEditor }
  | { readonly kind: 'pipeline'; readonly pipeline: ActivePipeline }
  | { readonly kind: 'text'; readonly text: string }
) & {
  /** What the page has found, for agents that cite it. */
  readonly search_results?: SearchResults
}

/** The text in the page's editor. Lengths and positions are UTF-16 code units. */
export interface ActiveEditor {
  readonly is_editable: boolean
  readonly filename: string
  readonly language: string
  /** The whole text, or the part of it around the cursor. */
  readonly content: string
  /** Where `content` begins in the whole text. */
  readonly content_start: number
  readonly content_length: number
  /** The fields before the text, between two lines of `---`. */
  readonly frontmatter: Readonly<Record<string, FrontmatterValue>>
}

export type FrontmatterValue = string | number | boolean | null | readonly string[]

/** A pipeline that the page shows. With `ignore`, agents are told nothing of it. */
export interface ActivePipeline {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly preference: 'prefer' | 'ignore'
}

/** The most UTF-16 code units of a text that a page may hand over, and of the part of it that is kept. */
export const LONGEST_CONTENT = 24_000

/**
 * Returns the part of a text that is kept: all of it, or the lines around the cursor, at most `LONGEST_CONTENT` UTF-16
 * code units. The part begins and ends at a line's beginning if a line begins within the last tenth.
 */
export function partAround(text: string, cursor: number): { readonly content: string; readonly start: number } {
  if (text.length <= LONGEST_CONTENT) return { content: text, start: 0 }
  const wanted = Math.min(Math.max(0, cursor - LONGEST_CONTENT / 2), text.length - LONGEST_CONTENT)
  const slack = LONGEST_CONTENT / 10
  const line = wanted === 0 ? 0 : text.indexOf('\n', wanted) + 1
  const start = line > 0 && line - wanted <= slack ? line : afterPair(text, wanted)
  const part = cap(text.slice(start), LONGEST_CONTENT - (start - wanted))
  const end = part.lastIndexOf('\n') + 1
  const isWhole = start + part.length >= text.length
  return { content: isWhole || part.length - end > slack ? part : part.slice(0, end), start }
}

/** Returns a position that is not between the two halves of a character. */
function afterPair(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at + 1 : at
}

/** The lines of a text's frontmatter, without the two lines of `---`; null if it has none. */
export function frontmatterOf(text: string): string | null {
  return /^---[ \t]*\r?\n([\s\S]{0,4000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1] ?? null
}
