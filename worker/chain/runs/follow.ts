import { cap } from '../../core/reply/characters.ts'
import type { ContextStatus, FreeData } from '../context.ts'
import type { HeardNow, SessionEvent } from '../session-events.ts'

/** A conversation and its run in the chain, before new events are applied. */
export interface ConversationStanding {
  readonly npc: string
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /** The conversation's context; null if that was deleted. */
  readonly context: { readonly status: ContextStatus; readonly data: FreeData } | null
  /** The run's root; null if that was deleted. */
  readonly root: { readonly status: ContextStatus; readonly data: FreeData } | null
  /** The run's other conversations. */
  readonly others: readonly OtherConversation[]
}

export interface OtherConversation {
  readonly npc: string
  readonly context: string
  /** The status of the conversation's context; null if the context was deleted. */
  readonly status: ContextStatus | null
  readonly endedAt: number | null
}

/** The changes that events make. Nothing is written yet. */
export interface EventEffects {
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /** The new versions of the conversation's context: one for each event, even if several events arrive together. */
  readonly versions: readonly Version[]
  readonly handOvers: readonly HandOver[]
  /** The time at which the run was completed; null if it is not. */
  readonly completesRunAt: number | null
}

export interface Version {
  /** Null keeps the status. */
  readonly status: ContextStatus | null
  /** Merged into the context's data. No value is null, because that would delete the key. */
  readonly data: FreeData
  readonly at: number
}

export interface HandOver {
  readonly next: { readonly npc: string; readonly why: string }
  readonly at: number
  /**
   * The context of a conversation with the next colleague that was open at the hand-over or began later; null while the
   * hand-over waits.
   */
  readonly takenBy: string | null
}

/** The most annotations in a context's data. All are also memories. */
const MOST_ANNOTATIONS = 20
/** The most characters of an annotation. */
const LONGEST = 500

/** Works out what events of a conversation change in the chain. It reads and writes nothing. */
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
      const fresh = event.facts.filter(({ fact }, place) => isNew(fact, known, event.facts.slice(0, place)))
      return { status: null, data: { facts: [...known, ...fresh.map((each) => ({ ...each, at }))] }, at }
    }
    case 'level':
      return { status: null, data: { level: event.level }, at }
    case 'objective': {
      const { objective } = event
      const earned = [...listIn(data, 'earned'), objective]
      return { status: null, data: { earned, earnedAt: { ...mapIn(data, 'earnedAt'), [objective]: at } }, at }
    }
    case 'ended': {
      const { completion, document, paper = null, next } = event
      const came = {
        completion,
        ...(document !== null && { document }),
        ...(paper !== null && { paper: { ...paper } }),
        ...(next !== null && { next: next.npc }),
      }
      // Only an active context is completed: a request may have blocked or cancelled it meanwhile.
      return { status: status === 'active' ? 'completed' : null, data: came, at }
    }
    case 'remembered':
    case 'seen':
      return null
  }
}

/**
 * Returns whether the fact is new. A fact counts once in a conversation, whatever else a tenant wrote into the data.
 */
function isNew(fact: string, known: readonly unknown[], before: readonly HeardNow[]): boolean {
  return !before.some((each) => each.fact === fact) && !known.some((each) => isOf(each, fact))
}

function isOf(entry: unknown, fact: string): boolean {
  return typeof entry === 'object' && entry !== null && 'fact' in entry && entry.fact === fact
}

/** Returns a list in a context's data; empty if the data has anything else there. */
function listIn(data: FreeData, key: string): readonly unknown[] {
  const list = Object.hasOwn(data, key) ? data[key] : undefined
  return Array.isArray(list) ? list : []
}

/** Returns a map in a context's data; empty if the data has anything else there. */
function mapIn(data: FreeData, key: string): FreeData {
  const map = Object.hasOwn(data, key) ? data[key] : undefined
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map as FreeData) : {}
}

/** Returns the context of a conversation with this colleague that was open at the hand-over or began later. */
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
