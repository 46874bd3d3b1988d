import { describe, expect, it } from 'vitest'
import { quantumOf, type QuantumPattern } from '../../worker/core/walk/quantum.ts'
import type { Trace } from '../../worker/core/walk/event.ts'
import fixture from '../fixtures/quantum.json' with { type: 'json' }
import { miniGraph, type MiniNode } from '../support/mini-graph.ts'

const graph = miniGraph({
  nodes: fixture.nodes as Record<string, MiniNode>,
  entry: 'a1',
  terminal: 'a2',
  terminals: { 'other@2': 'other@2/done' },
})

describe('the pattern of a turn', () => {
  it.each(fixture.cases)('[log-1] $name: $path', ({ from, trace, path, pattern }) => {
    expect(quantumOf(trace as Trace[], graph, from)).toEqual({ path, pattern })
  })

  it('[log-1] every pattern that has a name is among the cases', () => {
    const named: readonly QuantumPattern[] = [
      'stay',
      'direct',
      'reflective',
      'decision',
      'memory',
      'complex-chain',
      'multi-decision',
      'annotated',
      'side-effect-chain',
      'deep-analysis',
      'marked',
      'external-reference',
      'composite',
    ]
    expect([...new Set(fixture.cases.map(({ pattern }) => pattern))].toSorted()).toEqual(named.toSorted())
  })
})
