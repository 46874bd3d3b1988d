import type { Npc } from '../../scenario/scenario.ts'
import type { GraphDocument } from './document.ts'
import { type Finding, findingsInOrder } from '../finding.ts'
import { lintBudget } from './lints/budget.ts'
import { lintDescriptions, lintNaming } from './lints/descriptions.ts'
import { lintDwell } from './lints/dwell.ts'
import { lintEnds } from './lints/ends.ts'
import { lintFigures } from './lints/figures.ts'
import { lintGuards } from './lints/guards.ts'
import { lintMap } from './lints/map.ts'
import { lintProse } from './lints/prose.ts'
import { lintLimits, lintReach, lintReturning, lintSafety } from './lints/reach.ts'
import { lintReferences } from './lints/references.ts'
import { lintSilentCycles } from './lints/silent-cycles.ts'
import { lintContexts, lintSources, lintTools } from './lints/sources.ts'
import { lintStates } from './lints/states.ts'
import { type Subject, lintSubject } from './lints/subject.ts'
import { lintTargets } from './lints/targets.ts'

/**
 * Lints a context graph as its author wrote it, without walking it. Returns all findings, sorted by code and JSON
 * pointer. The pointers have the author's field names. A pointer has the name of a state instead of an index, even if
 * the author wrote the states as a list. `docs/reference/lints.md` lists the codes.
 *
 * This function follows calls into the graphs that the document refers to, but does not lint those graphs.
 *
 * @param about the graphs that the document may refer to, and the colleague whose conversations follow the document;
 * `npc` is null if there is no colleague
 */
export function lintDocument(
  document: GraphDocument,
  about: { readonly library: readonly GraphDocument[]; readonly npc: Npc | null },
): readonly Finding[] {
  const subject = lintSubject(document, about)
  return findingsInOrder(LINTS.flatMap((check) => check(subject)))
}

const LINTS: readonly ((subject: Subject) => readonly Finding[])[] = [
  lintTargets,
  lintEnds,
  lintStates,
  lintReach,
  lintSilentCycles,
  lintDescriptions,
  lintReferences,
  lintDwell,
  lintSources,
  lintContexts,
  lintTools,
  lintLimits,
  lintGuards,
  lintSafety,
  lintBudget,
  lintNaming,
  lintProse,
  lintMap,
  lintFigures,
  lintReturning,
]
