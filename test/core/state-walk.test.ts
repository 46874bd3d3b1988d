import { describe, expect, it } from 'vitest'
import {
  NO_GUIDELINES,
  type BehaviorSet,
  type Graph,
  type GraphNode,
  type PivotNode,
} from '../../worker/core/graph/graph.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import type { Effect, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { type Answers, tell, tellAll, type Told } from '../support/state-events.ts'
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
} from '../support/state-graph.ts'

const REFUSED = { picks: [null, { exit: 9 }] } satisfies Answers
const exit = (index: number) => ({ exit: index })
const act = (index: number) => ({ action: index })

describe('selecting', () => {
  const graph = stateGraph({
    nodes: [
      action('greet', [choice('weigh')]),
      decision('weigh', [choice('listen'), choice('end_session')]),
      action('listen', [choice('end_session')]),
      terminal(),
    ],
  })

  it('[walk-28] what is selected is an index into what was offered', () => {
    const told = tell(graph, startWalk(graph), { picks: [exit(0), exit(0), act(1)] })
    expect(requests(told)).toEqual([
      { at: 'greet', actions: ['do greet', 'do greet again'], exits: ['on to weigh'], isRetry: false },
      { at: 'weigh', actions: [], exits: ['on to listen', 'on to end_session'], isRetry: false },
      { at: 'listen', actions: ['do listen', 'do listen again'], exits: ['on to end_session'], isRetry: false },
    ])
    expect(told.trace).toEqual([
      { type: 'exit-selected', node: 'greet', exit: 'to weigh', description: 'on to weigh' },
      { type: 'moved', from: 'greet', to: 'weigh', reason: 'selected' },
      { type: 'exit-selected', node: 'weigh', exit: 'to listen', description: 'on to listen' },
      { type: 'moved', from: 'weigh', to: 'listen', reason: 'selected' },
      { type: 'action-selected', node: 'listen', action: 1 },
      { type: 'decision', decision: { from: 'listen', to: 'listen', reason: 'dwell' } },
      { type: 'mood-mismatch' },
    ])
    expect(told.walk).toMatchObject({ node: 'listen', engaged: [1], turns: 1, open: null })
  })

  it.each([
    ['none at all', null],
    ['an action that is not there', act(2)],
    ['an exit that is not there', exit(1)],
    ['a negative index', exit(-1)],
    ['half an index', act(0.5)],
    ['no number', act(Number.NaN)],
  ])('[walk-28] %s is asked for once more, by a request of its own', (_, pick) => {
    const told = tell(graph, startWalk(graph), { picks: [pick, act(1)] })
    expect(requests(told).map(({ isRetry }) => isRetry)).toEqual([false, true])
    expect(selectionTrace(told)).toEqual([
      { type: 'selection-refused', node: 'greet' },
      { type: 'action-selected', node: 'greet', action: 1 },
    ])
    expect(new Set(told.effects.flatMap((effect) => ('request' in effect ? [effect.request] : []))).size).toBe(2)
  })

  it('[walk-28] refused twice, a speaking node takes its first action', () => {
    const told = tell(graph, startWalk(graph), REFUSED)
    expect(selectionTrace(told)).toEqual([
      { type: 'selection-refused', node: 'greet' },
      { type: 'selection-refused', node: 'greet' },
      { type: 'action-selected', node: 'greet', action: 0 },
    ])
    expect(told.walk.node).toBe('greet')
  })

  it('[walk-28] refused twice, a decision takes its last exit, and the next question begins anew', () => {
    const told = tell(graph, startWalk(graph), { picks: [null, exit(0), null, act(0)] })
    expect(selectionTrace(told)).toEqual([
      { type: 'selection-refused', node: 'greet' },
      { type: 'exit-selected', node: 'greet', exit: 'to weigh', description: 'on to weigh' },
      { type: 'selection-refused', node: 'weigh' },
      { type: 'selection-refused', node: 'weigh' },
      { type: 'exit-selected', node: 'weigh', exit: 'to end_session', description: 'on to end_session' },
      { type: 'action-selected', node: 'end_session', action: 0 },
    ])
    expect(told.walk.end).toEqual({ completion: 'earned' })
  })

  it('[walk-28] a single action is taken without asking; a single exit beside no action is asked for', () => {
    const alone = stateGraph({ nodes: [action('greet', [], { actions: ['wait'] }), terminal()] })
    expect(requests(tell(alone, startWalk(alone)))).toEqual([])
    const only = stateGraph({ nodes: [action('greet', [choice('end_session')], { actions: [] }), terminal()] })
    const told = tell(only, startWalk(only), { picks: [exit(0)] })
    expect(requests(told)).toEqual([{ at: 'greet', actions: [], exits: ['on to end_session'], isRetry: false }])
    expect(told.walk.end).not.toBeNull()
    const refused = tell(only, startWalk(only), REFUSED)
    expect(refused.effects.at(-1)).toMatchObject({ type: 'brief', node: { id: 'greet', state: null } })
  })

  it('[walk-9] an answer to another request, of another kind or after the fact changes nothing and is traced', () => {
    const opened = step(graph, startWalk(graph), { type: 'learner', turnId: 't', seq: 1 })
    const [asked] = opened.effects
    if (asked?.type !== 'selection-request') throw new Error('nothing was asked')
    const at = { turnId: 't', request: asked.request }
    const picked: WalkEvent = { type: 'selection', ...at, pick: act(0) }
    const late = step(graph, opened.walk, picked).walk
    const wrong: readonly (readonly [Walk, WalkEvent, string])[] = [
      [opened.walk, { ...picked, request: 'another' }, 'no-such-request'],
      [opened.walk, { ...picked, turnId: 'another' }, 'no-such-turn'],
      [opened.walk, { type: 'reflection', ...at, text: 'so' }, 'no-such-request'],
      [opened.walk, { type: 'behavior', ...at, behavior: null }, 'no-such-request'],
      [opened.walk, { type: 'memories', ...at, memories: [] }, 'no-such-request'],
      [opened.walk, { type: 'report', turnId: 't', seq: 1, report: EMPTY_REPORT, quality: 'clean' }, 'no-such-request'],
      [late, picked, 'no-such-request'],
      [startWalk(graph), picked, 'no-such-turn'],
    ]
    for (const [walk, event, why] of wrong) {
      const taken = step(graph, walk, event)
      expect(taken.walk).toBe(walk)
      expect(taken.trace).toEqual([{ type: 'ignored', event: event.type, why }])
      expect(taken.effects).toEqual([])
    }
  })
})

