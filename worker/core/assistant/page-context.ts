import type { SearchResults } from './conversation-state.ts'

/** What the page around the chat says about itself: an editor, a pipeline, or nothing but a text. */
export type PageContext = (
  | { readonly kind: 'editor'; readonly editor: ActiveEditor }
  | { readonly kind: 'pipeline'; readonly pipeline: ActivePipeline }
  | { readonly kind: 'text'; readonly text: string }
) & {
  /** What the page has found, for agents that cite it. */
  readonly search_results?: SearchResults
  /** The names of the tools that the page can run. */
  readonly tools?: readonly string[]
  /** The agent that the page requests for messages. */
  readonly agent?: string
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

/** The lines of a text's frontmatter, without the two lines of `---`; null if it has none. */
export function frontmatterOf(text: string): string | null {
  return /^---[ \t]*\r?\n([\s\S]{0,4000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1] ?? null
}
