import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isModuleTerminal, type Graph, type NodeId, nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import { guidelinesFor } from '../../worker/core/walk/brief-node.ts'
import type { Effect, Step, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { deepFreeze } from '../../worker/deep-freeze.ts'
import { anyHappening, anyHappenings, happen, happenTurns, type Taken, wrongEvents } from '../support/any-events.ts'
import { anyGraph } from '../support/any-graph.ts'
import { anyReport } from '../support/walk-events.ts'
import { runs } from '../support/runs.ts'

const RUNS = { numRuns: runs('dear') }

describe('laws of the walk, for any graph', () => {
  it('[walk-1] the same walk and event give the same result, and nothing given is changed', () => {
    everyWalk((graph, taken) => {
      const frozen = deepFreeze(structuredClone(graph))
      for (const { event, before, step: made } of taken) {
        const again = step(frozen, deepFreeze(structuredClone(before)), deepFreeze(structuredClone(event)))
        same(again, made)
      }
    })
  })

  it('[walk-2] a walk is the fold of its events, and goes on the same after being stored and read at any point', () => {
    everyWalk((graph, taken) => {
      let folded = taken[0]?.before
      for (const { event, step: made } of taken) {
        const read = JSON.parse(JSON.stringify(folded)) as Walk
        same(read, folded)
        const next = step(graph, read, event)
        same(next, made)
        folded = next.walk
      }
    })
  })

  it('[walk-3] [walk-37] with a limit every walk ends, with the turn after the limit at the latest', () => {
    fc.assert(
      fc.property(anyGraph, fc.array(anyHappening, { minLength: 12, maxLength: 40 }), (graph, happenings) => {
        const limit = graph.policy.exchangeLimit
        fc.pre(limit !== null)
        for (const person of ['new', 'returning'] as const) {
          const taken = happenTurns(graph, happenings, limit + 5, startWalk(graph, person))
          const walk = taken.at(-1)?.step.walk
          expect(walk?.end).not.toBeNull()
          expect(walk?.seq).toBeLessThanOrEqual(limit + 1)
        }
      }),
      RUNS,
    )
  })

  it('[walk-4] no field of a report but satisfied, engagement and detour can change the walk or what is asked', () => {
    fc.assert(
      fc.property(anyGraph, anyHappenings, anyReport, (graph, happenings, other) => {
        for (const { event, before, step: made } of happen(graph, happenings)) {
          if (event.type !== 'report') continue
          const { node_satisfied, engagement_score, detour_detected } = event.report
          const report = { ...other, node_satisfied, engagement_score, detour_detected }
          const changed = step(graph, before, { ...event, report, quality: 'salvaged' })
          same([changed.walk, changed.effects], [made.walk, made.effects])
        }
      }),
      RUNS,
    )
  })

  it('[walk-5] every pointer move starts the counters again', () => {
    everyWalk((_, taken) => {
      for (const { step: made } of taken) {
        const { turns, graceUsed, stall, visits } = made.walk
        const here = visits.at(-1)?.exchanges
        same([turns + graceUsed, stall], [here, here])
      }
    })
  })

  it('[walk-6] visits are joined by exits, calls, returns, the backstop or the limit, and the last is where the pointer is', () => {
    everyWalk((graph, taken) => {
      for (const { before, step: made } of taken) {
        expect(made.walk.visits.at(-1)?.node).toBe(made.walk.node)
        for (const [i, entry] of made.trace.entries())
          if (entry.type === 'moved') expect(isJoined(graph, entry, made.trace[i - 1])).toBe(true)
        if (made.trace.some(({ type }) => type === 'internal-loop')) continue
        const moves = made.trace.flatMap((entry) => (entry.type === 'moved' ? [entry.to] : []))
        const visited = made.walk.visits.map(({ node }) => node)
        expect(visited).toEqual([...before.visits.map(({ node }) => node), ...moves])
      }
    })
  })

  it('[walk-7] no node is both satisfied and forced, and both were visited', () => {
    everyWalk((_, taken) => {
      for (const { step: made } of taken) {
        const { satisfied, forced, visits } = made.walk
        const visited = new Set(visits.map(({ node }) => node))
        const listed = [...satisfied, ...forced]
        expect(listed.filter((id, i) => !visited.has(id) || listed.indexOf(id) !== i)).toEqual([])
      }
    })
  })

  it('[walk-8] an ended walk stays as it is, whatever comes', () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.array(anyHappening, { minLength: 12, maxLength: 40 }),
        anyHappenings,
        (graph, acts, late) => {
          const ended = happenTurns(graph, acts, 40, startWalk(graph)).at(-1)?.step.walk
          fc.pre(ended !== undefined && ended.end !== null)
          for (const { step: made } of happen(graph, late, ended)) {
            expect(made.walk).toBe(ended)
            expect(made.effects).toEqual([])
            expect(made.trace.map(({ type }) => type)).toEqual(['ignored'])
          }
        },
      ),
      RUNS,
    )
  })

  it('[walk-9] what is said again, out of order, by another name or in answer to something else changes nothing', () => {
    fc.assert(
      fc.property(anyGraph, anyHappenings, anyHappening, (graph, happenings, happening) => {
        const taken = happen(graph, happenings)
        for (const { event, step: made } of taken) {
          const mayComeAgain = isNew(event, made.walk)
          const wrong = [...(mayComeAgain ? [] : [event]), ...wrongEvents(made.walk, happening, 'late')]
          expect(wrong.filter((late) => !isIgnored(step(graph, made.walk, late), made.walk, late))).toEqual([])
        }
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[walk-9] answers to requests of turns gone by change nothing', () => {
    everyWalk((graph, taken) => {
      const walk = taken.at(-1)?.step.walk
      if (!walk) return
      for (const { event } of taken) {
        if (event.type === 'learner' || !('turnId' in event) || event.turnId === walk.open?.turnId) continue
        expect(step(graph, walk, event).walk).toBe(walk)
      }
    })
  })

  it('[walk-29] a completed turn has had one briefing, applied one exchange, and stands where somebody speaks', () => {
    everyWalk((graph, taken) => {
      for (const turn of turnsIn(taken)) {
        const briefs = turn.steps.flatMap(({ step: made }) => made.effects.filter(({ type }) => type === 'brief'))
        expect(briefs.length).toBeLessThanOrEqual(1)
        for (const { step: made } of turn.steps) expect(made.effects.filter(isWaitedFor).length).toBeLessThanOrEqual(1)
        if (!turn.isComplete) continue
        expect(briefs).toHaveLength(1)
        expect(turn.after.seq).toBe(turn.before.seq + 1)
        expect(speaks(nodeOf(graph, turn.after.node))).toBe(true)
      }
    })
  })

  it('[walk-30] [walk-31] calls and returns balance, each return lands where its call said, and none nests too deep', () => {
    everyWalk((graph, taken) => {
      for (const turn of turnsIn(taken)) {
        let [stack, home] = [turn.before.stack, turn.before.stack]
        for (const entry of turn.steps.flatMap(({ step: made }) => made.trace)) {
          if (entry.type === 'decision') home = stack
          if (entry.type === 'internal-loop') stack = home
          if (entry.type === 'called') stack = [...stack, entry.returnTo]
          if (entry.type === 'moved' && isCut(entry.reason)) stack = []
          if (entry.type === 'jumpback') {
            expect(isModuleTerminal(graph, nodeOf(graph, entry.from))).toBe(true)
            expect(stack.at(-1)).toBe(entry.to)
            stack = stack.slice(0, -1)
          }
          expect(stack.length).toBeLessThanOrEqual(graph.policy.inside.depth)
        }
        if (turn.isComplete) expect(turn.after.stack).toEqual(turn.after.end ? [] : stack)
      }
    })
  })

  it('[walk-32] no turn passes more silent nodes than it may, or one twice with nothing found in between', () => {
    everyWalk((graph, taken) => {
      for (const turn of turnsIn(taken)) {
        const trace = turn.steps.flatMap(({ step: made }) => made.trace)
        let [steps, passed] = [0, new Set<NodeId>()]
        for (const [i, entry] of trace.entries()) {
          if (entry.type === 'thought' && entry.thought.kind === 'recall' && entry.thought.found.length > 0)
            passed = new Set()
          if (entry.type !== 'moved' || speaks(nodeOf(graph, entry.to))) continue
          const isTooMuch = steps >= graph.policy.inside.silentSteps || passed.has(entry.to)
          expect(trace[i + 1]?.type === 'internal-loop').toBe(isTooMuch)
          if (isTooMuch) continue
          steps += 1
          passed.add(entry.to)
        }
      }
    })
  })

  it('[walk-32] a loop before the reply goes back to where the turn began, one after it to where it was spoken', () => {
    everyWalk((_, taken) => {
      for (const turn of turnsIn(taken)) {
        for (const { before, step: made } of turn.steps) {
          if (!made.trace.some(({ type }) => type === 'internal-loop')) continue
          if (made.trace.some((entry) => entry.type === 'moved' && isCut(entry.reason))) continue
          const origin = made.walk.open ? turn.before : reportedIn(turn.steps)
          expect(made.walk.node).toBe(origin?.node)
          expect(made.walk.stack).toEqual(origin?.stack)
          expect(made.walk.thoughts).toEqual(origin?.thoughts)
          expect(made.walk.queries).toEqual(origin?.queries)
          expect(made.walk.visits.length).toBe(origin?.visits.length)
          if (made.walk.open) expect(made.walk.open.sends).toEqual([])
          else expect(made.effects.filter(isSend).map(({ id }) => id)).toEqual(origin?.open?.sends.map(({ id }) => id))
          expect(before.open).not.toBeNull()
        }
      }
    })
  })

  it('[walk-18] [walk-32] no walk stands in one place for longer than the backstop allows, looping or not', () => {
    everyWalk((graph, taken) => {
      for (const { step: made } of taken) {
        const { node, stall, satisfied, end, open } = made.walk
        const isOpened = isGate(graph, node) && satisfied.includes(node)
        if (!end && !open) expect(stall).toBeLessThan(graph.policy.stallBackstop + (isOpened ? 1 : 0))
      }
    })
  })

  it('[walk-28] [walk-33] no more exits of speaking nodes are chosen in a turn than it may, and each question is asked twice at most', () => {
    everyWalk((graph, taken) => {
      for (const turn of turnsIn(taken)) {
        const trace = turn.steps.flatMap(({ step: made }) => made.trace)
        const hops = trace.filter((entry) => entry.type === 'exit-selected' && speaks(nodeOf(graph, entry.node)))
        expect(hops.length).toBeLessThanOrEqual(graph.policy.inside.hops)
        for (const { before, event, step: made } of turn.steps) {
          if (event.type !== 'selection' || before.open?.waiting?.request !== event.request) continue
          const asked = made.effects.find(({ type }) => type === 'selection-request')
          const isRefused = made.trace.some(({ type }) => type === 'selection-refused')
          if (asked?.type === 'selection-request' && isRefused && asked.isRetry)
            expect(before.open.waiting.refusals).toBe(0)
          if (before.open.waiting.refusals === 1 && isRefused)
            expect(made.walk.node === before.node && asked).toBeFalsy()
        }
      }
    })
  })

  it('[walk-13] [walk-33] a gate counts as satisfied only by a report that said so there, and is left by nothing else but a cut', () => {
    everyWalk((graph, taken) => {
      const said = new Set<NodeId>()
      for (const { event, before, step: made } of taken) {
        const isTaken = made.walk !== before
        if (event.type === 'report' && isTaken && event.report.node_satisfied) said.add(before.node)
        const gates = made.walk.satisfied.filter((id) => isGate(graph, id))
        expect(gates.filter((id) => !said.has(id))).toEqual([])
        for (const entry of made.trace)
          if (entry.type === 'moved' && isGate(graph, entry.from))
            expect(isCut(entry.reason) || said.has(entry.from)).toBe(true)
      }
    })
  })

  it('[walk-34] at most 48 thoughts are kept, reflections within their words, and no query is performed twice', () => {
    everyWalk((_, taken) => {
      for (const { step: made } of taken) {
        expect(made.walk.thoughts.length).toBeLessThanOrEqual(48)
        expect(new Set(made.walk.queries).size).toBe(made.walk.queries.length)
        for (const thought of made.walk.thoughts)
          if (thought.kind === 'reflection') expect(thought.text.split(' ').length).toBeLessThanOrEqual(3)
      }
    })
  })

  it('[walk-23] [walk-35] what is given out has an id that never comes again, and only the end of a turn gives it out', () => {
    everyWalk((_, taken) => {
      const given = taken.flatMap(({ step: made }) => made.effects.filter(hasId))
      const ids = given.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.toSorted()).toEqual([...(taken.at(-1)?.step.walk.emitted ?? [])].toSorted())
      for (const { step: made } of taken) if (made.effects.some(hasId)) expect(made.walk.open).toBeNull()
      const ended = taken.find(({ step: made }) => made.walk.end)
      expect(ids.filter((id) => id === 'AI_EndConversation')).toHaveLength(ended ? 1 : 0)
      if (ended) expect(ids.at(-1)).toBe('AI_EndConversation')
    })
  })

  it('[walk-23] [walk-37] the objective is earned only when every gate was satisfied and nothing cut the conversation short', () => {
    everyWalk((graph, taken) => {
      const last = taken.at(-1)?.step.walk
      if (!last?.end) return
      const isCutShort = taken.some(({ step: made }) =>
        made.trace.some(
          (entry) =>
            (entry.type === 'decision' && isCut(entry.decision.reason)) ||
            (entry.type === 'moved' && isCut(entry.reason)),
        ),
      )
      const gates = graph.order.filter((id) => isGate(graph, id))
      const isEarned = !isCutShort && gates.every((id) => last.satisfied.includes(id))
      expect(last.end.completion).toBe(isEarned ? 'earned' : 'forced')
      const given = taken.flatMap(({ step: made }) => made.effects.filter(hasId).map(({ id }) => id))
      expect(given.some((id) => id.startsWith('AI_AdvanceObjective'))).toBe(isEarned)
    })
  })

  it('[walk-38] a turn that was briefed at the end of the graph, with nothing to judge, ends the conversation', () => {
    everyWalk((graph, taken) => {
      for (const { event, before, step: made } of taken) {
        if (event.type !== 'report' || made.walk === before) continue
        const node = nodeOf(graph, before.node)
        if (node.id !== graph.terminal || before.stack.length > 0 || !speaks(node) || node.satisfyWhen !== null)
          continue
        expect(made.walk.end).not.toBeNull()
      }
    })
  })

  it('[walk-36] a behavior changes neither the way of a walk nor what is offered, and each exchange is matched once', () => {
    everyWalk((graph, taken) => {
      let walk = taken[0]?.before
      for (const { event, step: made } of taken) {
        if (!walk) return
        const unmatched: WalkEvent = event.type === 'behavior' ? { ...event, behavior: null } : event
        const without = step(graph, walk, unmatched)
        expect(withoutBehavior(without.walk)).toBe(withoutBehavior(made.walk))
        expect(without.effects.map(offered)).toEqual(made.effects.map(offered))
        walk = without.walk
      }
      const activations = turnsIn(taken).map(({ steps, isComplete }) => ({
        isComplete,
        ids: steps.flatMap(({ step: made }) =>
          made.trace.flatMap((entry) => (entry.type === 'behavior-activated' ? [entry.activation] : [])),
        ),
      }))
      const kept = activations.filter(({ isComplete }) => isComplete).flatMap(({ ids }) => ids)
      expect(new Set(kept).size).toBe(kept.length)
      for (const { ids } of activations) expect(ids.length).toBeLessThanOrEqual(1)
    })
  })

  it('[walk-36] a behavior that joins takes nothing away; one that takes the place of a state’s own leaves what is hard', () => {
    everyWalk((graph, taken) => {
      for (const { step: made } of taken) {
        const node = nodeOf(graph, made.walk.node)
        if (!speaks(node)) continue
        const hard = { text: 'Never.', isHard: true }
        const guided = {
          ...node,
          guidelines: { navigation: ['N'], action: ['A'], boundary: [hard, { text: 'B', isHard: false }] },
        }
        const active = graph.behaviors.find(({ id }) => id === made.walk.behavior?.behavior)
        const told = guidelinesFor(graph, guided, made.walk)
        expect(told.boundary).toContainEqual(hard)
        if (active?.mode !== 'overwrite') {
          expect(told.navigation[0]).toBe('N')
          expect(told.action[0]).toBe('A')
          expect(told.boundary).toHaveLength(active ? 3 : 2)
        } else expect(told).toEqual({ ...active.guidelines, boundary: [hard, ...active.guidelines.boundary] })
      }
    })
  })
})

