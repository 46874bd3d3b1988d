import type { OperationInput, OperationOutput } from '../../../worker/chain/api/operations.ts'
import type { ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Context, ContextStatus, ContextVersion, FreeData } from '../../../worker/chain/context.ts'
import {
  ancestors,
  children,
  descendants,
  type Entry,
  find,
  fits,
  known,
  latest,
  type Model,
  oldestFirst,
  refuse,
  view,
} from './model-tree.ts'

/** The time of an act, its author, and the ids of the contexts that the act creates. */
export interface Now {
  readonly at: number
  readonly by: string
  newId(): string
}

const DEEPEST = 10
/**
 * The most characters of a context's data as JSON. The chain counts bytes, but tests use only ASCII near this limit.
 */
const MOST_DATA = 65_536
const MOVES: Readonly<Record<ContextStatus, readonly ContextStatus[]>> = {
  active: ['completed', 'cancelled', 'blocked'],
  blocked: ['active', 'cancelled'],
  completed: [],
  cancelled: [],
}
const ENDED: readonly ContextStatus[] = ['completed', 'cancelled']

type Part = Pick<OperationInput<'createContext'>, 'purpose' | 'memorySpaceId' | 'data'> &
  Partial<OperationInput<'createContext'>>
interface Place {
  readonly parentId?: string
  readonly status?: ContextStatus
  readonly after?: string
}

export const changes = {
  createContext(model: Model, input: OperationInput<'createContext'>, now: Now): OperationOutput<'createContext'> {
    if (input.id !== undefined && find(model, input.id)) refuse('CONTEXT_EXISTS')
    if (input.parentId === undefined) return view(model, add(model, input, now))
    const parent = find(model, input.parentId) ?? refuse('PARENT_NOT_FOUND')
    if (ENDED.includes(latest(parent).status) && !input.underTerminal) refuse('PARENT_TERMINAL')
    if (ancestors(model, parent).length >= DEEPEST) refuse('MAX_DEPTH')
    return view(model, add(model, input, now, { parentId: parent.id }))
  },

  createPattern(model: Model, input: OperationInput<'createPattern'>, now: Now): OperationOutput<'createPattern'> {
    const root = add(model, input, now)
    const steps: Entry[] = []
    for (const step of input.steps) {
      const part = inheritedPerson(input, step)
      steps.push(addPart(model, input, now, { root, steps, part }))
    }
    return { root: view(model, root), steps: steps.map((step) => view(model, step)) }
  },

  updateContext(model: Model, input: OperationInput<'updateContext'>, now: Now): Context {
    const { status, purpose, description, data } = input
    if ([status, purpose, description, data].every((each) => each === undefined)) refuse('EMPTY_UPDATES')
    const entry = known(model, input.context)
    if (input.expectedVersion !== undefined && input.expectedVersion !== latest(entry).version)
      refuse('VERSION_CONFLICT')
    const code = whyNoChange(entry, input)
    if (code) refuse(code)
    change(model, entry, input, { ...now, by: input.by ?? now.by })
    if (status) completeAbove(model, [entry], { ...now, by: input.by ?? now.by })
    return view(model, entry)
  },

  deleteContext(model: Model, input: OperationInput<'deleteContext'>, _now: Now): OperationOutput<'deleteContext'> {
    const entry = known(model, input.context)
    if (input.mode === 'leaf' && children(model, entry).length > 0) refuse('HAS_CHILDREN')
    const { ids, ...counts } = remove(model, [entry], input.mode)
    return { ...counts, deleted: ids.length }
  },

  /** All changes are validated before the first one is made. */
  updateContexts(model: Model, input: OperationInput<'updateContexts'>, now: Now): OperationOutput<'updateContexts'> {
    const found = oldestFirst(model.entries.filter(fits(model, input.filter)))
    const decided = found.map((entry) => ({ entry, code: whyNoChange(entry, input.updates) }))
    const allowed = decided.filter(({ code }) => code === null).map(({ entry }) => entry)
    for (const entry of allowed) change(model, entry, input.updates, { ...now, by: input.by ?? now.by })
    if (input.updates.status) completeAbove(model, allowed, { ...now, by: input.by ?? now.by })
    const skipped = decided.flatMap(({ entry, code }) => (code === null ? [] : [{ id: entry.id, code }]))
    return { updated: allowed.length, ids: allowed.map(({ id }) => id), skipped, next: null }
  },

  /** All matching contexts are deleted together, so no child moves to a context that is deleted too. */
  deleteContexts(model: Model, input: OperationInput<'deleteContexts'>, _now: Now): OperationOutput<'deleteContexts'> {
    const found = oldestFirst(model.entries.filter(fits(model, input.filter)))
    const stays = found.filter((entry) => input.mode === 'leaf' && children(model, entry).length > 0)
    const removed = remove(
      model,
      found.filter((entry) => !stays.includes(entry)),
      input.mode,
    )
    const skipped = stays.map(({ id }) => ({ id, code: 'HAS_CHILDREN' }))
    return { ...removed, deleted: removed.ids.length, skipped, next: null }
  },

  addParticipant(model: Model, { context, participant }: OperationInput<'addParticipant'>, _now: Now): Context {
    const entry = known(model, context)
    for (const each of [entry, ...ancestors(model, entry)]) {
      if (!each.participants.includes(participant)) each.participants = [...each.participants, participant]
    }
    return view(model, entry)
  },

  removeParticipant(model: Model, { context, participant }: OperationInput<'removeParticipant'>, _now: Now): Context {
    const entry = known(model, context)
    for (const each of [entry, ...descendants(model, entry)]) {
      each.participants = each.participants.filter((name) => name !== participant || name === each.space)
    }
    return view(model, entry)
  },
} as const

