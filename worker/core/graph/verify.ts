import { EMPTY_REPORT } from '../reply/report.ts'
import type { Reason, WalkEvent } from '../walk/event.ts'
import { levelOf } from '../walk/relationship.ts'
import { step } from '../walk/step.ts'
import { startWalk, type Walk } from '../walk/walk.ts'
import { type Finding, inOrder } from './finding.ts'
import type { Graph, NodeId } from './graph.ts'
import { canonical } from './hash.ts'

/** What exhaustive exploration proves of a graph. */
export interface Verified {
  /** Distinct situations a walk can be in. */
  readonly states: number
  /** The quickest way to the end, and the slowest an adversary can make it. In exchanges. */
  readonly shortest: Path
  readonly longest: Path
  readonly findings: readonly Finding[]
}

export interface Path {
  readonly exchanges: number
  readonly moves: readonly Move[]
}

/** One thing that happened on a path, small enough to read in a finding. */
export interface Move {
  readonly node: NodeId
  readonly event: Choice
  readonly reason: Reason | 'ignored'
}

/** What an exploration tries at each step: every report that can matter, at both ends of the relationship. */
export type Choice =
  | { readonly type: 'exchange'; readonly satisfied: boolean; readonly detour: boolean; readonly warm: boolean }
  | { readonly type: 'choose'; readonly choice: string; readonly warm: boolean }

/**
 * Walks a graph in every way there is: each reachable situation times each report and choice. Counters are bounded by
 * the policy, so there are few of them.
 *
 * Finds situations from which the end cannot be reached (G008), walks that need never end (G009), and gates left
 * unsatisfied by anything but the backstop (G036), each with the shortest way to see it.
 *
 * @param walker what is explored; another one than `step` is for seeing that a broken walker is found out.
 */
export function verify(graph: Graph, walker: typeof step = step): Verified {
  const explored = explore(graph, walker)
  const findings = [...bypasses(graph, explored), ...traps(explored)]
  const ends = shortestEnd(explored)
  const longest = longestPath(explored, findings)
  return { states: explored.size, shortest: ends, longest, findings: inOrder(findings) }
}

interface Situation {
  readonly walk: Walk
  /** The quickest way here. */
  readonly path: readonly Move[]
  readonly exits: Exit[]
}

interface Exit {
  readonly to: string
  readonly move: Move
}

function explore(graph: Graph, walker: typeof step): Map<string, Situation> {
  const start = startWalk(graph)
  const explored = new Map<string, Situation>([[keyOf(graph, start), { walk: start, path: [], exits: [] }]])
  const queue = [...explored.values()]
  for (let situation = queue.shift(); situation; situation = queue.shift()) {
    if (situation.walk.end) continue
    for (const choice of choicesAt(graph, situation.walk)) {
      const { walk, move } = make(graph, situation.walk, choice, walker)
      const to = keyOf(graph, walk)
      situation.exits.push({ to, move })
      if (explored.has(to)) continue
      const next: Situation = { walk, path: [...situation.path, move], exits: [] }
      explored.set(to, next)
      queue.push(next)
    }
  }
  return explored
}

/** Two walks that no rule can tell apart are one situation: only what a rule reads from here on is kept. */
function keyOf(graph: Graph, walk: Walk): string {
  const { node, turns, graceUsed, stall, overlays, end } = walk
  const gates = graph.order.filter((id) => graph.nodes[id]?.isGate && walk.satisfied.includes(id))
  return canonical({ node, turns, graceUsed, stall, gates, overlays, pivot: walk.pivots[node] ?? null, end })
}

function choicesAt(graph: Graph, walk: Walk): readonly Choice[] {
  const both = [false, true]
  const exchanges = both.flatMap((satisfied) =>
    both.flatMap((detour) => both.map((warm): Choice => ({ type: 'exchange', satisfied, detour, warm }))),
  )
  const node = graph.nodes[walk.node]
  if (node?.kind !== 'pivot' || walk.pivots[node.id]?.state !== 'armed') return exchanges
  const picks = node.pivot.choices.flatMap(({ id }) =>
    both.map((warm): Choice => ({ type: 'choose', choice: id, warm })),
  )
  return [...exchanges, ...picks]
}

function make(graph: Graph, from: Walk, choice: Choice, walker: typeof step): { walk: Walk; move: Move } {
  const { relationship } = graph.policy
  // The very ends, not where the last level begins: from there a choice that costs something would never hold it.
  const score = choice.warm ? relationship.highest : relationship.lowest
  const walk = { ...from, relationship: { score, level: levelOf(score, relationship) } }
  const stepped = eventsOf(walk, choice).reduce((last, event) => walker(graph, last.walk, event), {
    walk,
    effects: [],
    trace: [],
  } as ReturnType<typeof step>)
  const decided = stepped.trace.find((entry) => entry.type === 'decision')
  return {
    walk: stepped.walk,
    move: { node: from.node, event: choice, reason: decided?.decision.reason ?? 'ignored' },
  }
}

