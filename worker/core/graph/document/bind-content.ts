import type { Npc, PivotContent, Scenario } from '../../scenario/scenario.ts'
import {
  type ContentTerm,
  namesContent,
  parseContentSource,
  type Resolved,
  resolveTerm,
} from '../backbones/content-source.ts'
import type { GraphDocument } from './document.ts'
import type { BoundContent } from '../graph.ts'

/** Whose content a context graph's sources name besides its own. Null while a file is only checked or drawn. */
export interface Speaker {
  readonly scenario: Scenario
  readonly npc: Npc
}

/** What a content source comes to. `isKnown` is false when a part of it names nothing there could be. */
export interface Binding {
  readonly isKnown: boolean
  readonly content: readonly BoundContent[]
  readonly pivot: PivotContent | null
}

/**
 * Looks up a content source of a context graph: `content.name` in the document itself, everything else with the
 * colleague. Without one, what a colleague would bring is stood in for by its name in brackets, so that a graph can be
 * checked as if it were there.
 */
export function bindContent(expression: string, document: GraphDocument, speaker: Speaker | null): Binding {
  const terms = parseContentSource(expression)
  if (!terms) return { isKnown: false, content: [], pivot: null }
  const resolved = terms.map((term) => resolve(term, document, speaker))
  return {
    isKnown: resolved.every(({ kind }) => kind !== 'unknown'),
    content: resolved.flatMap((found) => ('content' in found ? [found.content] : [])),
    pivot: resolved.find((found) => found.kind === 'pivot')?.pivot ?? null,
  }
}

function resolve(term: ContentTerm, document: GraphDocument, speaker: Speaker | null): Resolved {
  if (term.path.startsWith('content.')) return resolveOwn(term, document)
  if (speaker) return resolveTerm(term, speaker.npc, speaker.scenario)
  if (!namesContent(term)) return { kind: 'unknown' }
  return { kind: 'lines', content: { source: spelled(term), lines: [`[${spelled(term)}]`] } }
}

function resolveOwn(term: ContentTerm, { content }: GraphDocument): Resolved {
  const name = term.path.slice('content.'.length)
  const lines = term.selector === null && Object.hasOwn(content, name) ? content[name] : undefined
  if (!lines) return { kind: 'unknown' }
  return lines.length === 0 ? { kind: 'empty' } : { kind: 'lines', content: { source: term.path, lines } }
}

function spelled({ path, selector }: ContentTerm): string {
  return selector === null ? path : `${path}[${selector}]`
}
