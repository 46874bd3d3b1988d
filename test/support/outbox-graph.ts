import type { EffectNode, Graph, Module } from '../../worker/core/graph/graph.ts'

/** Returns a node with a side effect and no exit. */
export function effectNode(id: string, module: string): EffectNode {
  const sideEffect = { type: 'emit-event', event: 'check_in.finished', data: {} } as const
  return { kind: 'effect', id, module, intent: '', exits: [], sideEffect }
}

/**
 * The part of a linked graph that determines what outgoing messages contain. It has two states: one of the graph
 * itself, and one of a graph that it calls.
 */
export const linkedGraph: Pick<Graph, 'ir' | 'id' | 'version' | 'nodes' | 'modules'> = {
  ir: 2,
  id: 'check-in',
  version: 2,
  nodes: {
    notify: effectNode('notify', 'check-in@2'),
    'breathing@4/done': effectNode('breathing@4/done', 'breathing@4'),
  },
  modules: { 'check-in@2': module('check-in', 2), 'breathing@4': module('breathing', 4) },
}

function module(graph: string, version: number): Module {
  const id = `${graph}@${version}`
  return { id, graph, version, description: '', topology: '', terminal: '', speaksAtReturn: false }
}