describe('silent nodes', () => {
  const graph = stateGraph({
    nodes: [
      action('greet', [choice('note')]),
      annotation('note', guarded('look')),
      recall('look', guarded('think'), ['what they want', 'what they fear']),
      reflection('think', guarded('send'), 3),
      sideEffect('send', guarded('listen')),
      action('listen', [choice('look'), choice('think'), choice('end_session')]),
      terminal(),
    ],
  })
  const through: Answers = { picks: [exit(0), act(0)], found: ['peace'], reflection: ' one two  three four five ' }

  it('[walk-29] a turn passes them unheard and gives exactly one briefing, where somebody speaks', () => {
    const told = tell(graph, startWalk(graph), through)
    expect(told.effects.map(({ type }) => type)).toEqual([
      'selection-request',
      'recall-request',
      'reflection-request',
      'selection-request',
      'brief',
      'send',
    ])
    expect(told.walk.visits).toEqual([
      { node: 'greet', exchanges: 0 },
      { node: 'note', exchanges: 0 },
      { node: 'look', exchanges: 0 },
      { node: 'think', exchanges: 0 },
      { node: 'send', exchanges: 0 },
      { node: 'listen', exchanges: 1 },
    ])
  })

  it('[walk-34] what was noted, found and concluded stays in mind and in the log, the conclusion cut to its words', () => {
    const told = tell(graph, startWalk(graph), through)
    const thoughts = [
      { kind: 'annotation', node: 'note', text: 'noted note' },
      { kind: 'recall', node: 'look', query: 'what they want', found: ['peace'] },
      { kind: 'recall', node: 'look', query: 'what they fear', found: ['peace'] },
      { kind: 'reflection', node: 'think', text: 'one two three' },
    ]
    expect(told.walk.thoughts).toEqual(thoughts)
    expect(told.trace.flatMap((entry) => (entry.type === 'thought' ? [entry.thought] : []))).toEqual(thoughts)
    const brief = told.effects.find(({ type }) => type === 'brief')
    expect(JSON.stringify(brief)).toContain('one two three')
  })

  it('[walk-34] a conclusion that comes to nothing leaves nothing', () => {
    const graph = stateGraph({
      nodes: [action('greet', [choice('weigh')]), reflection('weigh', guarded('talk')), action('talk', []), terminal()],
    })
    const { walk, trace } = tell(graph, startWalk(graph), { picks: [{ exit: 0 }], reflection: ' \n ' })
    expect([walk.node, walk.thoughts]).toEqual(['talk', []])
    expect(trace.filter(({ type }) => type === 'thought')).toEqual([])
  })

  it('[walk-34] a query is asked once in a conversation; with nothing left to ask a recall is passed', () => {
    const partly = stateGraph({
      nodes: [
        action('greet', [choice('one'), choice('both')]),
        recall('one', guarded('greet'), ['q1']),
        recall('both', guarded('greet'), ['q1', 'q2', 'q2']),
        terminal(),
      ],
    })
    const first = tell(partly, startWalk(partly), { picks: [exit(0), act(0)] })
    expect(recalls(first)).toEqual([{ queries: ['q1'], performed: [] }])
    const second = tell(partly, first.walk, { picks: [exit(1), act(0)], found: ['x'] })
    expect(recalls(second)).toEqual([{ queries: ['q2', 'q2'], performed: ['q1'] }])
    expect(second.walk.queries).toEqual(['q1', 'q2'])
    expect(second.walk.thoughts).toHaveLength(2)
    const third = tell(partly, second.walk, { picks: [exit(1), act(0)] })
    expect(recalls(third)).toEqual([])
    expect(moves(third)).toEqual(['greet>both', 'both>greet'])
  })

  it('[walk-34] queries that the actor writes are asked for with what was asked before, and count like any other', () => {
    const written = stateGraph({
      nodes: [action('greet', [choice('look')]), recall('look', guarded('greet'), null), terminal()],
    })
    const once = tell(written, startWalk(written), { picks: [exit(0), act(0)], queries: ['a', 'b', 'a'], found: ['x'] })
    const again = tell(written, once.walk, { picks: [exit(0), act(0)], queries: ['b', 'c'], found: ['y'] })
    expect(recalls(again)).toEqual([{ queries: null, performed: ['a', 'b'] }])
    expect(again.walk.queries).toEqual(['a', 'b', 'c'])
    expect(again.walk.thoughts.map((thought) => thought.kind === 'recall' && thought.query)).toEqual(['a', 'b', 'c'])
  })

  it('[walk-34] the latest 48 thoughts are kept, and the log has all of them', () => {
    const long = stateGraph({
      nodes: [action('greet', [choice('note')]), annotation('note', guarded('greet')), terminal()],
      policy: { exchangeLimit: null },
    })
    const told = tellAll(
      long,
      Array.from({ length: 60 }, () => ({ picks: [exit(0), act(0)] })),
    )
    expect(told.walk.thoughts).toHaveLength(48)
    expect(told.trace.filter(({ type }) => type === 'thought')).toHaveLength(60)
  })

  it('[walk-35] a side effect goes out with the end of its turn, under an id that never comes again', () => {
    const round = stateGraph({
      nodes: [action('greet', [choice('send')]), sideEffect('send', guarded('greet')), terminal()],
    })
    const told = tellAll(round, [{ picks: [exit(0), act(0)] }, { picks: [exit(0), act(0)] }])
    const sends = told.effects.filter(({ type }) => type === 'send')
    expect(sends.map((effect) => (effect.type === 'send' ? [effect.id, effect.node] : []))).toEqual([
      ['send:0:2:send', 'send'],
      ['send:1:4:send', 'send'],
    ])
    expect(told.walk.emitted).toEqual(['send:0:2:send', 'send:1:4:send'])
    expect(told.effects.map(({ type }) => type).slice(0, 4)).toEqual([
      'selection-request',
      'selection-request',
      'brief',
      'send',
    ])
  })

  it('[walk-35] a turn sends nothing before its end', () => {
    const before = startWalk(graph)
    const { events } = tell(graph, before, through)
    for (let upTo = 1; upTo < events.length; upTo++) {
      const { effects } = feed(graph, before, events.slice(0, upTo))
      expect(effects.filter(({ type }) => type === 'send')).toEqual([])
    }
    const again = tell(graph, before, through)
    expect(again.effects.filter(({ type }) => type === 'send')).toHaveLength(1)
  })

  it('[walk-29] [walk-39] after the reply, a turn that is still under way gives nothing out', () => {
    const late = stateGraph({
      nodes: [
        action('greet', [guarded('send')], { maxTurns: 1 }),
        sideEffect('send', guarded('think')),
        reflection('think', guarded('listen')),
        action('listen', [choice('end_session')]),
        terminal(),
      ],
    })
    const before = startWalk(late)
    const told = tell(late, before)
    expect(told.effects.map(({ type }) => type)).toEqual(['selection-request', 'brief', 'reflection-request', 'send'])
    const { walk, effects } = feed(late, before, told.events.slice(0, -1))
    expect(walk.open?.isSpoken).toBe(true)
    expect(effects.some(({ type }) => type === 'send')).toBe(false)
    expect(told.walk).toMatchObject({ node: 'listen', seq: 1, emitted: ['send:1:2:send'] })
  })
})