function everyWalk(check: (graph: Graph, taken: readonly Taken[]) => void) {
  fc.assert(
    fc.property(
      anyGraph,
      fc.constantFrom('new' as const, 'returning' as const),
      anyHappenings,
      (graph, person, happenings) => check(graph, happen(graph, happenings, startWalk(graph, person))),
    ),
    RUNS,
  )
}

interface Turn {
  readonly steps: readonly Taken[]
  readonly before: Walk
  readonly after: Walk
  readonly isComplete: boolean
}

/**
 * Divides the steps of a play into turns. A turn lasts from the learner's message until the turn ends or is abandoned.
 */
function turnsIn(taken: readonly Taken[]): readonly Turn[] {
  const turns: Turn[] = []
  let steps: Taken[] = []
  for (const one of taken) {
    if (!one.before.open && one.step.walk.open) steps = []
    if (one.before.open || one.step.walk.open) steps.push(one)
    const isOver = one.before.open && !one.step.walk.open
    if (isOver || (steps.length > 0 && one === taken.at(-1))) {
      const [first] = steps
      if (first)
        turns.push({
          steps,
          before: first.before,
          after: one.step.walk,
          isComplete: isOver === true,
        })
      steps = []
    }
  }
  return turns
}

/**
 * Returns the walk right after a turn's report, before the walk moved on. If the walk then runs into a loop of silent
 * nodes, the turn goes back to this walk. Returns null if the turn has no report.
 */
