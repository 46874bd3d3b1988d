import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { drawMermaid } from '../../worker/core/graph/map/mermaid.ts'
import { readMermaid } from '../support/mermaid-check.ts'
import { miniGraph, pass, pick } from '../support/mini-graph.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { anyCondition } from '../support/any-document.ts'
import { runs } from '../support/runs.ts'

const mixed = miniGraph({
  entry: 'greet',
  returning: 'welcome',
  terminal: 'close',
  terminals: { 'other@2': 'other@2/done' },
  nodes: {
    greet: {
      kind: 'speak',
      exits: [pick('choose', 'They are ready'), pick('other@2/look', 'They are worried', 'mark')],
    },
    welcome: {
      kind: 'speak',
      isGate: true,
      overlay: 'key',
      exits: [
        { ...pass('choose'), by: 'guard', when: { relationship: { atLeast: 'trusting' } } },
        { ...pass('fork'), id: 'else' },
      ],
    },
    fork: { kind: 'pivot', exits: [pass('choose')] },
    choose: { kind: 'decide', exits: [pick('weigh', 'It is unclear'), pick('close', 'Anything else')] },
    weigh: { kind: 'reflect', exits: [pass('mark')] },
    mark: { kind: 'annotate', exits: [pass('tell')] },
    tell: { kind: 'effect', exits: [pass('close')] },
    close: { kind: 'speak', exits: [pass(null)] },
    'other@2/look': { kind: 'recall', module: 'other@2', exits: [pass('other@2/done')] },
    'other@2/done': { kind: 'speak', module: 'other@2', exits: [pass(null)] },
  },
})