describe('calls', () => {
  it('[walk-30] a called graph that ends goes back without a word to where its call said', () => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('sub@1/ask', 'ask them', 'after')]),
        annotation('after', guarded('listen')),
        action('listen', [choice('end_session')]),
        terminal(),
        action('sub@1/ask', [choice('sub@1/done')]),
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done' } },
    })
    const called = tell(graph, startWalk(graph), { picks: [exit(0), act(0)] })
    expect(called.walk).toMatchObject({ node: 'sub@1/ask', stack: ['after'] })
    expect(called.trace).toContainEqual({ type: 'called', from: 'greet', to: 'sub@1/ask', returnTo: 'after' })
    const back = tell(graph, called.walk, { picks: [exit(0), act(0)] })
    expect(back.walk).toMatchObject({ node: 'listen', stack: [], turns: 1 })
    expect(moves(back)).toEqual(['sub@1/ask>sub@1/done', 'sub@1/done>after', 'after>listen'])
    expect(back.effects.filter(({ type }) => type === 'brief')).toHaveLength(1)
  })

  it('[walk-30] returns go on through as many calls as end together', () => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('mid@1/begin', 'begin', 'end_session')]),
        terminal(),
        action('mid@1/begin', [choice('sub@1/ask', 'ask', 'mid@1/done')]),
        terminal('mid@1/done'),
        action('sub@1/ask', [choice('sub@1/done')]),
        terminal('sub@1/done'),
      ],
      modules: { 'mid@1': { terminal: 'mid@1/done' }, 'sub@1': { terminal: 'sub@1/done' } },
    })
    const deep = tell(graph, startWalk(graph), { picks: [exit(0), exit(0), act(0)] })
    expect(deep.walk).toMatchObject({ node: 'sub@1/ask', stack: ['end_session', 'mid@1/done'] })
    const ended = tell(graph, deep.walk, { picks: [exit(0)] })
    expect(moves(ended)).toEqual(['sub@1/ask>sub@1/done', 'sub@1/done>mid@1/done', 'mid@1/done>end_session'])
    expect(ended.trace.filter(({ type }) => type === 'jumpback')).toEqual([
      { type: 'jumpback', from: 'sub@1/done', to: 'mid@1/done' },
      { type: 'jumpback', from: 'mid@1/done', to: 'end_session' },
    ])
    expect(ended.walk).toMatchObject({ node: 'end_session', stack: [], end: { completion: 'earned' } })
  })

  it('[walk-30] a graph that was told to speak at its return speaks first, and returns with its reply', () => {
    const graph = speakingCallee([choice('sub@1/done')], {})
    const called = tell(graph, startWalk(graph), { picks: [exit(0), act(0)] })
    const spoken = tell(graph, called.walk, { picks: [exit(0)] })
    expect(spoken.effects.at(-1)).toMatchObject({ type: 'brief', node: { id: 'sub@1/done', isTerminal: false } })
    expect(spoken.walk).toMatchObject({ node: 'listen', stack: [], turns: 0, end: null })
    expect(moves(spoken)).toEqual(['sub@1/ask>sub@1/done', 'sub@1/done>listen'])
  })

  it('[walk-30] come to by a guard after a reply, it speaks in the next turn: nothing it was told to say is lost', () => {
    const graph = speakingCallee([guarded('sub@1/done')], { maxTurns: 1 })
    const called = tell(graph, startWalk(graph), { picks: [exit(0), act(0)] })
    expect(called.walk).toMatchObject({ node: 'sub@1/done', stack: ['listen'] })
    const spoken = tell(graph, called.walk)
    expect(spoken.effects.find(({ type }) => type === 'brief')).toMatchObject({ node: { id: 'sub@1/done' } })
    expect(spoken.walk).toMatchObject({ node: 'listen', stack: [] })
  })

  it('[walk-31] calls nest eight deep; the ninth is not offered where anything else is', () => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('sub@1/ask', 'ask', 'greet')]),
        terminal(),
        action('sub@1/ask', [choice('sub@1/ask', 'deeper', 'sub@1/done'), choice('sub@1/done')]),
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done' } },
      policy: { exchangeLimit: null },
    })
    const deep = tellAll(
      graph,
      Array.from({ length: 8 }, () => ({ picks: [exit(0), act(0)] })),
    )
    expect(deep.walk.stack).toEqual(['greet', ...Array<string>(7).fill('sub@1/done')])
    const last = tell(graph, deep.walk, { picks: [exit(0), act(0)] })
    expect(requests(last)[0]?.exits).toEqual(['on to sub@1/done'])
    expect(last.trace.filter(({ type }) => type === 'jumpback')).toHaveLength(8)
    expect(last.walk).toMatchObject({ node: 'greet', stack: [] })
  })

  it.each([
    ['a decision with no other exit', decision('sub@1/deeper', [choice('sub@1/ask', 'deeper', 'sub@1/ask')])],
    ['a note on the way', annotation('sub@1/deeper', guarded('sub@1/ask', 'sub@1/ask'))],
  ])('[walk-31] beyond that, the call of %s is left out: it goes on at its return', (_, node) => {
    const graph = stateGraph({
      nodes: [
        action('greet', [choice('sub@1/ask', 'ask', 'greet')]),
        terminal(),
        action('sub@1/ask', [choice('sub@1/deeper')]),
        node,
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done' } },
      policy: { exchangeLimit: null },
    })
    const turn = { picks: node.kind === 'decide' ? [exit(0), exit(0), act(0)] : [exit(0), act(0)] }
    const deep = tellAll(graph, [{ picks: [exit(0), act(0)] }, ...Array.from({ length: 7 }, () => turn)])
    expect(deep.walk.stack).toHaveLength(8)
    const left = tell(graph, deep.walk, turn)
    expect(left.walk).toMatchObject({ node: 'sub@1/ask', stack: deep.walk.stack })
    expect(left.trace).toContainEqual({ type: 'call-refused', node: 'sub@1/deeper', why: 'depth' })
    expect(moves(left)).toEqual(['sub@1/ask>sub@1/deeper', 'sub@1/deeper>sub@1/ask'])
  })
})