function reportedIn(steps: readonly Taken[]): Walk | null | undefined {
  const reported = steps.find(({ event, before, step: made }) => event.type === 'report' && made.walk !== before)
  if (!reported) return null
  const kept = reported.step.walk.open?.home
  if (kept) return kept
  const { node, stack, thoughts, queries, visits, open } = reported.before
  return { ...reported.step.walk, node, stack, thoughts, queries, visits, open }
}

function isJoined(
  graph: Graph,
  { from, to, reason }: Extract<Trace, { type: 'moved' }>,
  told: Trace | undefined,
): boolean {
  if (isCut(reason)) return to === graph.terminal
  const { exits } = nodeOf(graph, from)
  if (reason === 'jumpback') return told?.type === 'jumpback' && told.to === to
  if (told?.type === 'call-refused') return exits.some(({ returnTo }) => returnTo === to)
  if (told?.type === 'called') return exits.some((exit) => exit.to === to && exit.returnTo === told.returnTo)
  return exits.some((exit) => exit.to === to && exit.returnTo === null)
}

/**
 * Returns whether an event could come again after the walk has already handled it. A message can come again if its turn
 * was discarded. A choice can come again if the walk is at the same armed fork again.
 */
function isNew(event: WalkEvent, walk: Walk): boolean {
  if (walk.open) return false
  if (event.type === 'pivot-choice') return event.node === walk.node && walk.pivots[walk.node]?.state === 'armed'
  return event.type === 'learner' && event.seq === walk.seq + 1
}

