import type { GraphDocument, GraphReference } from './document.ts'
import type { ModuleId } from '../graph.ts'

/** A document of a linked set, and by which of the root's references it came in; null for the root itself. */
export interface LinkedDocument {
  readonly document: GraphDocument
  readonly through: string | null
}

/**
 * A document with every one it refers to, and those they refer to: the root first, the others in the order in which
 * they are met. Each once, by id and version; what the library does not have is left out.
 */
export function linkedSet(root: GraphDocument, library: readonly GraphDocument[]): readonly LinkedDocument[] {
  const set = new Map<ModuleId, LinkedDocument>([[moduleOf(root), { document: root, through: null }]])
  // A map goes on to what is added while it is gone through.
  for (const { document, through } of set.values()) {
    for (const [name, reference] of Object.entries(document.references)) {
      const found = findDocument(library, reference)
      if (found && !set.has(moduleOf(found))) set.set(moduleOf(found), { document: found, through: through ?? name })
    }
  }
  return [...set.values()]
}

/** The document of that id and version, or null. */
export function findDocument(library: readonly GraphDocument[], { id, version }: GraphReference): GraphDocument | null {
  return library.find((document) => document.id === id && document.version === version) ?? null
}

/** What a graph goes by in a linked set. */
export function moduleOf({ id, version }: GraphReference): ModuleId {
  return `${id}@${version}`
}