function speakingCallee(exits: Parameters<typeof action>[1], change: Parameters<typeof action>[2]): Graph {
  return stateGraph({
    nodes: [
      action('greet', [choice('sub@1/ask', 'ask them', 'listen')]),
      action('listen', [choice('end_session')]),
      terminal(),
      action('sub@1/ask', exits, change),
      terminal('sub@1/done'),
    ],
    modules: { 'sub@1': { terminal: 'sub@1/done', speaksAtReturn: true } },
  })
}

describe('loops of silent nodes', () => {
  const loop = stateGraph({
    nodes: [
      action('a', [choice('sub@1/note', 'call', 'd'), choice('d')]),
      decision('d', [choice('b'), choice('end_session')]),
      action('b', [choice('send')]),
      sideEffect('send', guarded('d')),
      terminal(),
      annotation('sub@1/note', guarded('sub@1/done')),
      terminal('sub@1/done'),
    ],
    modules: { 'sub@1': { terminal: 'sub@1/done' } },
  })

  it('[walk-32] a silent node that comes again with nothing learned takes the turn back to where it began', () => {
    const before = tell(loop, startWalk(loop)).walk
    const told = tell(loop, before, { picks: [exit(0), exit(0), exit(0), act(1)] })
    expect(moves(told)).toEqual(['a>sub@1/note', 'sub@1/note>sub@1/done', 'sub@1/done>d', 'd>b', 'b>send', 'send>d'])
    expect(told.trace.slice(-5)).toEqual([
      { type: 'moved', from: 'send', to: 'd', reason: 'passed' },
      { type: 'internal-loop', node: 'd' },
      { type: 'action-selected', node: 'a', action: 0 },
      { type: 'decision', decision: { from: 'a', to: 'a', reason: 'dwell' } },
      { type: 'mood-mismatch' },
    ])
    // The walker has abandoned the path that it took through the silent nodes. So the walk contains no annotation,
    // visit, side effect or call from this path.
    expect(told.walk).toEqual({
      ...before,
      seq: 2,
      turns: 2,
      stall: 2,
      engaged: [0, 0],
      visits: [{ node: 'a', exchanges: 2 }],
    })
    expect(told.effects.filter(({ type }) => type === 'send')).toEqual([])
  })

  it('[walk-32] not so once a recall has found something since', () => {
    const found = stateGraph({
      nodes: [
        action('a', [choice('d')]),
        decision('d', [choice('look'), choice('b')]),
        recall('look', guarded('d'), ['q']),
        action('b', [choice('end_session')]),
        terminal(),
      ],
    })
    const picks = [exit(0), exit(0), exit(1), act(0)]
    expect(tell(found, startWalk(found), { picks, found: ['it'] }).walk.node).toBe('b')
    expect(tell(found, startWalk(found), { picks, found: [] }).walk).toMatchObject({
      node: 'a',
      queries: [],
      thoughts: [],
    })
  })

  it('[walk-32] at most sixteen silent nodes are passed; with the seventeenth the turn goes back', () => {
    const chain = (length: number): Graph =>
      stateGraph({
        nodes: [
          action('a', [choice('n1')]),
          ...Array.from({ length }, (_, i) => annotation(`n${i + 1}`, guarded(i + 1 < length ? `n${i + 2}` : 'b'))),
          action('b', [choice('end_session')]),
          terminal(),
        ],
      })
    const picks = [exit(0), act(0)]
    expect(tell(chain(16), startWalk(chain(16)), { picks }).walk.node).toBe('b')
    const over = tell(chain(17), startWalk(chain(17)), { picks })
    expect(over.trace).toContainEqual({ type: 'internal-loop', node: 'n17' })
    expect(over.walk).toMatchObject({ node: 'a', thoughts: [], engaged: [0] })
  })

  const afterReply = stateGraph({
    nodes: [
      action('a', [choice('send')], { actions: [] }),
      sideEffect('send', guarded('b')),
      action('b', [choice('end_session'), guarded('sub@1/ask', 'n')], { maxTurns: 1, actions: ['go on'] }),
      annotation('n', guarded('m')),
      sideEffect('m', guarded('n')),
      terminal(),
      annotation('sub@1/ask', guarded('sub@1/done')),
      terminal('sub@1/done'),
    ],
    modules: { 'sub@1': { terminal: 'sub@1/done' } },
  })

  it('[walk-32] [walk-39] after a reply it goes back to where that was spoken: what came before stays, what came since does not', () => {
    const told = tell(afterReply, startWalk(afterReply), { picks: [exit(0), act(0)] })
    expect(moves(told)).toEqual([
      'a>send',
      'send>b',
      'b>sub@1/ask',
      'sub@1/ask>sub@1/done',
      'sub@1/done>n',
      'n>m',
      'm>n',
    ])
    expect(told.walk).toMatchObject({ node: 'b', seq: 1, stack: [], thoughts: [], turns: 1, open: null })
    expect(told.walk.visits).toEqual([
      { node: 'a', exchanges: 0 },
      { node: 'send', exchanges: 0 },
      { node: 'b', exchanges: 1 },
    ])
    expect(told.effects.flatMap((effect) => (effect.type === 'send' ? [effect.id] : []))).toEqual(['send:0:2:send'])
  })

  it('[walk-32] [walk-39] so it does when the reply led through a return first', () => {
    const graph = stateGraph({
      nodes: [
        action('a', [choice('sub@1/ask', 'ask', 'n')]),
        annotation('n', guarded('m')),
        annotation('m', guarded('n')),
        terminal(),
        action('sub@1/ask', [guarded('sub@1/done')], { maxTurns: 2 }),
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done' } },
    })
    const told = tellAll(graph, [{ picks: [exit(0), act(0)] }, {}])
    expect(told.trace).toContainEqual({ type: 'internal-loop', node: 'n' })
    expect(told.walk).toMatchObject({ node: 'sub@1/ask', stack: ['n'], seq: 2, turns: 2, thoughts: [], open: null })
  })
})

describe('nothing to judge', () => {
  it('[walk-11] where nothing is judged, nothing is a detour: the exchange counts', () => {
    const at = (satisfyWhen: string | null) =>
      stateGraph({ nodes: [action('greet', [choice('end_session')], { satisfyWhen }), terminal()] })
    const counts = (graph: Graph) => tell(graph, startWalk(graph), { report: { detour_detected: true } }).walk
    expect(counts(at(null))).toMatchObject({ turns: 1, graceUsed: 0 })
    expect(counts(at('they agree'))).toMatchObject({ turns: 0, graceUsed: 1 })
  })
})

describe('exits that are held back', () => {
  const gate = (actions: readonly string[]) =>
    stateGraph({
      nodes: [
        action('tell', [choice('listen'), choice('end_session')], { isGate: true, satisfyWhen: 'they know', actions }),
        action('listen', [choice('end_session')]),
        terminal(),
      ],
    })

  it('[walk-33] before the least number of turns only actions are offered', () => {
    const graph = stateGraph({ nodes: [action('greet', [choice('end_session')], { minTurns: 2 }), terminal()] })
    const told = tellAll(graph, [{}, {}, {}])
    expect(requests(told).map(({ exits }) => exits.length)).toEqual([0, 0, 1])
  })

  it('[walk-33] a gate offers its exits once a report has said it is satisfied, in whatever turn', () => {
    const graph = gate(['say it', 'say it again'])
    const told = tellAll(graph, [{}, { report: { node_satisfied: true } }, { picks: [exit(0), act(0)] }])
    expect(requests(told).map(({ exits }) => exits.length)).toEqual([0, 0, 2, 1])
    expect(decisions(told)).toEqual(['gate-hold', 'dwell', 'dwell'])
    expect(told.walk).toMatchObject({ node: 'listen', satisfied: ['tell'] })
  })

  it('[walk-33] a gate with nothing but exits speaks until it is satisfied, and is left by one of them then', () => {
    const graph = gate([])
    const told = tellAll(graph, [{}, { report: { node_satisfied: true } }, { picks: [exit(1)] }])
    expect(requests(told).map(({ at, exits }) => [at, exits.length])).toEqual([['tell', 2]])
    expect(told.walk).toMatchObject({
      node: 'end_session',
      satisfied: ['tell'],
      end: { completion: 'earned' },
    })
  })

  it('[walk-33] [walk-18] a gate that never is leads to the end by the backstop alone, unearned', () => {
    const told = tellAll(
      gate(['say it']),
      Array.from({ length: 7 }, () => ({})),
    )
    expect(decisions(told)).toEqual([...Array<string>(5).fill('gate-hold'), 'backstop', 'max-turns'])
    expect(told.walk).toMatchObject({
      node: 'end_session',
      forced: ['tell', 'end_session'],
      end: { completion: 'forced' },
    })
  })

  it('[walk-18] [walk-33] a gate that opens in the sixth exchange has one more for an exit to be chosen, and no second one', () => {
    const acts = [...Array.from({ length: 5 }, () => ({})), { report: { node_satisfied: true } }]
    const opened = tellAll(gate(['say it']), acts)
    expect(decisions(opened)).toEqual([...Array<string>(5).fill('gate-hold'), 'dwell'])
    const left = tell(gate(['say it']), opened.walk, { picks: [exit(1)] })
    expect(left.walk.end).toEqual({ completion: 'earned' })
    const stayed = tell(gate(['say it']), opened.walk, { report: { node_satisfied: true } })
    expect(decisions(stayed)).toEqual(['backstop'])
    expect(stayed.walk).toMatchObject({ node: 'end_session', isCutShort: true })
  })

  it('[walk-33] after three exits chosen in a turn only actions are offered, and in the next turn exits again', () => {
    const graph = stateGraph({
      nodes: [action('a', [choice('b')]), action('b', [choice('a')]), terminal()],
    })
    const told = tell(graph, startWalk(graph), { picks: [exit(0), exit(0), exit(0), exit(0), act(1)] })
    expect(requests(told).map(({ at, exits }) => [at, exits.length])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 1],
      ['b', 0],
      ['b', 0],
    ])
    expect(told.walk).toMatchObject({ node: 'b', engaged: [1] })
    expect(requests(tell(graph, told.walk))[0]?.exits).toEqual(['on to a'])
  })
})