function isCut(reason: string): boolean {
  return reason === 'backstop' || reason === 'exchange-limit'
}

function isGate(graph: Graph, id: NodeId): boolean {
  const node = graph.nodes[id]
  return node?.kind === 'speak' && node.isGate
}

function isWaitedFor({ type }: Effect): boolean {
  return type === 'brief' || type.endsWith('-request')
}

function hasId(effect: Effect): effect is Extract<Effect, { type: 'send' | 'command' }> {
  return effect.type === 'send' || effect.type === 'command'
}

function isSend(effect: Effect): effect is Extract<Effect, { type: 'send' }> {
  return effect.type === 'send'
}

function withoutBehavior(walk: Walk): string {
  return JSON.stringify(walk, (key, value: unknown) =>
    key === 'behavior' || key === 'activations' ? undefined : value,
  )
}

/** Returns what an effect requests or sends. Leaves out the guidelines in the request. */
function offered(effect: Effect): unknown {
  if (effect.type === 'brief') return effect.node.id
  if (effect.type === 'behavior-request') return effect.offered
  return effect.type === 'selection-request' ? [effect.node.id, effect.actions, effect.exits, effect.isRetry] : effect
}

function isIgnored({ walk, effects, trace }: Step, before: Walk, event: WalkEvent): boolean {
  const [entry] = trace
  const isTraced = trace.length === 1 && entry?.type === 'ignored' && entry.event === event.type
  return walk === before && effects.length === 0 && isTraced
}

/** Checks that two values are deeply and strictly equal. The check is slow only for values that differ. */
function same(one: unknown, other: unknown) {
  if (!isDeepStrictEqual(one, other)) expect(one).toStrictEqual(other)
}
