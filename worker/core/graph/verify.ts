import { cutsShort } from '../walk/move.ts'
import { step } from '../walk/step.ts'
import type { Walk } from '../walk/walk.ts'
import {
  type Choice,
  explore,
  isAtRest,
  type Move,
  type Passage,
  pathTo,
  type Situation,
  type Walker,
} from './explore.ts'
import { type Finding, inOrder } from './finding.ts'
import { type Graph, type NodeId, nodeOf, speaks } from './graph.ts'

/** What exhaustive exploration proves of a graph. */
export interface Verified {
  /** Distinct situations a walk can rest in between two turns. */
  readonly states: number
  /** The quickest way to the end for somebody new, and the slowest an adversary can make it for anybody. */
  readonly shortest: Path
  readonly longest: Path
  readonly findings: readonly Finding[]
}

export interface Path {
  readonly exchanges: number
  readonly moves: readonly Move[]
  /** The limit of exchanges ends it; if it could go round for ever, `moves` lead to where it comes round. */
  readonly isCutByLimit: boolean
}

/**
 * Walks a graph in every way there is: each reachable situation times every report, choice, selection and finding that
 * can matter. Counters are bounded by the policy, so there are few of them.
 *
 * Finds situations from which the end cannot be reached but by cutting the conversation short (G008), walks that need
 * never end (G009), and gates left unsatisfied by anything but the backstop or the limit (G036), each with the
 * shortest way to see it; and says when a graph is too large for that (G038).
 *
 * @param walker what is explored; another one than `step` is for seeing that a broken walker is found out.
 */
export function verify(graph: Graph, walker: Walker = step): Verified {
  const { situations, isWhole } = explore(graph, walker)
  const states = situations.filter(({ walk }) => isAtRest(walk)).length
  if (!isWhole) return { states, shortest: NOWHERE, longest: NOWHERE, findings: [tooLarge(graph)] }
  const findings = [...bypasses(graph, situations), ...traps(graph, situations)]
  const shortest = shortestEnd(situations)
  const longest = longestPath(graph, situations, findings)
  return { states, shortest, longest, findings: inOrder(findings) }
}

const NOWHERE: Path = { exchanges: Number.POSITIVE_INFINITY, moves: [], isCutByLimit: false }

function tooLarge(graph: Graph): Finding {
  return {
    code: 'G038',
    severity: 'error',
    at: '',
    message: `${graph.id} can stand in too many ways to try them all. Take out states or lower its limits.`,
  }
}

function bypasses(graph: Graph, situations: readonly Situation[]): Finding[] {
  return situations.flatMap((here) => {
    const node = nodeOf(graph, here.walk.node)
    if (!speaks(node) || !node.isGate) return []
    const wrong = here.exits.find((passage) => leaves(here.walk, passage) && !mayLeaveGate(here.walk, passage.move))
    return wrong ? [finding('G036', node.id, 'The gate can be left unsatisfied', [...pathTo(here), wrong.move])] : []
  })
}

function leaves(walk: Walk, { to }: Passage): boolean {
  return to.walk.node !== walk.node || to.walk.end !== null
}

function mayLeaveGate(walk: Walk, { event, reason }: Move): boolean {
  if (cutsShort(reason)) return true
  if (reason === 'selected') return walk.satisfied.includes(walk.node)
  return reason === 'satisfied' && event.type === 'exchange' && event.satisfied
}

/** Being cut short is no way out: whoever rests anywhere needs another. In the middle of a turn it may be too late. */
function traps(graph: Graph, situations: readonly Situation[]): Finding[] {
  const back = new Map<Situation, Situation[]>()
  for (const here of situations) {
    for (const { to, move } of here.exits)
      if (countsAsWayOut(graph, here, move)) back.set(to, [...(back.get(to) ?? []), here])
  }
  const safe = new Set<Situation>()
  const queue = situations.filter(({ walk }) => walk.end)
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (safe.has(here)) continue
    safe.add(here)
    queue.push(...(back.get(here) ?? []))
  }
  return firstAtEachNode(situations.filter((here) => isAtRest(here.walk) && !safe.has(here))).map((here) =>
    finding('G008', here.walk.node, 'The end cannot be reached', pathTo(here)),
  )
}