describe('behaviors', () => {
  const graph = stateGraph({
    nodes: [action('greet', [choice('end_session')]), terminal()],
    behaviors: [behavior('calm', 'merge'), behavior('crisis', 'overwrite')],
    policy: { stallBackstop: 99, exchangeLimit: null },
  })
  const match = (id: string | null): Answers => ({ behavior: id })

  it('[walk-36] one is matched in an exchange, before anything is selected', () => {
    const told = tell(graph, startWalk(graph), match('calm'))
    expect(told.effects.map(({ type }) => type)).toEqual(['behavior-request', 'selection-request', 'brief'])
    expect(told.effects[0]).toMatchObject({
      offered: [
        { id: 'calm', triggers: ['calm is needed'] },
        { id: 'crisis', triggers: ['crisis is needed'] },
      ],
      active: null,
    })
    expect(told.walk.behavior).toEqual({ activation: 'behavior:1', behavior: 'calm', quiet: 0 })
  })

  it('[walk-36] the same one, or none for up to two exchanges, lets it go on; a third lets it go', () => {
    const told = tellAll(graph, ['calm', null, 'calm', null, 'unheard-of', null, null].map(match))
    expect(behaviorTrace(told)).toEqual([
      'activated behavior:1',
      'kept behavior:1',
      'kept behavior:1',
      'kept behavior:1',
      'kept behavior:1',
      'released behavior:1',
    ])
    expect(told.walk.behavior).toBeNull()
  })

  it('[walk-36] another one takes its place at once, and every activation has an id of its own', () => {
    const told = tellAll(graph, ['calm', 'crisis', 'calm'].map(match))
    expect(behaviorTrace(told)).toEqual([
      'activated behavior:1',
      'released behavior:1',
      'activated behavior:2',
      'released behavior:2',
      'activated behavior:3',
    ])
  })

  it('[walk-36] [walk-32] a loop forgets the way, and not what the exchange was matched to', () => {
    const loop = stateGraph({
      nodes: [action('a', [choice('n')]), annotation('n', guarded('m')), annotation('m', guarded('n')), terminal()],
      behaviors: [behavior('calm', 'merge')],
    })
    const told = tell(loop, startWalk(loop), { behavior: 'calm', picks: [exit(0)] })
    expect(told.walk).toMatchObject({ node: 'a', thoughts: [], behavior: { behavior: 'calm' } })
  })

  it('[walk-29] begins even where nobody speaks', () => {
    const silent = stateGraph({
      nodes: [annotation('note', guarded('greet')), action('greet', []), terminal()],
      behaviors: [behavior('calm', 'merge')],
    })
    expect(tell(silent, startWalk(silent)).walk).toMatchObject({ node: 'greet', seq: 1, open: null })
  })
})

