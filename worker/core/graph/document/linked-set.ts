import type { GraphDocument, GraphReference } from './document.ts'
import type { ModuleId } from '../graph.ts'

/**
 * A document of a linked set, which is a root document with all documents that it refers to. `through` is the root's
 * reference that leads to the document; null for the root itself.
 */
export interface LinkedDocument {
  readonly document: GraphDocument
  readonly through: string | null
}

/**
 * Returns a document and every document it refers to, directly or not: the root first, the others in the order of their
 * references. Each document appears once, by id and version. Documents that the library lacks are skipped.
 */
export function linkedSet(root: GraphDocument, library: readonly GraphDocument[]): readonly LinkedDocument[] {
  const set = new Map<ModuleId, LinkedDocument>([[moduleOf(root), { document: root, through: null }]])
  // A loop over a map also visits the entries that are added during the loop.
  for (const { document, through } of set.values()) {
    for (const [name, reference] of Object.entries(document.references)) {
      const found = findDocument(library, reference)
      if (found && !set.has(moduleOf(found))) set.set(moduleOf(found), { document: found, through: through ?? name })
    }
  }
  return [...set.values()]
}

/** Returns the document with that id and version, or null. */
export function findDocument(library: readonly GraphDocument[], { id, version }: GraphReference): GraphDocument | null {
  return library.find((document) => document.id === id && document.version === version) ?? null
}

/** Returns a graph's id in a linked set: its id and version. */
export function moduleOf({ id, version }: GraphReference): ModuleId {
  return `${id}@${version}`
}
