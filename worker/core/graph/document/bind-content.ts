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

/**
 * The colleague whose content the content sources of a context graph name, with the scenario. A caller that only checks
 * or draws a graph file passes null instead.
 */
export interface Speaker {
  readonly scenario: Scenario
  readonly npc: Npc
}

/** The content that a content source names. `isKnown` is false if a part of the source names no possible content. */
export interface Binding {
  readonly isKnown: boolean
  readonly content: readonly BoundContent[]
  readonly pivot: PivotContent | null
}

/**
 * Looks up a content source of a context graph: `content.name` in the document, everything else in the colleague's
 * content. Without a colleague, the source's name in brackets is a placeholder for the content, so that a graph can be
 * checked.
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