describe('the limit of exchanges', () => {
  const nested = (speaksAtReturn: boolean, exchangeLimit: number) =>
    stateGraph({
      nodes: [
        action('greet', [choice('sub@1/ask', 'ask', 'listen')]),
        action('listen', []),
        terminal(),
        action('sub@1/ask', [choice('sub@1/ask2', 'deeper', 'sub@1/ask'), choice('sub@1/done')]),
        action('sub@1/ask2', []),
        terminal('sub@1/done'),
      ],
      modules: { 'sub@1': { terminal: 'sub@1/done', speaksAtReturn } },
      policy: { exchangeLimit, stallBackstop: 99 },
    })

  it('[walk-37] leads to the terminal node out of every call, and nothing is earned', () => {
    const graph = nested(false, 3)
    const told = tellAll(graph, [{ picks: [exit(0), act(0)] }, { picks: [exit(0), act(0)] }, {}])
    expect(tellAll(graph, [{ picks: [exit(0), act(0)] }, { picks: [exit(0), act(0)] }]).walk.stack).toHaveLength(2)
    expect(told.walk).toMatchObject({ node: 'end_session', stack: [], isCutShort: true, seq: 3, end: null })
    expect(decisions(told)).toEqual(['dwell', 'dwell', 'exchange-limit'])
    const ended = tell(graph, told.walk)
    expect(ended.walk).toMatchObject({ seq: 4, end: { completion: 'forced' } })
    expect(ended.effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))).toEqual([
      'AI_EndConversation',
    ])
  })

  it('[walk-37] so it does from a called graph that was speaking at its return', () => {
    const graph = nested(true, 2)
    const told = tellAll(graph, [{ picks: [exit(0), act(0)] }, { picks: [exit(1)] }])
    expect(decisions(told)).toEqual(['dwell', 'exchange-limit'])
    expect(told.walk).toMatchObject({ node: 'end_session', stack: [], isCutShort: true })
  })

  it('[walk-37] in the terminal node itself it ends what would have stayed, unearned, whoever called', () => {
    const lingering = { ...terminal(), satisfyWhen: 'they said goodbye' } as GraphNode
    const graph = stateGraph({
      nodes: [action('greet', [choice('end_session')]), lingering],
      policy: { exchangeLimit: 1 },
    })
    const told = tell(graph, startWalk(graph), { picks: [exit(0)], report: { detour_detected: true } })
    expect(decisions(told)).toEqual(['exchange-limit'])
    expect(told.walk.end).toEqual({ completion: 'forced' })
    const called = { ...startWalk(graph), node: 'end_session', stack: ['greet'] }
    expect(tell(graph, called, { report: { detour_detected: true } }).walk).toMatchObject({
      stack: [],
      end: { completion: 'forced' },
    })
  })

  it('[walk-38] arriving at the end, the turn engages in its one action and the conversation ends with that reply', () => {
    const graph = stateGraph({ nodes: [action('greet', [choice('end_session')]), terminal()] })
    const told = tell(graph, startWalk(graph), { picks: [exit(0)], report: { detour_detected: true } })
    expect(told.trace).toContainEqual({ type: 'action-selected', node: 'end_session', action: 0 })
    expect(told.walk).toMatchObject({ seq: 1, end: { completion: 'earned' } })
    expect(told.effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))).toEqual([
      'AI_AdvanceObjective:talk',
      'AI_EndConversation',
    ])
  })
})