/** A node that says nothing of when it is satisfied is left satisfied only by an actor who oversteps. */
function countsAsWayOut(graph: Graph, here: Situation, { event, reason }: Move): boolean {
  if (cutsShort(reason)) return false
  const node = nodeOf(graph, here.walk.node)
  const isOverstep = event.type === 'exchange' && event.satisfied && reason === 'satisfied'
  return !isOverstep || !speaks(node) || node.satisfyWhen !== null
}

/** The quickest to be seen of each node: one way to see a defect is enough. */
function firstAtEachNode(situations: readonly Situation[]): readonly Situation[] {
  const seen = new Set<NodeId>()
  return situations.filter(({ walk }) => !seen.has(walk.node) && seen.add(walk.node))
}

/** Quickest in exchanges: much costs none, so this is not the first end that a breadth-first search meets. */
function shortestEnd(situations: readonly Situation[]): Path {
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
        if (exchanges >= (before.get(to)?.exchanges ?? Number.POSITIVE_INFINITY) || cutsShort(move.reason)) continue
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

/** The longest way, by depth-first search without recursion: a graph may be deeper than the call stack. */
function longestPath(graph: Graph, situations: readonly Situation[], findings: Finding[]): Path {
  const starts = situations.filter(({ from }) => from === null)
  const limit = graph.policy.exchangeLimit
  const done: Longest = new Map()
  const rounds = starts.map((start) => longestFrom(start, done, limit === null ? everyPassage : unlimited))
  const round = rounds.find((found) => found !== null)
  const tail = tailAfterLimit(situations, done)
  if (round) {
    if (limit !== null) return { exchanges: limit + tail, moves: pathTo(round), isCutByLimit: true }
    findings.push(finding('G009', round.walk.node, 'A walk can go round for ever', pathTo(round)))
    return { exchanges: Number.POSITIVE_INFINITY, moves: pathTo(round), isCutByLimit: false }
  }
  const [slowest] = starts.toSorted((a, b) => (done.get(b)?.exchanges ?? 0) - (done.get(a)?.exchanges ?? 0))
  if (!slowest) return NOWHERE
  const exchanges = done.get(slowest)?.exchanges ?? 0
  const moves = longestMoves(slowest, done)
  if (limit !== null && exchanges > limit + tail) return { exchanges: limit + tail, moves, isCutByLimit: true }
  return { exchanges, moves, isCutByLimit: false }
}

const everyPassage = (): boolean => true
const unlimited = ({ move }: Passage): boolean => move.reason !== 'exchange-limit'

/** Fills `done`; returns a situation that comes round to itself, if there is one. */
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

/** How long it takes from where the limit leads to until the end itself. */
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

function finding(code: string, node: NodeId, what: string, path: readonly Move[]): Finding {
  const shown = path.map((move) => `${move.node} ${told(move.event)}`).join(', ')
  return { code, severity: 'error', at: `/nodes/${node}`, message: `${what}. See: ${shown || 'at the start'}.` }
}

/** An event of a path in a word or two. */
export function told(event: Choice): string {
  switch (event.type) {
    case 'choose':
      return `chooses ${event.choice}`
    case 'exchange':
      return `${event.satisfied ? 'satisfied' : 'unsatisfied'}${event.detour ? ' detour' : ''}${event.isLast ? ' at the limit' : ''}`
    case 'speak':
      return 'hears'
    case 'select':
      return event.exit === null ? 'acts' : `takes exit ${event.exit}`
    case 'recall':
      return event.found ? 'recalls' : 'recalls nothing'
    case 'reflect':
      return 'reflects'
  }
}
