import * as fc from 'fast-check'
import type { BehaviorSet, Exit, Graph, GraphNode, NodeId, SpeakNode, Guard } from '../../worker/core/graph/graph.ts'
import { DEFAULT_POLICY, type Policy } from '../../worker/core/graph/policy.ts'
import {
  action,
  annotation,
  decision,
  guarded,
  recall,
  reflection,
  sideEffect,
  stateGraph,
  terminal,
} from './state-graph.ts'

/**
 * Generates graphs of three to nine states in one or two modules. They have every kind of state, and calls from each
 * module to the other. No lint checks these graphs, so a walk may loop or get stuck in them. They fulfil only what the
 * walker cannot do without: every exit names an existing node, every silent node has an exit, and every conversation
 * begins and ends in a node where the colleague speaks.
 */
export const anyGraph: fc.Arbitrary<Graph> = fc
  .record({
    own: fc.array(anyNode(), { minLength: 1, maxLength: 5, size: 'max' }),
    called: fc.array(anyNode(), { maxLength: 2, size: 'max' }),
    entry: anySpeaking(),
    returning: fc.boolean(),
    policy: anyPolicy(),
    behaviors: fc.constantFrom<readonly BehaviorSet[]>([], [], BEHAVIORS()),
    speaksAtReturn: fc.record({ root: fc.boolean(), sub: fc.boolean() }),
    isJudged: fc.record({ root: fc.boolean(), sub: fc.boolean() }),
  })
  .map(({ own, called, entry, returning, policy, behaviors, speaksAtReturn, isJudged }) => {
    const ids = {
      root: ['greet', ...own.map((_, i) => `s${i}`), END],
      sub: [...called.map((_, i) => `${SUB}/s${i}`), SUB_END],
    }
    const root = [entry, ...own].map((make, i) => make(ids.root[i] ?? END, { own: ids.root, other: ids.sub }))
    const sub = called.map((make, i) => make(ids.sub[i] ?? SUB_END, { own: ids.sub, other: ids.root }))
    const ends = [lastOf(END, isJudged.root), lastOf(SUB_END, isJudged.sub)]
    const speaking = root.find(({ id, kind }) => id !== 'greet' && kind === 'speak')
    return stateGraph({
      nodes: [...root, ...sub, ...ends],
      terminal: END,
      returning: returning && speaking ? speaking.id : 'greet',
      policy,
      behaviors,
      modules: {
        'root@1': { terminal: END, speaksAtReturn: speaksAtReturn.root },
        [SUB]: { terminal: SUB_END, speaksAtReturn: speaksAtReturn.sub },
      },
    })
  })

const END = 'end_session'
const SUB = 'sub@1'
const SUB_END = `${SUB}/done`

interface Around {
  /**
   * `own` has the ids of the nodes in the module to which the node belongs. `other` has the ids of the nodes in the
   * other module.
   */
  readonly own: readonly NodeId[]
  readonly other: readonly NodeId[]
}

type Make = (id: NodeId, around: Around) => GraphNode

/** Returns a terminal node as the linker makes it. The colleague speaks in the node once. */
function lastOf(id: NodeId, isJudged: boolean): GraphNode {
  return { ...terminal(id), satisfyWhen: isJudged ? 'they said goodbye' : null } as GraphNode
}

function anyNode(): fc.Arbitrary<Make> {
  return fc.oneof(
    { weight: 4, arbitrary: anySpeaking() },
    { weight: 2, arbitrary: anyPivot() },
    { weight: 5, arbitrary: anySilent() },
  )
}

interface Dwell {
  readonly minTurns: number
  readonly maxTurns: number | null
  readonly isGate: boolean
  readonly selfLoop: boolean
  readonly actions: number
  readonly isJudged: boolean
}

function anyDwell(): fc.Arbitrary<Dwell> {
  return fc.record({
    minTurns: fc.constantFrom(0, 0, 0, 1, 2),
    maxTurns: fc.constantFrom(null, 2, 3),
    isGate: fc.constantFrom(false, false, false, false, true),
    selfLoop: fc.boolean(),
    actions: fc.constantFrom(0, 1, 2, 2),
    isJudged: fc.boolean(),
  })
}

function anySpeaking(): fc.Arbitrary<Make> {
  return fc
    .record({
      exits: fc.array(fc.oneof(anyExit('choice'), anyExit('choice'), anyExit('guard')), { maxLength: 4, size: 'max' }),
      dwell: anyDwell(),
      overlay: fc.constantFrom(false, false, true),
    })
    .map(
      ({ exits, dwell, overlay }): Make =>
        (id, around) =>
          speakOf(id, exits.map(numbered(around)), dwell, overlay),
    )
}

