import type { Npc, Scenario } from '../../scenario/scenario.ts'
import { bindContent, type Speaker } from './bind-content.ts'
import type { GraphDocument } from './document.ts'
import { type Finding, hasErrors, findingsInOrder, pointerTo } from '../finding.ts'
import { flatten } from './flatten.ts'
import type { Instantiated } from '../backbones/instantiate.ts'
import { type LinkedDocument, linkedSet, moduleOf } from './linked-set.ts'
import { lint } from '../lint.ts'
import { lintDocument } from './lint-document.ts'

/**
 * The graphs that a document may refer to, and the scenario and colleague for which the document is linked. `scenario`
 * and `npc` are null if the document is only checked.
 */
export interface LinkAbout {
  readonly library: readonly GraphDocument[]
  readonly scenario: Scenario | null
  readonly npc: Npc | null
}

/**
 * Links a context graph: lints the graph and every graph that it refers to, and joins all of them into one flat
 * `Graph`. The states of `document`, the root, keep their names. A reachable state of another graph becomes
 * `id@version/state`. Two versions of a graph give two sets of states.
 */
export function link(document: GraphDocument, about: LinkAbout): Instantiated {
  const set = linkedSet(document, about.library)
  const speaker = about.scenario && about.npc ? { scenario: about.scenario, npc: about.npc } : null
  const written = set.flatMap((linked) => findingsIn(linked, about, speaker))
  if (hasErrors(written)) return { ok: false, findings: findingsInOrder(written) }

  const graph = flatten(document, set, speaker)
  // `lintDocument` has already reported the warnings, with the author's names.
  const wrong = lint(graph).filter(({ severity }) => severity === 'error')
  const findings = findingsInOrder([...written, ...wrong])
  return wrong.length > 0 ? { ok: false, findings } : { ok: true, graph, findings }
}

/**
 * Returns the findings of one document. For a referenced graph, only the errors are returned, and their place is the
 * reference in the root document that leads to this graph.
 */
function findingsIn(
  { document, through }: LinkedDocument,
  about: LinkAbout,
  speaker: Speaker | null,
): readonly Finding[] {
  const linted = lintDocument(document, { library: about.library, npc: about.npc })
  const found = linted.some(({ code }) => code === 'G024') ? linted : [...linted, ...unbound(document, speaker)]
  if (through === null) return found
  return found
    .filter(({ severity }) => severity === 'error')
    .map((finding) => ({
      ...finding,
      at: pointerTo('references', through),
      message: `In ${moduleOf(document)} at ${finding.at}: ${finding.message}`,
    }))
}

/**
 * Reports the content sources that name no content. `lintDocument` cannot report these sources, because it has no
 * scenario.
 */
function unbound(document: GraphDocument, speaker: Speaker | null): readonly Finding[] {
  return document.states.flatMap((state) => {
    if (state.type !== 'action') return []
    const sources = [
      { source: state.contentSource, where: ['content_source'] },
      { source: state.overlay?.contentSource ?? null, where: ['overlay', 'content_source'] },
    ]
    return sources.flatMap(({ source, where }) =>
      source === null || bindContent(source, document, speaker).isKnown
        ? []
        : [namesNothing(state.name, where, source)],
    )
  })
}

function namesNothing(state: string, where: readonly string[], source: string): Finding {
  return {
    code: 'G024',
    severity: 'error',
    at: pointerTo('states', state, ...where),
    message: `"${source}" names no content. Use content.name for lines of the graph, or a path such as decision_facts.`,
  }
}
