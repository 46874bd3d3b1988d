import { describe, expect, it } from 'vitest'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { action, guarded, stateGraph, terminal } from '../support/state-graph.ts'

/** Returns a graph whose first state has one exit. The walker takes the exit when the state is satisfied. */
const graphWith = (satisfyWhen: string | null) =>
  stateGraph({ nodes: [action('greet', [guarded('end_session')], { satisfyWhen }), terminal()] })

describe('exploration of what nobody judges', () => {
  it('[graph-8] takes a report of satisfied for no way out where nothing says when that is', () => {
    expect(verifyGraph(graphWith(null)).findings.map(({ code, at }) => [code, at])).toEqual([['G008', '/nodes/greet']])
    expect(verifyGraph(graphWith('they said hello')).findings).toEqual([])
  })
})
