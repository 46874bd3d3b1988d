import { endsEarly } from '../../walk/move.ts'
import { type Passage, pathTo, type Situation } from './explore.ts'
import type { Graph } from '../graph.ts'
import type { Move } from './moves.ts'

/** A path to the end of a conversation. */
export interface Path {
  readonly exchanges: number
  readonly moves: readonly Move[]
  /**
   * True if the graph's `exchangeLimit` ends the path. If without this limit the path would repeat a loop forever,
   * `moves` has only the moves before the loop.
   */
  readonly isCutByLimit: boolean
}

/** The path in a graph whose end cannot be reached. */
export const NOWHERE: Path = { exchanges: Number.POSITIVE_INFINITY, moves: [], isCutByLimit: false }

/**
 * Returns the path to the end with the fewest exchanges. The search counts exchanges instead of moves. Many moves take
 * no exchange, so a search that counts moves could first find a path with more exchanges.
 */
export function shortestEnd(situations: readonly Situation[]): Path {
  const [first] = situations
  if (!first) return NOWHERE
  const before = new Map<Situation, { exchanges: number; from: Situation | null; move: Move | null }>()
  before.set(first, { exchanges: 0, from: null, move: null })
  const layers: Situation[][] = [[first]]
  for (let cost = 0; cost < layers.length; cost++) {
    const layer = layers[cost] ?? []
    for (let at = 0; at < layer.length; at++) {
      const here = layer[at]
      if (!here || before.get(here)?.exchanges !== cost) continue
      if (here.walk.end) return { exchanges: cost, moves: retrace(before, here), isCutByLimit: false }
      for (const { to, move } of here.exits) {
        const exchanges = cost + exchangesIn(move)
        if (exchanges >= (before.get(to)?.exchanges ?? Number.POSITIVE_INFINITY) || endsEarly(move.reason)) continue
        before.set(to, { exchanges, from: here, move })
        ;(layers[exchanges] ??= []).push(to)
      }
    }
  }
  return NOWHERE
}

function retrace(
  before: ReadonlyMap<Situation, { from: Situation | null; move: Move | null }>,
  end: Situation,
): readonly Move[] {
  const moves: Move[] = []
  for (let here = before.get(end); here?.from && here.move; here = before.get(here.from)) moves.push(here.move)
  return moves.toReversed()
}

type Longest = Map<Situation, { exchanges: number; next: Passage | null }>

/**
 * Returns the longest path in which no goodbye is taken back. The search uses no recursion, because a path may be
 * longer than the call stack.
 *
 * @returns `round`: a situation to which a walk can come back again and again, forever; null if there is no such
 * situation, or if the graph's `exchangeLimit` ends the repetition
 */
export function longestPath(
  graph: Graph,
  situations: readonly Situation[],
): { readonly path: Path; readonly round: Situation | null } {
  const starts = situations.filter(({ from }) => from === null)
  const limit = graph.policy.exchangeLimit
  const done: Longest = new Map()
  for (const start of starts) longestFrom(start, done, limit === null ? isOnward : unlimited)
  // The search for loops also follows the moves that take a goodbye back.
  const tried: Longest = new Map()
  const rounds = starts.map((start) => longestFrom(start, tried, limit === null ? () => true : isWithinLimit))
  const round = rounds.find((found) => found !== null)
  const tail = tailAfterLimit(situations, done)
  if (round) {
    const moves = pathTo(round)
    if (limit === null) return { path: { ...NOWHERE, moves }, round }
    return { path: { exchanges: limit + tail, moves, isCutByLimit: true }, round: null }
  }
  const [slowest] = starts.toSorted((a, b) => (done.get(b)?.exchanges ?? 0) - (done.get(a)?.exchanges ?? 0))
  if (!slowest) return { path: NOWHERE, round: null }
  const exchanges = done.get(slowest)?.exchanges ?? 0
  const moves = longestMoves(slowest, done)
  const isCutByLimit = limit !== null && exchanges > limit + tail
  return { path: { exchanges: isCutByLimit ? limit + tail : exchanges, moves, isCutByLimit }, round: null }
}

const isOnward = ({ move }: Passage): boolean => move.event.type !== 'resume'
const isWithinLimit = ({ move }: Passage): boolean => move.reason !== 'exchange-limit'
const unlimited = (passage: Passage): boolean => isOnward(passage) && isWithinLimit(passage)

/**
 * Adds to `done` the longest path from `first`, and the longest path from each situation that can follow. The function
 * follows only the moves for which `counts` returns true. Returns a situation that leads back to itself; null if there
 * is none.
 */
function longestFrom(first: Situation, done: Longest, counts: (passage: Passage) => boolean): Situation | null {
  if (done.has(first)) return null
  const open = new Set<Situation>([first])
  const stack = [{ here: first, at: 0, exchanges: 0, next: null as Passage | null }]
  let round: Situation | null = null
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const passage = top.here.exits[top.at]
    if (!passage) {
      done.set(top.here, { exchanges: top.exchanges, next: top.next })
      open.delete(top.here)
      stack.pop()
      continue
    }
    const known = done.get(passage.to)
    if (!counts(passage) || (!known && open.has(passage.to))) {
      if (counts(passage)) round ??= passage.to
      top.at += 1
    } else if (known) {
      const exchanges = known.exchanges + exchangesIn(passage.move)
      if (exchanges > top.exchanges) Object.assign(top, { exchanges, next: passage })
      top.at += 1
    } else {
      open.add(passage.to)
      stack.push({ here: passage.to, at: 0, exchanges: 0, next: null })
    }
  }
  return round
}

/** Returns the greatest number of exchanges that a conversation can have after it reached the limit of exchanges. */
function tailAfterLimit(situations: readonly Situation[], done: Longest): number {
  let most = 0
  for (const { exits } of situations) {
    for (const { to, move } of exits) {
      if (move.reason !== 'exchange-limit') continue
      if (!done.has(to)) longestFrom(to, done, unlimited)
      most = Math.max(most, done.get(to)?.exchanges ?? 0)
    }
  }
  return most
}

function longestMoves(first: Situation, done: Longest): readonly Move[] {
  const moves: Move[] = []
  for (let next = done.get(first)?.next; next; next = done.get(next.to)?.next) moves.push(next.move)
  return moves
}

function exchangesIn(move: Move): number {
  return move.event.type === 'exchange' ? 1 : 0
}
