import type { Npc } from '../../../scenario/scenario.ts'
import type { GraphDocument } from '../document.ts'
import type { ModuleId } from '../../graph.ts'
import { linkedSet, moduleOf } from '../linked-set.ts'
import { type Place, placesOf, type StateKey } from './places.ts'

/** A document with all that has to be known to judge it. */
export interface Subject {
  readonly document: GraphDocument
  /** The colleague who would walk it; null where a file is checked by itself. */
  readonly npc: Npc | null
  readonly graphs: Graphs
  /** The document's states and those of every graph it refers to, directly or not. */
  readonly places: ReadonlyMap<StateKey, Place>
}

/** A document and all that it refers to, directly or not, as far as they are there. */
export type Graphs = ReadonlyMap<ModuleId, GraphDocument>

/** Gathers what the lints of one document share. */
export function subjectOf(
  document: GraphDocument,
  { library, npc }: { readonly library: readonly GraphDocument[]; readonly npc: Npc | null },
): Subject {
  const graphs = new Map(linkedSet(document, library).map((linked) => [moduleOf(linked.document), linked.document]))
  return { document, npc, graphs, places: placesOf(graphs) }
}
