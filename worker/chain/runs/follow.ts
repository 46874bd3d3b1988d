import { cap } from '../../core/reply/characters.ts'
import type { ContextStatus, FreeData } from '../context.ts'
import type { HeardNow, SessionEvent } from '../session-events.ts'

/** What the chain knows of a conversation and of the run around it, before something of it is applied. */
export interface ConversationStanding {
  readonly npc: string
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /** Its own context, or null when that was deleted. */
  readonly context: { readonly status: ContextStatus; readonly data: FreeData } | null
  /** The run's root, or null when that was deleted. */
  readonly root: { readonly status: ContextStatus; readonly data: FreeData } | null
  /** The run's other conversations. */
  readonly others: readonly OtherConversation[]
}

export interface OtherConversation {
  readonly npc: string
  readonly context: string
  /** That of its context; null when that was deleted. */
  readonly status: ContextStatus | null
  readonly endedAt: number | null
}

/** What comes of it. Nothing in here has happened yet. */
export interface EventEffects {
  readonly metAt: number | null
  readonly endedAt: number | null
  readonly activeAt: number
  /** The versions that the conversation's context goes through: one for each event, however they were brought. */
  readonly versions: readonly Version[]
  readonly handOvers: readonly HandOver[]
  /** When the last of those that complete the run was completed; null while that is to come, or never does. */
  readonly completesRunAt: number | null
}

export interface Version {
  /** Null: as it was. */
  readonly status: ContextStatus | null
  /** Merged into what there is. Nothing in it is null, which would delete; in a list it may be. */
  readonly data: FreeData
  readonly at: number
}

export interface HandOver {
  readonly next: { readonly npc: string; readonly why: string }
  readonly at: number
  /** The context of a conversation with that colleague that was under way then, or has begun since; null: it waits. */
  readonly takenBy: string | null
}

/** Annotations that a context names; the others are among its memories. */
const MOST_ANNOTATIONS = 20
/** The characters of each. */
const LONGEST = 500

/** Says what events of a conversation do to the chain. Pure. */
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
      // Only what is at work can be completed: somebody may have held it up or called it off meanwhile.
      return { status: status === 'active' ? 'completed' : null, data: came, at }
    }
    case 'remembered':
    case 'seen':
      return null
  }
}

/** Heard for the first time: a conversation tells each fact once, and whatever else is in its data changes nothing of that. */
function isNew(fact: string, known: readonly unknown[], before: readonly HeardNow[]): boolean {
  return !before.some((each) => each.fact === fact) && !known.some((each) => isOf(each, fact))
}

function isOf(entry: unknown, fact: string): boolean {
  return typeof entry === 'object' && entry !== null && 'fact' in entry && entry.fact === fact
}

/** A list in a context's data, or none where somebody else has put something else there. */
function listIn(data: FreeData, key: string): readonly unknown[] {
  const list = Object.hasOwn(data, key) ? data[key] : undefined
  return Array.isArray(list) ? list : []
}

/** A map in a context's data, or none where somebody else has put something else there. */
function mapIn(data: FreeData, key: string): FreeData {
  const map = Object.hasOwn(data, key) ? data[key] : undefined
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map as FreeData) : {}
}

/** Whoever is talked with when a hand-over is made, or since, has been handed over to. */
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