describe('a drawing', () => {
  it('[topology-7] has a shape for each kind, a box for each graph, marks, labels, and calls and returns dashed', () => {
    const { nodes, boxes, links } = readMermaid(drawMermaid(mixed))
    const labels = new Map([...nodes].map(([id, { label }]) => [id, label]))
    expect([...nodes.values()].map(({ label, shape }) => `${shape} ${label}`)).toEqual([
      '([ ]) start, new',
      '([ ]) start, returning',
      '( ) greet',
      '( ) welcome|gate|opens key',
      '{{ }} fork|pivot',
      '{ } choose',
      '([ ]) weigh',
      '> ] mark',
      '[/ /] tell',
      '( ) close|terminal',
      '[( )] look',
      '( ) done',
      '([ ]) the end',
    ])
    expect([...boxes.values()].map(({ title, nodes: inside }) => [title, inside.length])).toEqual([
      ['root@1', 8],
      ['other@2', 2],
    ])
    expect(
      links.map(({ from, to, arrow, label }) => `${labels.get(from)} ${arrow} ${labels.get(to)}: ${label}`),
    ).toEqual([
      'start, new --> greet: ',
      'start, returning --> welcome|gate|opens key: ',
      'greet --> choose: They are ready',
      'greet -.-> look: They are worried, returns to mark',
      'welcome|gate|opens key --> choose: relationship at least trusting',
      'welcome|gate|opens key --> fork|pivot: otherwise',
      'fork|pivot --> choose: ',
      'choose --> weigh: It is unclear',
      'choose --> close|terminal: Anything else',
      'weigh --> mark: ',
      'mark --> tell: ',
      'tell --> close|terminal: ',
      'close|terminal --> the end: ',
      'look --> done: ',
      'done -.-> mark: returns',
    ])
  })

  it('[topology-7] draws a backbone', () => {
    const { nodes, links } = readMermaid(drawMermaid(graphOf()))
    expect([...nodes.values()].map(({ label }) => label)).toEqual([
      'start',
      'GROUND',
      'SURFACE',
      'DEEPEN',
      'PIVOT_1|pivot',
      'DECISIVE|gate',
      'PIVOT_2|pivot',
      'RESOLVE|opens KEY_REVEAL',
      'CLOSE|terminal',
      'the end',
    ])
    expect(links).toHaveLength(9)
  })

  it('[topology-8] numbers and highlights a path, with an arrow of its own for a step that no exit makes', () => {
    const text = drawMermaid(mixed, ['greet', 'greet', 'choose', 'weigh', 'close', 'greet', 'choose'])
    const { nodes, links, classes, styledLinks } = readMermaid(text)
    const name = (id: string) => nodes.get(id)?.label ?? id
    expect((classes.get('walked') ?? []).map(name)).toEqual([
      '(1, 2, 6) greet',
      '(3, 7) choose',
      '(4) weigh',
      '(5) close|terminal',
    ])
    expect(
      styledLinks.map((i) => links[i]).map((link) => link && `${name(link.from)} to ${name(link.to)}: ${link.label}`),
    ).toEqual([
      '(1, 2, 6) greet to (3, 7) choose: (2, 6) They are ready',
      '(3, 7) choose to (4) weigh: (3) It is unclear',
      '(4) weigh to (5) close|terminal: (4)',
      '(5) close|terminal to (1, 2, 6) greet: (5)',
    ])
  })

  it('[topology-7] draws safety exits pale, but for those that a path went along', () => {
    const safe = (to: string, description: string) => ({ ...pick(to, description), isSafety: true })
    const graph = miniGraph({
      entry: 'a',
      terminal: 'c',
      nodes: {
        a: { kind: 'speak', exits: [pick('b', 'On'), safe('c', 'They want to stop')] },
        b: { kind: 'speak', exits: [pick('c', 'Done'), safe('c', 'They want to stop now')] },
        c: { kind: 'speak', exits: [pass(null)] },
      },
    })
    const pale = (path: readonly string[]) => {
      const { links, paleLinks } = readMermaid(drawMermaid(graph, path))
      return paleLinks.map((i) => links[i]?.label)
    }
    expect(pale([])).toEqual(['They want to stop', 'They want to stop now'])
    expect(pale(['a', 'c'])).toEqual(['They want to stop now'])
  })

  it('[topology-8] shows nodes that the graph does not have, on a path or behind an exit', () => {
    const broken = miniGraph({
      entry: 'a',
      terminal: 'b',
      nodes: { a: { kind: 'speak', exits: [pick('ghost', 'Boo')] } },
    })
    const { nodes, classes } = readMermaid(drawMermaid(broken, ['a', 'gone', '__proto__']))
    expect([...nodes.values()].map(({ label }) => label)).toEqual([
      'start',
      '(1) a',
      '(2) gone|not in this graph',
      '(3) __proto__|not in this graph',
      'ghost|not in this graph',
    ])
    expect(classes.get('gone')).toHaveLength(3)
  })

  it('[topology-9] shortens what is on an arrow, at a word', () => {
    const long = 'They have said in so many words that they would rather not talk about it'
    const drawn = miniGraph({
      entry: 'a',
      terminal: 'b',
      nodes: { a: { kind: 'speak', exits: [pick('b', long)] }, b: { kind: 'speak' } },
    })
    expect(readMermaid(drawMermaid(drawn)).links[1]?.label).toBe('They have said in so many words that they would…')
  })

  it('[topology-9] is well-formed whatever a state, a graph or a condition is called, and shows the name', () => {
    const anyName = fc.oneof(
      anyCondition,
      fc.constantFrom('end', 'graph', 'subgraph', 'class', '1. a', '- a', '_a_', '%%{init}', 'style x:#1;', 'ß°'),
    )
    fc.assert(
      fc.property(anyName, anyName, anyName, fc.nat(3), (state, module, condition, steps) => {
        const graph = named(state, module, condition)
        const { nodes, boxes, links } = readMermaid(
          drawMermaid(
            graph,
            Array.from({ length: steps }, () => graph.entry),
          ),
        )
        expect(nodes.size).toBe(4)
        expect(boxes.size).toBe(1)
        expect(links).toHaveLength(3)
        const plain = visible(state) || '(no name)'
        if (steps === 0) expect(nodes.get('n0')?.label).toBe(plain)
        else expect(nodes.get('n0')?.label).toBe(`(${[1, 2, 3].slice(0, steps).join(', ')}) ${plain}`)
        expect([...boxes.values()][0]?.title).toBe(visible(module) || '(no name)')
        const label = links[1]?.label ?? ''
        if (label.endsWith('…')) expect(visible(condition).startsWith(label.slice(0, -1))).toBe(true)
        else expect(label).toBe(visible(condition))
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[topology-9] is the same text for the same graph and path', () => {
    const path = ['greet', 'choose', 'close']
    expect(drawMermaid(structuredClone(mixed), [...path])).toBe(drawMermaid(mixed, path))
  })
})

/**
 * Returns a graph of two states with one arrow between them. `state` is the name of the first state. `module` is the
 * module to which the two states belong. `condition` is the label of the arrow.
 */
function named(state: string, module: string, condition: string): Graph {
  const graph = miniGraph({
    entry: 'a',
    terminal: 'b',
    nodes: { a: { kind: 'speak', exits: [pick('b', condition)] }, b: { kind: 'speak', exits: [pass(null)] } },
  })
  const first = `${state} `
  const [a, b] = [graph.nodes['a'], graph.nodes['b']]
  if (!a || !b) throw new Error('no nodes')
  return {
    ...graph,
    entry: first,
    returning: first,
    nodes: { [first]: { ...a, id: first, module }, b: { ...b, module } },
    order: [first, 'b'],
  }
}

/** Returns a text as the diagram displays it, without escapes: on one line and without invisible characters. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
}