describe('guards and choices together', () => {
  const mixed = stateGraph({
    nodes: [
      action('greet', [choice('aside'), guarded('note')], { maxTurns: 2, satisfyWhen: 'they are ready' }),
      action('aside', [choice('greet')]),
      annotation('note', guarded('listen')),
      action('listen', [choice('end_session')]),
      terminal(),
    ],
  })

  it('[walk-39] selection comes before the reply and guards after it; the turn is complete when the walk is at rest', () => {
    const chosen = tell(mixed, startWalk(mixed), { picks: [exit(0), act(0)], report: { node_satisfied: true } })
    expect(chosen.walk.node).toBe('aside')
    const back = tell(mixed, chosen.walk, { picks: [exit(0), act(1)], report: { node_satisfied: true } })
    expect(moves(back)).toEqual(['aside>greet', 'greet>note', 'note>listen'])
    expect(back.trace.map(({ type }) => type)).toEqual([
      'exit-selected',
      'moved',
      'action-selected',
      'decision',
      'mood-mismatch',
      'moved',
      'thought',
      'moved',
    ])
    expect(back.walk).toMatchObject({ node: 'listen', turns: 0, open: null, seq: 2 })
  })

  it('[walk-39] [walk-16] what is not chosen is forced once its turns are over', () => {
    const told = tellAll(mixed, [{}, {}])
    expect(decisions(told)).toEqual(['dwell', 'max-turns'])
    expect(told.walk).toMatchObject({ node: 'listen', forced: ['greet'], satisfied: ['note'] })
  })

  it('[walk-40] somebody new begins at one entry, somebody who comes back at the other', () => {
    const graph = stateGraph({
      nodes: [action('greet', [choice('end_session')]), action('welcome_back', [choice('end_session')]), terminal()],
      returning: 'welcome_back',
    })
    expect(startWalk(graph).node).toBe('greet')
    expect(startWalk(graph, 'returning')).toMatchObject({
      node: 'welcome_back',
      visits: [{ node: 'welcome_back', exchanges: 0 }],
    })
    expect(tell(graph, startWalk(graph, 'returning')).walk.node).toBe('welcome_back')
  })
})

