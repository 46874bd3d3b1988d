import { cap } from '../../core/reply/characters.ts'
import type { ContextStatus, FreeData } from '../context.ts'
import type { HeardNow, SessionEvent } from '../session-events.ts'

/** A conversation and its run in the chain, before new events are applied. */
export interface ConversationStanding {
  readonly npc: string
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /** The conversation's context; null if the context was deleted. */
  readonly context: { readonly status: ContextStatus; readonly data: FreeData } | null
  /** The run's root; null if the root was deleted. */
  readonly root: { readonly status: ContextStatus; readonly data: FreeData } | null
  readonly others: readonly OtherConversation[]
}

export interface OtherConversation {
  readonly npc: string
  readonly context: string
  /** The status of the conversation's context; null if the context was deleted. */
  readonly status: ContextStatus | null
  readonly endedAt: number | null
}

/** The changes that a conversation's events make in the chain, before they are written. */
export interface EventEffects {
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /**
   * The new versions of the conversation's context: one for each event that changes the context, even if several events
   * arrive together.
   */
  readonly versions: readonly Version[]
  readonly handOvers: readonly HandOver[]
  /** The time at which the events complete the run; null if they do not complete it. */
  readonly completesRunAt: number | null
}

export interface Version {
  /** The new status; null if the context keeps its status. */
  readonly status: ContextStatus | null
  /** Fields to merge into the context's data. No value is null, because a null would delete the field. */
  readonly data: FreeData
  readonly at: number
}

/** A colleague has sent the learner on to another colleague, at the end of a conversation. */
export interface HandOver {
  readonly next: { readonly npc: string; readonly why: string }
  readonly at: number
  /**
   * Id of the context of a conversation with the next colleague that was open at the hand-over or began later; null if
   * the hand-over waits for such a conversation.
   */
  readonly takenBy: string | null
}

/** The most annotations in a context's data. All annotations are also stored as memories. */
const MOST_ANNOTATIONS = 20
/** The most characters of an annotation. */
const LONGEST = 500

/** Works out what events of a conversation change in the chain, without reading or writing the database. */
export function effectsOfEvents(standing: ConversationStanding, events: readonly SessionEvent[]): EventEffects {
  let metAt = standing.metAt
  let endedAt = standing.endedAt
  let context = standing.context
  let completesRunAt: number | null = null
  const versions: Version[] = []
  const handOvers: HandOver[] = []
  for (const event of events) {
    if (event.type === 'met') metAt ??= event.at
    if (event.type === 'ended') endedAt ??= event.at
    if (context !== null) {
      const version = versionFor(context, event)
      if (version !== null) {
        versions.push(version)
        context = { status: version.status ?? context.status, data: { ...context.data, ...version.data } }
      }
      if (event.type === 'ended' && event.next !== null)
        handOvers.push({ next: event.next, at: event.at, takenBy: takenBy(standing.others, event.next.npc, event.at) })
    }
    if (event.type === 'ended' && isRunComplete(standing, context?.status ?? null)) completesRunAt ??= event.at
  }
  const activeAt = Math.max(standing.activeAt, ...events.map(({ at }) => at))
  return { metAt, endedAt, activeAt, versions, handOvers, completesRunAt }
}

function versionFor(
  { status, data }: NonNullable<ConversationStanding['context']>,
  event: SessionEvent,
): Version | null {
  const { at } = event
  switch (event.type) {
    case 'met':
      return { status: null, data: { metAt: at }, at }
    case 'annotation': {
      const note = { node: event.node, text: cap(event.text, LONGEST), at }
      return {
        status: null,
        data: { annotations: [...listIn(data, 'annotations'), note].slice(-MOST_ANNOTATIONS) },
        at,
      }
    }
    case 'heard': {
      const known = listIn(data, 'facts')
      const told = known.map((entry) => reworded(entry, event.facts))
      const fresh = event.facts.filter(({ fact }, place) => isNew(fact, known, event.facts.slice(0, place)))
      return { status: null, data: { facts: [...told, ...fresh.map((each) => ({ ...each, at }))] }, at }
    }
    case 'level':
      return { status: null, data: { level: event.level }, at }
    case 'objective': {
      const { objective } = event
      const earned = [...listIn(data, 'earned'), objective]
      return { status: null, data: { earned, earnedAt: { ...mapIn(data, 'earnedAt'), [objective]: at } }, at }
    }
    case 'paper':
      return { status: null, data: { paper: { ...event.paper }, paperAt: at }, at }
    case 'ended': {
      const { completion, document, paper = null, next } = event
      const came = {
        completion,
        ...(document !== null && { document }),
        ...(paper !== null && { paper: { ...paper } }),
        ...(next !== null && { next: next.npc }),
      }
      // Only an active context is completed. A request to the API may have blocked or cancelled the context meanwhile.
      return { status: status === 'active' ? 'completed' : null, data: came, at }
    }
    case 'remembered':
    case 'seen':
      return null
  }
}

/**
 * Returns true if the conversation has not contained the fact before. Entries of another form, which a tenant may have
 * written into the data, are ignored.
 */
function isNew(fact: string, known: readonly unknown[], before: readonly HeardNow[]): boolean {
  return !before.some((each) => each.fact === fact) && !known.some((each) => isOf(each, fact))
}

/** Returns a known fact in the words in which the colleague has told it again. It keeps the time at which it was heard. */
function reworded(entry: unknown, heard: readonly HeardNow[]): unknown {
  const again = heard.find(({ fact }) => isOf(entry, fact))
  const isNews = again !== undefined && !(isSaid(entry) && entry.said === again.said)
  return !isNews ? entry : { ...(entry as object), said: again.said, turn: again.turn }
}

function isSaid(entry: unknown): entry is { readonly said: unknown } {
  return typeof entry === 'object' && entry !== null && 'said' in entry
}

function isOf(entry: unknown, fact: string): boolean {
  return typeof entry === 'object' && entry !== null && 'fact' in entry && entry.fact === fact
}

function listIn(data: FreeData, key: string): readonly unknown[] {
  const list = Object.hasOwn(data, key) ? data[key] : undefined
  return Array.isArray(list) ? list : []
}

function mapIn(data: FreeData, key: string): FreeData {
  const map = Object.hasOwn(data, key) ? data[key] : undefined
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map as FreeData) : {}
}

/**
 * Returns the context id of a conversation with a colleague that was open at the time of the hand-over or began later;
 * null if there is no such conversation.
 */
function takenBy(others: readonly OtherConversation[], npc: string, at: number): string | null {
  const after = others.filter((other) => other.npc === npc && (other.endedAt === null || other.endedAt >= at))
  return after[0]?.context ?? null
}

function isRunComplete({ root, npc, others }: ConversationStanding, status: ContextStatus | null): boolean {
  if (root?.status !== 'active') return false
  const completes = listIn(root.data, 'completes')
  const completed = new Set(others.flatMap((other) => (other.status === 'completed' ? [other.npc] : [])))
  if (status === 'completed') completed.add(npc)
  return completes.length > 0 && completes.every((each) => typeof each === 'string' && completed.has(each))
}