function addPart(
  model: Model,
  { pattern, autoComplete }: OperationInput<'createPattern'>,
  now: Now,
  { root, steps, part }: { readonly root: Entry; readonly steps: readonly Entry[]; readonly part: Part },
): Entry {
  const before = steps.at(-1)
  if (pattern === 'parallel') return add(model, part, now, { parentId: root.id })
  if (pattern === 'sequence') {
    const waits = before ? ({ status: 'blocked', after: before.id } as const) : {}
    const data = merged(part.data, { stepNumber: steps.length + 1 })
    return add(model, { ...part, data }, now, { parentId: root.id, ...waits })
  }
  const above = before ?? root
  const isFree = above === root && autoComplete !== 'never'
  return add(model, part, now, { parentId: above.id, ...(isFree ? {} : { status: 'blocked', after: above.id }) })
}

function add(model: Model, part: Part, now: Now, place: Place = {}): Entry {
  const { purpose, description = null, memorySpaceId, userId = null, data, conversationRef = null } = part
  const { status = 'active' } = place
  const entry: Entry = {
    id: part.id ?? now.newId(),
    parentId: place.parentId ?? null,
    space: memorySpaceId,
    userId,
    participants: [memorySpaceId],
    conversationRef,
    autoComplete: part.autoComplete ?? 'never',
    createdAt: now.at,
    completedAt: null,
    versions: [{ version: 1, status, purpose, description, data, timestamp: now.at, updatedBy: now.by }],
    after: place.after ?? null,
  }
  model.entries.push(entry)
  return entry
}

/**
 * Returns a part of a pattern with its person. If the part names no person, it gets the person of the whole pattern.
 */
function inheritedPerson<T extends { readonly userId?: string | undefined }>(whole: T, part: Part): Part {
  const userId = part.userId ?? whole.userId
  return userId === undefined ? part : { ...part, userId }
}

type Change = Pick<OperationInput<'updateContext'>, 'status' | 'purpose' | 'description' | 'data'>

function whyNoChange(entry: Entry, { status, data = {} }: Change): ChainErrorCode | null {
  const last = latest(entry)
  if (status && !MOVES[last.status].includes(status)) return 'INVALID_TRANSITION'
  return JSON.stringify(merged(last.data, data)).length > MOST_DATA ? 'TOO_LONG' : null
}

/**
 * Adds a version to a context. If the context is a step of a pattern and the new version completes it, also activates
 * the step that waits for this step.
 */
function change(model: Model, entry: Entry, { status, purpose, description, data = {} }: Change, now: Now): void {
  const last = latest(entry)
  const next: ContextVersion = {
    version: last.version + 1,
    status: status ?? last.status,
    purpose: purpose ?? last.purpose,
    description: description === undefined ? last.description : description,
    data: merged(last.data, data),
    timestamp: Math.max(now.at, last.timestamp),
    updatedBy: now.by,
  }
  entry.versions = [...entry.versions, next]
  if (status !== 'completed') return
  entry.completedAt = next.timestamp
  const begun = { ...now, at: next.timestamp }
  for (const waiting of model.entries.filter(({ after }) => after === entry.id)) {
    if (latest(waiting).status === 'blocked') change(model, waiting, { status: 'active' }, begun)
  }
}

/**
 * Completes the ancestors of the contexts that have just ended (`ended`), if the ancestors now meet the condition for
 * their completion. Begins with the deepest ancestor.
 */
function completeAbove(model: Model, ended: readonly Entry[], now: Now): void {
  const depth = (each: Entry) => ancestors(model, each).length
  const above = new Set(
    ended.filter((each) => ENDED.includes(latest(each).status)).flatMap((each) => ancestors(model, each)),
  )
  for (const parent of [...above].sort((one, other) => depth(other) - depth(one))) {
    if (isComplete(model, parent)) change(model, parent, { status: 'completed' }, now)
  }
}

export function isComplete(model: Model, parent: Entry): boolean {
  if (parent.autoComplete === 'never' || latest(parent).status !== 'active') return false
  const enough = parent.autoComplete === 'all-settled' ? ENDED : ['completed']
  const nested = descendants(model, parent).filter(({ after, parentId }) => after !== null && after === parentId)
  const parts = [...children(model, parent), ...(parent.parentId === null ? nested : [])]
  return parts.length > 0 && parts.every((each) => enough.includes(latest(each).status))
}

function remove(model: Model, chosen: readonly Entry[], mode: OperationInput<'deleteContext'>['mode']) {
  const below = mode === 'cascade' ? chosen.flatMap((entry) => descendants(model, entry)) : []
  const gone = oldestFirst(model.entries.filter((entry) => chosen.includes(entry) || below.includes(entry)))
  const isGone = (id: string | null) => gone.some((entry) => entry.id === id)
  const moved = model.entries.filter((entry) => isGone(entry.parentId) && !isGone(entry.id))
  for (const entry of moved) entry.parentId = mode === 'orphan-to-parent' ? pastGone(entry.parentId, 'parentId') : null
  for (const entry of model.entries) entry.after = pastGone(entry.after, 'after')
  const promoted = moved.filter(({ parentId }) => parentId === null).length
  model.entries.splice(0, Infinity, ...model.entries.filter((entry) => !gone.includes(entry)))
  return { ids: gone.map(({ id }) => id), promoted, reparented: moved.length - promoted }

  function pastGone(id: string | null, way: 'parentId' | 'after'): string | null {
    const entry = gone.find((each) => each.id === id)
    return entry ? pastGone(entry[way], way) : id
  }
}

/** Merges objects key by key, even for keys such as `__proto__`. */
function merged(...each: readonly FreeData[]): FreeData {
  return Object.fromEntries(each.flatMap((data) => Object.entries(data)))
}
