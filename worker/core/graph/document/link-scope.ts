import type { GraphDocument, TargetDocument } from './document.ts'
import type { ModuleId, NodeId, Guard } from '../graph.ts'
import { moduleOf } from './linked-set.ts'

/** How the names of one document are said in the graph it becomes a part of. */
export interface LinkScope {
  readonly document: GraphDocument
  readonly module: ModuleId
  readonly root: ModuleId
}

/** A state's name in the linked graph: its own in the root, `id@version/state` in a graph referred to. */
export function nodeIdIn({ module, root }: LinkScope, state: string): NodeId {
  return qualified(module, root, state)
}

/** Where an exit leads, and where to go on after a call. */
export function targetIn(scope: LinkScope, target: TargetDocument): { to: NodeId; returnTo: NodeId | null } {
  if (typeof target === 'string') return { to: nodeIdIn(scope, target), returnTo: null }
  const [name = '', state = ''] = target.call.split('.')
  const { references } = scope.document
  const reference = Object.hasOwn(references, name) ? references[name] : undefined
  // The lint of the document has refused a call by a name that is none of its references.
  if (!reference) throw new Error(`${scope.module} has no reference ${name}`)
  return { to: qualified(moduleOf(reference), scope.root, state), returnTo: nodeIdIn(scope, target.returnTo) }
}

/** A condition over states of the same document, over nodes. */
export function guardIn(scope: LinkScope, guard: Guard): Guard {
  if ('satisfied' in guard) return { satisfied: nodeIdIn(scope, guard.satisfied) }
  if ('all' in guard) return { all: guard.all.map((each) => guardIn(scope, each)) }
  if ('any' in guard) return { any: guard.any.map((each) => guardIn(scope, each)) }
  if ('not' in guard) return { not: guardIn(scope, guard.not) }
  return guard
}

/** What is named once in a document and has to stay apart from others of that name in the linked graph. */
export function ownNameIn({ module, root }: LinkScope, name: string): string {
  return qualified(module, root, name)
}

function qualified(module: ModuleId, root: ModuleId, name: string): string {
  return module === root ? name : `${module}/${name}`
}
