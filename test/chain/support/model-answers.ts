import type { OperationInput, OperationOutput } from '../../../worker/chain/api/operations.ts'
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

/** The expected answers of the chain. Lists are complete, so pages have to be joined before a comparison. */
export const answers = {
  getContext(model: Model, input: OperationInput<'getContext'>): OperationOutput<'getContext'> {
    const entry = known(model, input.context)
    const chain = [...ancestors(model, entry), entry]
    return {
      context: view(model, entry),
      ...(input.children && { children: views(model, children(model, entry)) }),
      ...(input.inherited && { inherited: { ...inherited(model, entry), chain: views(model, chain) } }),
      ...(input.version !== undefined && { state: versionOf(entry, input.version) }),
      ...(input.at !== undefined && { state: stateAt(entry, input.at) }),
    } as OperationOutput<'getContext'>
  },

  getChain(model: Model, input: OperationInput<'getChain'>): OperationOutput<'getChain'> {
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

  /** If the request has search words, the context that was written last comes first, regardless of the clock. */
  listContexts(model: Model, { q, at, history, order, ...filter }: OperationInput<'listContexts'>) {
    const there = (entry: Entry) => at === undefined || entry.createdAt <= at
    const found = model.entries.filter(fits(model, filter)).filter(there)
    const past = (entry: Entry) => ({
      ...view(model, entry),
      ...(at !== undefined && { state: stateAt(entry, at) }),
      ...(history && { previousVersions: entry.versions.slice(0, -1) }),
    })
    const oldest = oldestFirst(found)
    const inOrder = order === 'newest' ? oldest.toReversed() : oldest
    const items = q === undefined ? inOrder : found.filter((entry) => hasWords(entry, q)).toReversed()
    return { items: items.map(past), next: null }
  },

  countContexts(model: Model, filter: OperationInput<'countContexts'>) {
    return { count: model.entries.filter(fits(model, filter)).length, exact: true }
  },

  listVersions(model: Model, input: OperationInput<'listVersions'>) {
    return { items: known(model, input.context).versions, next: null }
  },

  /** An undamaged chain has no findings. */
  verifyIntegrity(_model: Model, _input: OperationInput<'verifyIntegrity'>): Page<never> {
    return { items: [], next: null }
  },
} as const

function siblings(model: Model, entry: Entry): Entry[] {
  const parent = entry.parentId === null ? undefined : find(model, entry.parentId)
  return parent ? children(model, parent).filter(({ id }) => id !== entry.id) : []
}

function versionOf({ versions }: Entry, version: number) {
  return versions.find((each) => each.version === version) ?? refuse('VERSION_NOT_FOUND')
}

/** Returns a context's version at a time. Of two versions in one millisecond, this is the later one. */
function stateAt(entry: Entry, time: number) {
  return entry.versions.findLast(({ timestamp }) => timestamp <= time) ?? null
}

/**
 * Returns whether a context contains all search words. Tests search only for words that stemming does not change,
 * because the model does not imitate stemming.
 */
function hasWords(entry: Entry, q: string): boolean {
  const { purpose, description } = latest(entry)
  const words = `${purpose} ${description ?? ''}`.toLowerCase().split(/[^a-z]+/)
  return q
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word))
}

function whole(model: Model, entries: readonly Entry[]) {
  return { items: views(model, entries), next: null }
}

function views(model: Model, entries: readonly Entry[]) {
  return entries.map((entry) => view(model, entry))
}
