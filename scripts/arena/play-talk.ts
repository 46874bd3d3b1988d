import type { Actor } from '../../worker/actor/actor.ts'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { type Graph, nodeOf } from '../../worker/core/graph/graph.ts'
import type { ReportQuality } from '../../worker/core/reply/report.ts'
import type { Npc, PivotContent, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { WalkEngine } from '../../worker/core/walk/engine.ts'
import type { Reason } from '../../worker/core/walk/event.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'
import { createTalk, type Talked } from '../sim/talk.ts'
import type { Act, ArenaLine, Sight } from './persona.ts'
import { type SpentTokens, meteredFor, NOTHING_SPENT } from './spent-tokens.ts'

/** One act of the learner and the colleague's answer to it. */
export interface ArenaExchange {
  /** What the learner wrote, or the words of the card that they picked. */
  readonly learner: string
  readonly isCard: boolean
  /** The colleague's words; null if the actor gave no reply. */
  readonly reply: string | null
  /** The node in which the colleague replied. */
  readonly node: string
  /** The node after this exchange; null if the exchange ended the conversation. */
  readonly to: string | null
  readonly reason: Reason | null
  readonly isGate: boolean
  readonly quality: ReportQuality | null
  /**
   * The fork whose question this reply asked: the id of its node, and the question. Null if the reply asked no such
   * question.
   */
  readonly puts: { readonly fork: string; readonly question: string } | null
  /** The id of the fork that the learner answered, by a card or in their own words; null if they answered no fork. */
  readonly answers: string | null
}

/** How a conversation ended. `limit`: a limit of the graph ended it; `open`: it did not end. */
export type ArenaEnd = 'earned' | 'left' | 'limit' | 'forced' | 'open'

/** A conversation in the arena, as it was played. */
export interface ArenaTalk {
  readonly opening: string | null
  readonly exchanges: readonly ArenaExchange[]
  readonly end: ArenaEnd
  readonly tokens: SpentTokens
}

/**
 * One side of a comparison: the engine and the graphs with which it plays the conversations. A side uses the deployed
 * graphs, another version of these graphs, or the count-based engine.
 */
export interface Side {
  readonly name: string
  readonly engine: WalkEngine
  readonly library: GraphLibrary
  /** Returns the colleague as this side has them; null if the side has no graph for the colleague. */
  npcOf(scenario: Scenario, npc: Npc): Npc | null
}

/** Returns the learner's next act; null if the learner has nothing to say any more. */
export type NextAct = (sight: Sight) => Promise<Act | null>

/** The most messages of a learner in one conversation. The graphs' own limits are lower. */
const MOST_ACTS = 120
/** After this number of failed replies in a row, the conversation is given up, and its end is `open`. */
const MOST_FAILURES = 3

/**
 * Plays one conversation with the server's own walker and briefing, and its own handling of replies. The conversation
 * ends when the walk ends, or when the learner has nothing to say.
 *
 * @throws Error if the scenario can't be walked
 */
export async function playTalk(
  side: Side,
  { scenario, npc }: Pick<Sight, 'scenario' | 'npc'>,
  actor: Actor,
  next: NextAct,
): Promise<ArenaTalk> {
  let tokens = NOTHING_SPENT
  const talk = createTalk({
    scenario,
    npc,
    library: side.library,
    engine: side.engine,
    person: 'new',
    actor: meteredFor(actor, (spent) => (tokens = spent(tokens))),
    // The learner gets each reply only when it is complete, so nothing has to show the pieces of a reply.
    after: () => () => undefined,
    write: () => undefined,
  })
  const { graph, opening } = talk
  const lines: ArenaLine[] = opening === null ? [] : [{ who: 'npc', text: opening }]
  const exchanges: ArenaExchange[] = []
  let walk: Walk | null = null
  let failures = 0
  while (!walk?.end && failures < MOST_FAILURES && exchanges.length < MOST_ACTS) {
    const fork = walk && openFork(graph, walk)
    const act = await next({ scenario, npc, lines, fork: fork?.content ?? null })
    if (act === null) break
    const talked = await talk.say(act.text)
    const exchange = exchangeOf({ graph, npc }, act, talked, fork?.node ?? null)
    failures = exchange.reply === null ? failures + 1 : 0
    lines.push({ who: 'learner', text: exchange.learner })
    if (exchange.reply !== null) lines.push({ who: 'npc', text: exchange.reply })
    exchanges.push(exchange)
    walk = talked.after
  }
  return { opening, exchanges, end: endOfWalk(walk, exchanges), tokens }
}

/** Returns the current node if it is a fork whose cards are shown; otherwise null. */
function openFork(graph: Graph, walk: Walk): { readonly node: string; readonly content: PivotContent } | null {
  const node = walk.end ? undefined : graph.nodes[walk.node]
  if (node?.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return null
  return { node: node.id, content: node.pivot }
}

function exchangeOf(
  { graph, npc }: Colleague,
  act: Act,
  { before, after, trace, turn, choice }: Talked,
  fork: string | null,
) {
  const decision = trace.find((entry) => entry.type === 'decision')?.decision
  const from = nodeOf(graph, decision?.from ?? before.node)
  const reply = choice ? choice.reaction : turn?.ok ? turn.text : null
  return {
    learner: choice?.text ?? act.text,
    isCard: choice !== null,
    reply,
    node: from.id,
    to: after.end ? null : after.node,
    reason: decision?.reason ?? null,
    isGate: 'isGate' in from && from.isGate,
    quality: turn?.ok ? turn.quality : null,
    puts: choice || reply === null ? null : putFork({ graph, npc }, before, after, reply),
    answers: answeredFork(before, after, choice !== null || act.answers === true ? fork : null),
  } satisfies ArenaExchange
}

/**
 * Returns the fork whose question a reply asked: during this exchange the walk counted the question as asked, or the
 * reply contains the question in one of the author's wordings. Returns null if the reply asked no fork's question.
 */
function putFork({ graph, npc }: Colleague, before: Walk, after: Walk, reply: string): ArenaExchange['puts'] {
  const asked = Object.entries(after.pivots).find(([id, state]) => {
    const was = before.pivots[id]
    if (state.state !== 'armed') return false
    return was?.state !== 'armed' || (state.asked ?? 1) > (was.asked ?? 1)
  })?.[0]
  const nodes = Object.values(graph.nodes).flatMap((node) => (node.kind === 'pivot' ? [node] : []))
  const put = nodes.find(({ id, pivot }) => {
    const again = npc.rehearsal.nodes[id]?.stay.map((line) => (typeof line === 'string' ? line : line.say)) ?? []
    return id === asked || [pivot.question, ...again].some((wording) => reply.includes(wording))
  })
  return put ? { fork: put.id, question: put.pivot.question } : null
}

interface Colleague {
  readonly graph: Graph
  readonly npc: Npc
}

/**
 * Returns the fork in which the walk took a choice during this exchange. If there is none, returns `meant`, the fork
 * that the learner meant to answer, or null if they meant to answer none.
 */
function answeredFork(before: Walk, after: Walk, meant: string | null): string | null {
  const chosen = Object.entries(after.pivots).find(
    ([id, { state }]) => state === 'chosen' && before.pivots[id]?.state !== 'chosen',
  )
  return chosen?.[0] ?? meant
}

/**
 * Returns how the walk ended. In a context graph, a learner who leaves takes a safety exit. A walk that was cut short
 * without reaching a limit has therefore ended because the learner left.
 */
function endOfWalk(walk: Walk | null, exchanges: readonly ArenaExchange[]): ArenaEnd {
  if (!walk?.end) return 'open'
  if (walk.end.isLeft) return 'left'
  if (walk.end.completion === 'earned') return 'earned'
  if (exchanges.some(({ reason }) => reason === 'backstop' || reason === 'exchange-limit')) return 'limit'
  return walk.isCutShort ? 'left' : 'forced'
}
