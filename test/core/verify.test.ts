import { describe, expect, it } from 'vitest'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { step } from '../../worker/core/walk/step.ts'
import { onward, withNode } from '../support/edit-graph.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'
import { action, choice, guarded, stateGraph, terminal } from '../support/state-graph.ts'

describe('exhaustive exploration', () => {
  it('[graph-8] TECHNICAL: every situation reaches the end, and no gate is left unsatisfied but by the backstop', () => {
    const proof = verifyGraph(graphOf())
    console.info(
      `TECHNICAL: ${proof.states} situations, shortest ${proof.shortest.exchanges} turns, longest ${proof.longest.exchanges}: ` +
        proof.longest.moves.map(({ node, reason }) => `${node} ${reason}`).join(', '),
    )
    expect(proof.findings).toEqual([])
    expect(proof.shortest.exchanges).toBe(7)
    expect(proof.longest.exchanges).toBe(27)
    expect(proof.states).toBe(523)
  })

  it('[graph-8] holds for a colleague with the least a scenario may have', () => {
    const least = {
      ...sampleNpc,
      beats: { beat1: [], beat6: [] },
      knowledge: [],
      decisionFacts: [],
      pivots: [],
      keyReveal: null,
    }
    const proof = verifyGraph(graphOf(least))
    expect(proof.findings).toEqual([])
    expect(proof.shortest.exchanges).toBe(2)
    expect(proof.longest.exchanges).toBe(8)
  })

  it('[graph-8] finds a walker that never ends, and shows the way to where it is stuck', () => {
    const stuck: typeof step = (graph, walk, event) => {
      const taken = step(graph, walk, event)
      return walk.node === 'CLOSE' && event.type === 'report' ? { ...taken, walk: { ...walk, open: null } } : taken
    }
    const unlimited = { ...graphOf(), policy: { ...graphOf().policy, exchangeLimit: null } }
    const { findings } = verifyGraph(unlimited, stuck)
    expect(findings.map(({ code }) => code)).toContain('G008')
    expect(findings.find(({ at }) => at === '/nodes/CLOSE')?.message).toMatch(
      /GROUND .*PIVOT_1 answers a.*DECISIVE satisfied/,
    )
  })

  it('[graph-8] finds a walker that lets a gate be left unsatisfied', () => {
    const lax: typeof step = (graph, walk, event) =>
      event.type === 'report' && walk.node === 'DECISIVE' && walk.turns >= 1
        ? step(graph, walk, { ...event, report: { ...event.report, node_satisfied: true } })
        : step(graph, walk, event)
    const { findings } = verifyGraph(graphOf(), lax)
    expect(findings.map(({ code, at }) => [code, at])).toContainEqual(['G036', '/nodes/DECISIVE'])
  })

  it('[graph-8] finds walks that never end', () => {
    const round = withNode(graphOf(), 'RESOLVE', { exits: onward('SURFACE') })
    const endless = { ...round, policy: { ...round.policy, exchangeLimit: null } }
    expect(verifyGraph(endless).findings.map(({ code }) => code)).toContain('G009')
  })

  it('[graph-8] [walk-33] tells a state that is come to by the last choice of a turn from the same one at its beginning', () => {
    const pass = (id: string, to: string) =>
      action(id, [choice(to), guarded('a')], { maxTurns: 1, selfLoop: false, minTurns: 0 })
    const graph = stateGraph({
      nodes: [action('a', [choice('b')]), pass('b', 'c'), pass('c', 'd'), pass('d', 'end_session'), terminal()],
      returning: 'd',
    })
    expect(verifyGraph(graph).findings.map(({ code, at }) => `${code} ${at}`)).toEqual(['G008 /nodes/a'])
  })
})
