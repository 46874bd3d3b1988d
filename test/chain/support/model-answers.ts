import type { Input, Output } from '../../../worker/chain/api/operations.ts'
import type { Page } from '../../../worker/chain/context.ts'
import {
  ancestors,
  children,
  descendants,
  type Entry,
  find,
  fits,
  inherited,
  known,
  latest,
  type Model,
  oldestFirst,
  refuse,
  view,
} from './model-tree.ts'

/** What the chain has to answer. Lists are whole: whoever compares them puts the pages together first. */
export const answers = {
  getContext(model: Model, input: Input<'getContext'>): Output<'getContext'> {
    const entry = known(model, input.context)
    const chain = [...ancestors(model, entry), entry]
    return {
      context: view(model, entry),
      ...(input.children && { children: views(model, children(model, entry)) }),
      ...(input.inherited && { inherited: { ...inherited(model, entry), chain: views(model, chain) } }),
    } as Output<'getContext'>
  },

  getChain(model: Model, input: Input<'getChain'>): Output<'getChain'> {
    const entry = known(model, input.context)
    const above = ancestors(model, entry)
    const below = descendants(model, entry)
    const root = above[0] ?? entry
    return {
      current: view(model, entry),
      root: view(model, root),
      parent: above.length > 0 ? view(model, above.at(-1)!) : null,
      ancestors: views(model, above),
      children: whole(model, children(model, entry)),
      siblings: whole(model, siblings(model, entry)),
      descendants: whole(model, below),
      depth: above.length,
      lineageNodes: 1 + above.length + below.length,
      workflowNodes: 1 + descendants(model, root).length,
    }
  },

  listChildren(model: Model, input: Input<'listChildren'>) {
    const found = children(model, known(model, input.context))
    return whole(model, found.filter(fits(model, { status: input.status })))
  },

  listDescendants(model: Model, input: Input<'listDescendants'>) {
    const found = descendants(model, known(model, input.context))
    return whole(model, found.filter(fits(model, { status: input.status })))
  },

  listSiblings(model: Model, input: Input<'listSiblings'>) {
    return whole(model, siblings(model, known(model, input.context)))
  },

  getRoot(model: Model, input: Input<'getRoot'>) {
    const entry = known(model, input.context)
    return view(model, ancestors(model, entry)[0] ?? entry)
  },

  listContexts(model: Model, filter: Input<'listContexts'>) {
    const found = oldestFirst(model.entries).filter(fits(model, filter))
    return whole(model, filter.order === 'newest' ? found.reverse() : found)
  },

  countContexts(model: Model, filter: Input<'countContexts'>) {
    return { count: model.entries.filter(fits(model, filter)).length, exact: true }
  },

  /** The latest written first, whatever the clock said then. */
  searchContexts(model: Model, filter: Input<'searchContexts'>) {
    const found = model.entries.filter(fits(model, filter))
    return whole(model, found.filter((entry) => hasWords(entry, filter.q)).toReversed())
  },

  exportContexts(model: Model, filter: Input<'exportContexts'>) {
    const found = oldestFirst(model.entries).filter(fits(model, filter))
    const withHistory = (entry: Entry) => (filter.history ? { previousVersions: entry.versions.slice(0, -1) } : {})
    return { items: found.map((entry) => ({ ...view(model, entry), ...withHistory(entry) })), next: null }
  },

  listVersions(model: Model, input: Input<'listVersions'>) {
    return { items: known(model, input.context).versions, next: null }
  },

  getVersion(model: Model, input: Input<'getVersion'>) {
    const { versions } = known(model, input.context)
    return versions.find(({ version }) => version === input.version) ?? refuse('VERSION_NOT_FOUND')
  },

  getStateAt(model: Model, input: Input<'getStateAt'>): Output<'getStateAt'> {
    return { state: stateAt(known(model, input.context), input.time) }
  },

  getChainAt(model: Model, { context, time }: Input<'getChainAt'>) {
    const entry = known(model, context)
    const root = ancestors(model, entry)[0] ?? entry
    const there = oldestFirst([root, ...descendants(model, root)].toSorted(byBirth(model)))
    const items = there.flatMap((each) => {
      const state = stateAt(each, time)
      if (!state) return []
      const { id, parentId, depth, memorySpaceId, createdAt } = view(model, each)
      return [{ id, parentId, depth, memorySpaceId, createdAt, state }]
    })
    return { items, next: null }
  },

  /** A chain that nobody has damaged has none. */
  listOrphans(_model: Model, _input: Input<'listOrphans'>): Page<never> {
    return { items: [], next: null }
  },

  verifyIntegrity(_model: Model, _input: Input<'verifyIntegrity'>): Page<never> {
    return { items: [], next: null }
  },
} as const

function siblings(model: Model, entry: Entry): Entry[] {
  const parent = entry.parentId === null ? undefined : find(model, entry.parentId)
  return parent ? children(model, parent).filter(({ id }) => id !== entry.id) : []
}

/** What it was then: of two versions of one millisecond, the later. */
function stateAt(entry: Entry, time: number) {
  return entry.versions.findLast(({ timestamp }) => timestamp <= time) ?? null
}

/** By words that no rule of spelling changes: what the full-text index makes of others is its own affair. */
function hasWords(entry: Entry, q: string): boolean {
  const { purpose, description } = latest(entry)
  const words = `${purpose} ${description ?? ''}`.toLowerCase().split(/[^a-z]+/)
  return q
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}

function byBirth({ entries }: Model): (one: Entry, other: Entry) => number {
  return (one, other) => entries.indexOf(one) - entries.indexOf(other)
}

function whole(model: Model, entries: readonly Entry[]) {
  return { items: views(model, entries), next: null }
}

function views(model: Model, entries: readonly Entry[]) {
  return entries.map((entry) => view(model, entry))
}