function anyPivot(): fc.Arbitrary<Make> {
  return fc
    .record({ exits: fc.array(anyExit('guard'), { maxLength: 2, size: 'max' }), dwell: anyDwell() })
    .map(({ exits, dwell }): Make => (id, around) => ({
      ...speakOf(id, exits.map(numbered(around)), { ...dwell, isGate: false }, false),
      kind: 'pivot',
      pivot: { id: `p-${id}`, question: 'Which?', choices: [pick('a', 8), pick('b', -8)] },
    }))
}

function pick(id: string, mood: number) {
  return { id, text: `The ${id}`, mood, reaction: '', effect: '' }
}

function speakOf(id: NodeId, exits: readonly Exit[], dwell: Dwell, hasOverlay: boolean): SpeakNode {
  const { actions, isJudged, ...counts } = dwell
  const opens: Guard = { relationship: { atLeast: 'neutral' } }
  return action(id, exits, {
    ...counts,
    actions: Array.from({ length: actions }, (_, i) => `do ${i}`),
    satisfyWhen: isJudged || dwell.isGate ? 'they agree' : null,
    content: dwell.isGate ? [{ source: 'decision_facts', lines: ['It is so.'] }] : [],
    overlay: hasOverlay ? { id: `o-${id}`, content: { source: 'key_reveal', lines: ['There.'] }, when: opens } : null,
  })
}

function anySilent(): fc.Arbitrary<Make> {
  const one = anyExit('guard')
  const query = fc.constantFrom('q1', 'q2')
  return fc.oneof(
    fc.array(anyExit('choice'), { minLength: 1, maxLength: 3 }).map(
      (exits): Make =>
        (id, around) =>
          decision(id, exits.map(numbered(around))),
    ),
    fc.record({ one, queries: fc.option(fc.array(query, { minLength: 1, maxLength: 2 })) }).map(
      ({ one: exit, queries }): Make =>
        (id, around) =>
          recall(id, exit(around), queries),
    ),
    one.map(
      (exit): Make =>
        (id, around) =>
          reflection(id, exit(around), 3),
    ),
    one.map(
      (exit): Make =>
        (id, around) =>
          annotation(id, exit(around)),
    ),
    one.map(
      (exit): Make =>
        (id, around) =>
          sideEffect(id, exit(around)),
    ),
  )
}

/** Generates an exit. The exit leads to a node of the same module, or is a call into the other module. */
function anyExit(by: Exit['by']): fc.Arbitrary<(around: Around) => Exit> {
  return fc
    .record({
      to: fc.nat(9),
      returnTo: fc.nat(9),
      isCall: fc.constantFrom(false, true),
      when: fc.constantFrom<Guard | null>(null, null, ...GUARDS()),
    })
    .map(({ to, returnTo, isCall, when }) => ({ own, other }: Around): Exit => {
      const target = isCall ? { to: at(other, to), returnTo: at(own, returnTo) } : { to: at(own, to), returnTo: null }
      if (by === 'guard') return { ...guarded(null), ...target, when }
      return { id: 'choice', by, ...target, description: `on to ${target.to}`, isSafety: false }
    })
}

function numbered(around: Around) {
  return (make: (around: Around) => Exit, index: number): Exit => ({ ...make(around), id: `exit-${index + 1}` })
}

function at(ids: readonly NodeId[], index: number): NodeId {
  return ids[index % ids.length] ?? END
}

function GUARDS(): readonly Guard[] {
  return [
    { relationship: { atLeast: 'cooperative' } },
    { not: { relationship: { atLeast: 'guarded' } } },
    { satisfied: 'greet' },
    { all: [{ relationship: { atLeast: 'guarded' } }, { not: { satisfied: 's0' } }] },
  ]
}

function BEHAVIORS(): readonly BehaviorSet[] {
  const guidelines = {
    navigation: ['Slowly.'],
    action: ['Softly.'],
    boundary: [{ text: 'No promises.', isHard: false }],
  }
  return [
    { id: 'calm', version: 1, triggers: ['upset'], mode: 'merge', guidelines },
    { id: 'crisis', version: 1, triggers: ['danger'], mode: 'overwrite', guidelines },
  ]
}

function anyPolicy(): fc.Arbitrary<Partial<Policy>> {
  return fc.record({
    stallBackstop: fc.constantFrom(2, 4, 6),
    detourGrace: fc.integer({ min: 0, max: 2 }),
    pivotPatience: fc.integer({ min: 1, max: 3 }),
    exchangeLimit: fc.constantFrom(null, null, 2, 9, 20),
    inside: fc.record({
      silentSteps: fc.constantFrom(2, DEFAULT_POLICY.inside.silentSteps, DEFAULT_POLICY.inside.silentSteps),
      hops: fc.constantFrom(0, 2, 3, 3),
      depth: fc.constantFrom(0, 1, 2, DEFAULT_POLICY.inside.depth, DEFAULT_POLICY.inside.depth),
      behaviorPatience: fc.integer({ min: 0, max: 2 }),
    }),
  })
}
