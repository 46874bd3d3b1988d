import { startWalk } from '../../../worker/core/walk/walk.ts'
import type { SessionStore } from '../../../worker/session/session-store.ts'
import { graphOf, sampleNpc, sampleScenario } from '../sample-scenario.ts'
import {
  action,
  annotation,
  choice,
  decision,
  guarded,
  recall,
  reflection,
  sideEffect,
  stateGraph,
  terminal,
} from '../state-graph.ts'
import type { Draws } from './draws.ts'

const TIER = graphOf()
/** A graph with an annotation, a recall and a reflection before a reply, and an event and a decision after it. */
const STATES = stateGraph({
  nodes: [
    action('greet', [choice('noted'), choice('end_session')]),
    annotation('noted', guarded('remember')),
    recall('remember', guarded('conclude'), null),
    reflection('conclude', guarded('tell')),
    action('tell', [guarded('told')], { actions: ['tell'], maxTurns: 1, selfLoop: false }),
    sideEffect('told', guarded('choose')),
    decision('choose', [choice('greet'), choice('end_session')]),
    terminal(),
  ],
})

/**
 * Creates a conversation. Its graph is either a tier graph or a context graph with inner work before and after the
 * replies.
 */
export function newWalkOf(store: SessionStore, draws: Draws, at: number): void {
  const graph = draws.oneIn(3) ? STATES : TIER
  store.create(
    {
      session: 'history',
      epoch: 'first',
      scenario: sampleScenario,
      npc: sampleNpc.id,
      graph,
      engine: 'graph',
      seed: 0,
      person: 'new',
      learner: { kind: 'anonymous', id: 'a' },
      run: null,
      createdAt: at,
    },
    startWalk(graph),
  )
}
