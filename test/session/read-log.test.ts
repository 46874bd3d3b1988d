import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { LogRecord } from '../../worker/core/walk/log-entry.ts'
import { migrate } from '../../worker/core/walk/migrate.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { readLog } from '../../worker/session/read-log.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { tell } from '../support/state-events.ts'
import { action, choice, stateGraph, terminal } from '../support/state-graph.ts'
import { newer } from '../support/versioned-graphs.ts'

const old = stateGraph({ nodes: [action('greet', [choice('end_session')]), terminal()] })
const welcoming = stateGraph({
  nodes: [action('welcome', [choice('greet')]), action('greet', [choice('end_session')]), terminal()],
})

describe('the interaction log of a session', () => {
  it('[log-6] begins at the entry, and where it began if a newer graph begins elsewhere', () => {
    const to = newer(welcoming, { nodes: {}, unknown: 'fail' })
    const told = tell(old, startWalk(old))
    const moved = migrate(told.walk, to)
    if (moved.outcome !== 'moved') throw new Error(JSON.stringify(moved))
    const on = tell(to, moved.walk)
    const records = (traces: readonly LogRecord['entry'][]): readonly LogRecord[] =>
      traces.map((entry, at) => ({ at, turn: 'a', entry }))
    const names = (graph: Graph, traces: readonly LogRecord['entry'][]) => {
      const { past, current } = readLog(infoOf(graph), records(traces), 9)
      return [...past, current].map(({ node }) => node)
    }
    expect(names(to, [])).toEqual(['welcome'])
    expect(names(to, moved.trace)).toEqual(['greet', 'greet'])
    expect(names(to, [...told.trace, ...moved.trace, ...on.trace])).toEqual(['greet', 'greet'])
  })
})

function infoOf(graph: Graph): SessionInfo {
  const pinned = { session: 's', epoch: 'e', engine: 'graph', seed: 0, person: 'new', run: null, createdAt: 0 } as const
  const learner = { kind: 'anonymous', id: 's' } as const
  return { ...pinned, learner, scenario: sampleScenario, npc: sampleNpc.id, graph }
}