function eventsOf(walk: Walk, choice: Choice): readonly WalkEvent[] {
  if (choice.type === 'choose') return [{ type: 'pivot-choice', node: walk.node, choice: choice.choice }]
  const at = { turnId: 'explored', seq: walk.seq + 1 }
  const report = { ...EMPTY_REPORT, node_satisfied: choice.satisfied, detour_detected: choice.detour }
  return [
    { type: 'learner', ...at },
    { type: 'report', ...at, report, quality: 'clean' },
  ]
}

function bypasses(graph: Graph, explored: ReadonlyMap<string, Situation>): Finding[] {
  const findings: Finding[] = []
  for (const { walk, path, exits } of explored.values()) {
    if (!graph.nodes[walk.node]?.isGate) continue
    const wrong = exits.find(({ to, move }) => leaves(explored, walk, to) && !mayLeaveGate(move))
    if (wrong) findings.push(finding('G036', walk.node, 'The gate can be left unsatisfied', [...path, wrong.move]))
  }
  return findings
}

function leaves(explored: ReadonlyMap<string, Situation>, walk: Walk, to: string): boolean {
  const next = explored.get(to)?.walk
  return next !== undefined && (next.node !== walk.node || next.end !== null)
}

function mayLeaveGate(move: Move): boolean {
  if (move.reason === 'backstop') return true
  return move.reason === 'satisfied' && move.event.type === 'exchange' && move.event.satisfied
}

function traps(explored: ReadonlyMap<string, Situation>): Finding[] {
  const back = new Map<string, string[]>()
  for (const [from, { exits }] of explored) for (const { to } of exits) back.set(to, [...(back.get(to) ?? []), from])
  const safe = new Set<string>()
  const queue = [...explored].filter(([, { walk }]) => walk.end).map(([key]) => key)
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (safe.has(key)) continue
    safe.add(key)
    queue.push(...(back.get(key) ?? []))
  }
  return [...explored]
    .filter(([key]) => !safe.has(key))
    .map(([, { walk, path }]) => finding('G008', walk.node, 'The end cannot be reached', path))
}

function shortestEnd(explored: ReadonlyMap<string, Situation>): Path {
  // Quickest in exchanges: a choice costs none, so this is not the first end that a breadth-first search meets.
  const cost = new Map<string, Path>()
  const queue: string[] = []
  const [first] = explored.keys()
  if (first !== undefined) {
    cost.set(first, { exchanges: 0, moves: [] })
    queue.push(first)
  }
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
    const here = cost.get(key)
    for (const { to, move } of (here && explored.get(key)?.exits) ?? []) {
      const exchanges = (here?.exchanges ?? 0) + exchangesIn(move)
      if (exchanges >= (cost.get(to)?.exchanges ?? Number.POSITIVE_INFINITY)) continue
      cost.set(to, { exchanges, moves: [...(here?.moves ?? []), move] })
      queue.push(to)
    }
  }
  return [...explored]
    .filter(([, { walk }]) => walk.end)
    .flatMap(([key]) => cost.get(key) ?? [])
    .reduce((best, path) => (path.exchanges < best.exchanges ? path : best), {
      exchanges: Number.POSITIVE_INFINITY,
      moves: [],
    })
}

function longestPath(explored: ReadonlyMap<string, Situation>, findings: Finding[]): Path {
  const done = new Map<string, Path>()
  const open = new Set<string>()
  const visit = (key: string): Path => {
    const known = done.get(key)
    if (known) return known
    const situation = explored.get(key)
    if (!situation) return { exchanges: 0, moves: [] }
    if (open.has(key)) {
      findings.push(finding('G009', situation.walk.node, 'A walk can go round for ever', situation.path))
      return { exchanges: Number.POSITIVE_INFINITY, moves: [] }
    }
    open.add(key)
    let best: Path = { exchanges: 0, moves: [] }
    for (const { to, move } of situation.exits) {
      const rest = visit(to)
      const exchanges = rest.exchanges + exchangesIn(move)
      if (exchanges > best.exchanges) best = { exchanges, moves: [move, ...rest.moves] }
    }
    open.delete(key)
    done.set(key, best)
    return best
  }
  const [first] = explored.keys()
  return first === undefined ? { exchanges: 0, moves: [] } : visit(first)
}

function exchangesIn(move: Move): number {
  return move.event.type === 'exchange' ? 1 : 0
}

function finding(code: string, node: NodeId, what: string, path: readonly Move[]): Finding {
  const shown = path.map((move) => `${move.node} ${told(move.event)}`).join(', ')
  return { code, severity: 'error', at: `/nodes/${node}`, message: `${what}. See: ${shown || 'at the start'}.` }
}

function told(event: Choice): string {
  if (event.type === 'choose') return `chooses ${event.choice}`
  return `${event.satisfied ? 'satisfied' : 'unsatisfied'}${event.detour ? ' detour' : ''}`
}
