import { and, assign, not, setup } from 'xstate'
import { type Graph, type NodeId, type SpeakingNode, speaks, isGuarded } from '../worker/core/graph/graph.ts'
import type { WalkEvent } from '../worker/core/walk/event.ts'
import { levelOf } from '../worker/core/walk/relationship.ts'

/** The XState machine's context. It has everything of a walk that a backbone's rules read or write. */
export interface Counted {
  readonly seq: number
  readonly open: string | null
  readonly turns: number
  readonly graceUsed: number
  readonly stall: number
  readonly score: number
  readonly satisfied: readonly NodeId[]
  readonly forced: readonly NodeId[]
  readonly visits: readonly { readonly node: NodeId; readonly exchanges: number }[]
  readonly pivot: { readonly state: 'armed'; readonly unanswered: number } | null
  readonly overlays: readonly string[]
  readonly lent: string | null
  readonly isCutShort: boolean
}

export const ENDED = 'ended'

/**
 * Returns a backbone's graph as an XState v5 machine, written in XState's usual style: one state for each node, the
 * walker's rules for a report as guarded transitions in order, and the counters in the context. Every exit of the graph
 * must be one that the walker takes, without a condition.
 */
export function peerMachine(graph: Graph) {
  const { stallBackstop, detourGrace, pivotPatience, relationship } = graph.policy
  const made = setup({
    types: { context: {} as Counted, events: {} as WalkEvent },
    guards: {
      isNext: ({ context, event }) =>
        event.type === 'learner' && context.open === null && event.seq === context.seq + 1,
      isReported: ({ context, event }) =>
        event.type === 'report' && context.open === event.turnId && event.seq === context.seq + 1,
      isSatisfied: ({ event }) => event.type === 'report' && event.report.node_satisfied,
      isForgiven: ({ context, event }) =>
        event.type === 'report' &&
        event.report.detour_detected &&
        !event.report.node_satisfied &&
        context.graceUsed < detourGrace,
      isStalled: ({ context }) => context.stall + 1 >= stallBackstop,
      hasTurns: ({ context }, { turns }: { turns: number }) => context.turns + 1 >= turns,
      isArmed: ({ context }) => context.pivot !== null,
      isPatient: ({ context }) => context.pivot !== null && context.pivot.unanswered + 1 < pivotPatience,
      isChoice: ({ context, event }, { node, choices }: { node: NodeId; choices: readonly string[] }) =>
        event.type === 'pivot-choice' &&
        context.open === null &&
        context.pivot !== null &&
        event.node === node &&
        choices.includes(event.choice),
    },
    actions: {
      openTurn: assign(({ event }) => ({ open: event.type === 'learner' ? event.turnId : null })),
      lendOverlay: assign(({ context }, { id, atLeast }: { id: string; atLeast: string }) => {
        const rank = (level: string) => relationship.levels.findIndex((step) => step.level === level)
        const opens = !context.overlays.includes(id) && rank(levelOf(context.score, relationship)) >= rank(atLeast)
        return { lent: opens ? id : null }
      }),
      brief: () => {},
      command: (_, _params: { name: string }) => {},
      count: assign(({ context, event }, { forgiven }: { forgiven: boolean }) => {
        if (event.type !== 'report') return {}
        const by = Math.max(-2, Math.min(2, event.report.engagement_score))
        const score = Math.min(relationship.highest, Math.max(relationship.lowest, context.score + Math.trunc(by)))
        return {
          seq: event.seq,
          open: null,
          score,
          turns: context.turns + (forgiven ? 0 : 1),
          graceUsed: context.graceUsed + (forgiven ? 1 : 0),
          stall: context.stall + 1,
          visits: context.visits.map((visit, i) =>
            i === context.visits.length - 1 ? { ...visit, exchanges: visit.exchanges + 1 } : visit,
          ),
          overlays: context.lent === null ? context.overlays : [...context.overlays, context.lent],
          lent: null,
        }
      }),
      arm: assign({ pivot: { state: 'armed', unanswered: 0 } as const }),
      wait: assign(({ context }) => ({
        pivot: { state: 'armed', unanswered: (context.pivot?.unanswered ?? 0) + 1 } as const,
      })),
      choose: assign(({ context, event }, { moods }: { moods: Readonly<Record<string, number>> }) => {
        const mood = event.type === 'pivot-choice' ? (moods[event.choice] ?? 0) : 0
        return { score: Math.min(relationship.highest, Math.max(relationship.lowest, context.score + mood)) }
      }),
      leave: assign(({ context }, { from, to, earned }: { from: NodeId; to: NodeId | null; earned: boolean }) => ({
        satisfied: earned && !context.satisfied.includes(from) ? [...context.satisfied, from] : context.satisfied,
        forced: earned ? context.forced.filter((id) => id !== from) : [...context.forced, from],
        pivot: null,
        ...(to === null
          ? {}
          : { turns: 0, graceUsed: 0, stall: 0, visits: [...context.visits, { node: to, exchanges: 0 }] }),
      })),
      cutShort: assign({ isCutShort: true }),
    },
  })

  const reported = { type: 'count', params: { forgiven: false } } as const
  const forgiven = { type: 'count', params: { forgiven: true } } as const
  const leaving = (from: NodeId, to: NodeId | null, earned: boolean) =>
    ({ type: 'leave', params: { from, to, earned } }) as const
  const ending = [
    { type: 'command', params: { name: 'AI_AdvanceObjective' } },
    { type: 'command', params: { name: 'AI_EndConversation' } },
  ] as const

  const onReport = (node: SpeakingNode) => {
    const { id, isGate, minTurns, maxTurns, selfLoop } = node
    const to = node.exits.find(isGuarded)?.to ?? null
    const target = to ?? ENDED
    const out = to === null ? ending : []
    const { terminal } = graph
    const cut = [leaving(id, terminal, false), 'cutShort'] as const
    const go = (earned: boolean) => [reported, leaving(id, to, earned), ...out] as const
    const stale = { guard: not('isReported') } as const
    if (node.kind === 'pivot')
      return [
        stale,
        { guard: and(['isArmed', 'isPatient', 'isStalled']), target: terminal, actions: [reported, ...cut] },
        { guard: and(['isArmed', 'isPatient']), actions: [reported, 'wait'] },
        { guard: 'isArmed', target, actions: go(false) },
        { actions: [reported, 'arm', { type: 'command', params: { name: 'AI_PivotMoment' } }] },
      ] as const
    const holds = isGate
      ? ([
          { guard: and([not('isSatisfied'), 'isStalled']), target: terminal, actions: [reported, ...cut] },
          { guard: not('isSatisfied'), actions: reported },
        ] as const)
      : ([] as const)
    const forced =
      isGate || maxTurns === null
        ? []
        : [{ guard: { type: 'hasTurns', params: { turns: maxTurns } }, target, actions: go(false) } as const]
    const stays = { guard: 'isStalled', target: terminal, actions: [reported, ...cut] } as const
    const early = { guard: not({ type: 'hasTurns', params: { turns: minTurns } }), actions: reported } as const
    return [
      stale,
      ...holds,
      { guard: and(['isForgiven', 'isStalled']), target: terminal, actions: [forgiven, ...cut] },
      { guard: 'isForgiven', actions: forgiven },
      { guard: and(['isSatisfied', { type: 'hasTurns', params: { turns: minTurns } }]), target, actions: go(true) },
      ...forced,
      ...(selfLoop || isGate
        ? [stays, { actions: reported } as const]
        : [early, { target, actions: go(false) } as const]),
    ] as const
  }

  const onChoice = (node: SpeakingNode) => {
    if (node.kind !== 'pivot') return {}
    const to = node.exits.find(isGuarded)?.to ?? null
    const choices = node.pivot.choices.map(({ id }) => id)
    const moods = Object.fromEntries(node.pivot.choices.map(({ id, mood }) => [id, mood]))
    const guard = { type: 'isChoice', params: { node: node.id, choices } } as const
    const actions = [{ type: 'choose', params: { moods } } as const, leaving(node.id, to, true)]
    return { 'pivot-choice': { guard, target: to ?? ENDED, actions } }
  }

  const lending = ({ overlay }: SpeakingNode) =>
    overlay && 'relationship' in overlay.when
      ? [{ type: 'lendOverlay', params: { id: overlay.id, atLeast: overlay.when.relationship.atLeast } } as const]
      : []

  const states = Object.values(graph.nodes)
    .filter(speaks)
    .map((node) => {
      const learner = { guard: 'isNext', actions: ['openTurn', ...lending(node), 'brief'] } as const
      return [node.id, { on: { learner, report: onReport(node), ...onChoice(node) } }] as const
    })

  return made.createMachine({
    id: graph.id,
    initial: graph.entry,
    context: {
      seq: 0,
      open: null,
      turns: 0,
      graceUsed: 0,
      stall: 0,
      score: relationship.start,
      satisfied: [],
      forced: [],
      visits: [{ node: graph.entry, exchanges: 0 }],
      pivot: null,
      overlays: [],
      lent: null,
      isCutShort: false,
    },
    states: { ...Object.fromEntries(states), [ENDED]: { type: 'final' } },
  })
}