describe('a fork in a context graph', () => {
  const fork: PivotNode = {
    ...action('fork', [{ ...guarded('note'), id: 'onward' }], { actions: ['ask it'] }),
    kind: 'pivot',
    pivot: { id: 'p1', question: 'Which?', choices: [card('a', 2), card('b', -2)] },
  }
  const graph = stateGraph({
    nodes: [
      fork,
      annotation('note', guarded('send')),
      sideEffect('send', guarded('listen')),
      action('listen', [choice('fork'), choice('end_session')]),
      terminal(),
    ],
    policy: { exchangeLimit: null },
  })
  const chosen = (walk: Walk, id = 'a') => step(graph, walk, { type: 'pivot-choice', node: 'fork', choice: id })

  it('[walk-20] [walk-39] a choice goes on through a note and a side effect, and gives out what they send', () => {
    const armed = tell(graph, startWalk(graph)).walk
    const taken = chosen(armed)
    expect(taken.walk).toMatchObject({ node: 'listen', seq: 1, open: null, satisfied: ['fork', 'note', 'send'] })
    expect(taken.walk.thoughts).toEqual([{ kind: 'annotation', node: 'note', text: 'noted note' }])
    expect(taken.effects).toMatchObject([{ type: 'send', id: 'send:1:3:send' }])
    expect(taken.trace.map(({ type }) => type)).toEqual(['decision', 'moved', 'thought', 'moved', 'sent', 'moved'])
    expect(taken.walk.relationship.score).toBe(2)
  })

  it('[walk-12] [walk-23] met twice it is armed twice, by commands of different ids', () => {
    const first = tell(graph, startWalk(graph))
    const again = tell(graph, chosen(first.walk).walk, { picks: [exit(0)] })
    expect(again.walk.pivots['fork']).toEqual({ state: 'armed', unanswered: 0 })
    expect(
      [first, again].flatMap(({ effects }) =>
        effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : [])),
      ),
    ).toEqual(['AI_PivotMoment:fork', 'AI_PivotMoment:fork:2'])
    expect(chosen(again.walk, 'b').walk.node).toBe('listen')
    expect(chosen(chosen(again.walk, 'b').walk).trace).toEqual([
      { type: 'ignored', event: 'pivot-choice', why: 'not-here' },
    ])
  })

  it('[walk-12] unanswered it passes, as forced, and its way on is the same', () => {
    const told = tellAll(graph, [{}, {}, {}])
    expect(decisions(told)).toEqual(['pivot-armed', 'pivot-open', 'pivot-timeout'])
    expect(told.walk).toMatchObject({ node: 'listen', forced: ['fork'], pivots: { fork: { state: 'passed' } } })
  })

  it('[walk-12] [walk-20] [walk-32] whose way on is a loop, it is put once, a choice is ignored, and the backstop ends it', () => {
    const loop = { ...graph, nodes: { ...graph.nodes, send: annotation('send', guarded('note')) } }
    const armed = tell(loop, startWalk(loop))
    expect(step(loop, armed.walk, { type: 'pivot-choice', node: 'fork', choice: 'a' }).walk).toBe(armed.walk)
    const told = tellAll(
      loop,
      Array.from({ length: 5 }, () => ({})),
      armed.walk,
    )
    expect(decisions(told)).toEqual(['pivot-open', ...Array<string>(4).fill('pivot-timeout'), 'backstop'])
    expect(told.walk).toMatchObject({ node: 'end_session', isCutShort: true, emitted: ['AI_PivotMoment:fork'] })
  })

  it('[walk-20] a choice that led to where somebody has to be asked is ignored: nobody is there to ask', () => {
    const asking = { ...graph, nodes: { ...graph.nodes, note: reflection('note', guarded('send')) } }
    const armed = tell(asking, startWalk(asking)).walk
    const taken = step(asking, armed, { type: 'pivot-choice', node: 'fork', choice: 'a' })
    expect(taken.walk).toBe(armed)
    expect(taken.trace).toEqual([{ type: 'ignored', event: 'pivot-choice', why: 'not-here' }])
  })
})

function card(id: string, mood: number) {
  return { id, text: `The ${id}`, mood, reaction: '', effect: '' }
}

function behavior(id: string, mode: BehaviorSet['mode']): BehaviorSet {
  return { id, version: 1, triggers: [`${id} is needed`], mode, guidelines: NO_GUIDELINES }
}

function feed(graph: Graph, from: Walk, events: readonly WalkEvent[]) {
  let walk = from
  const effects: Effect[] = []
  for (const event of events) {
    const taken = step(graph, walk, event)
    walk = taken.walk
    effects.push(...taken.effects)
  }
  return { walk, effects }
}

function requests({ effects }: Told) {
  return effects.flatMap((effect) =>
    effect.type === 'selection-request'
      ? [{ at: effect.node.id, actions: effect.actions, exits: effect.exits, isRetry: effect.isRetry }]
      : [],
  )
}

function recalls({ effects }: Told) {
  return effects.flatMap((effect) =>
    effect.type === 'recall-request' ? [{ queries: effect.queries, performed: effect.performed }] : [],
  )
}

function moves({ trace }: Told) {
  return trace.flatMap((entry) => (entry.type === 'moved' ? [`${entry.from}>${entry.to}`] : []))
}

function decisions({ trace }: Told) {
  return trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision.reason] : []))
}

const SELECTION: ReadonlySet<Trace['type']> = new Set(['selection-refused', 'action-selected', 'exit-selected'])

function selectionTrace({ trace }: Told) {
  return trace.filter(({ type }) => SELECTION.has(type))
}

function behaviorTrace({ trace }: Told) {
  return trace.flatMap((entry) =>
    entry.type === 'behavior-activated' || entry.type === 'behavior-kept' || entry.type === 'behavior-released'
      ? [`${entry.type.slice('behavior-'.length)} ${entry.activation}`]
      : [],
  )
}
