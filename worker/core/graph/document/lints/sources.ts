import { CONTEXT_NAMES, isContextName, type ActionDocument } from '../document.ts'
import type { Scenario } from '../../../scenario/scenario.ts'
import { bindContent } from '../bind-content.ts'
import { parseContentSource } from '../../backbones/content-source.ts'
import type { Finding } from '../../finding.ts'
import { found } from './found.ts'
import { meant } from './nearest.ts'
import { atState, type Subject } from './subject.ts'

/** Reports content sources that name no content (G024). */
export function lintSources(subject: Subject): readonly Finding[] {
  return subject.document.states.flatMap((state) => {
    if (state.type !== 'action') return []
    const sources = [
      { at: atState(state, 'content_source'), source: state.contentSource },
      { at: atState(state, 'overlay', 'content_source'), source: state.overlay?.contentSource ?? null },
    ]
    return sources.flatMap(({ at, source }) =>
      source !== null && bindSource(subject, source) === 'unknown'
        ? found(
            'G024',
            at,
            `"${source}" names no content. Use content.name for lines of this graph, or a path such as beat1.`,
          )
        : [],
    )
  })
}

/** Reports unknown names in `included_contexts` (G039). */
export function lintContexts({ document }: Subject): readonly Finding[] {
  return document.states.flatMap((state) => {
    if (state.type !== 'action') return []
    return state.includedContexts.flatMap((name, index) => {
      if (isContextName(name)) return []
      const known = CONTEXT_NAMES.join(', ')
      const message = `"${name}" gives nothing. Take one of ${known}, or leave it out.${meant(name, CONTEXT_NAMES)}`
      return found('G039', atState(state, 'included_contexts', index), message)
    })
  })
}

/** Reports names in a state's `tools` that the graph does not declare (G040). */
export function lintTools({ document }: Subject): readonly Finding[] {
  const names = (document.tools ?? []).map(({ name }) => name)
  return document.states.flatMap((state) => {
    if (state.type !== 'action') return []
    return (state.tools ?? []).flatMap((name, index) => {
      if (names.includes(name)) return []
      const message = `"${name}" is no tool of this graph. Declare it under tools, or leave it out.${meant(name, names)}`
      return found('G040', atState(state, 'tools', index), message)
    })
  })
}

/**
 * Returns the lines of a content source. `unknown`: the source names no possible content. `unread`: the source names
 * content of a colleague or scenario that the caller does not have.
 */
export function bindSource({ document, npc }: Subject, expression: string): readonly string[] | 'unknown' | 'unread' {
  const { isKnown, content } = bindContent(expression, document, npc && { npc, scenario: NO_SCENARIO })
  if (!isKnown) return 'unknown'
  const isAtHand = ({ path }: { path: string }) =>
    path.startsWith('content.') || (npc !== null && !path.startsWith('scenario.'))
  return parseContentSource(expression)?.every(isAtHand) ? content.flatMap(({ lines }) => lines) : 'unread'
}

/** Returns true if a state has a fork: its own fork, or one of the colleague's forks. */
export function isFork({ pivot, contentSource }: ActionDocument): boolean {
  if (pivot !== null) return true
  const terms = contentSource === null ? null : parseContentSource(contentSource)
  return terms?.some(({ path, selector }) => path === 'pivots' && selector !== null) ?? false
}

/** A placeholder, because `bindSource` has the colleague but not the scenario. */
const NO_SCENARIO: Scenario = {
  id: 'none',
  version: 1,
  title: '',
  tier: 'TECHNICAL',
  role: '',
  situation: { where: '', what: '' },
  decision: { question: '', options: [] },
  objectives: [],
  npcs: [],
  synonyms: [],
}
