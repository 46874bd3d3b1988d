import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  ExitDocument,
  GraphDocument,
  StateDocument,
  TargetDocument,
} from '../../worker/core/graph/document/document.ts'
import { topologyOf } from '../../worker/core/graph/map/topology.ts'
import { parseTopology, type Topology, type TopologyTarget } from '../../worker/core/graph/map/topology-parse.ts'
import { actionOf, anyDocument, decisionOf, documentOf, exitOf, OTHER, silentOf } from '../support/any-document.ts'
import { runs } from '../support/runs.ts'

const RUNS = { numRuns: runs('usual') }

const sample = documentOf({
  newUserInitialState: 'greet',
  returningUserInitialState: 'welcome_back',
  references: { other: { id: 'elsewhere', version: 3 } },
  states: [
    actionOf('greet', [
      exitOf('They are ready', 'choose'),
      exitOf('They are upset', { call: 'other.choose', returnTo: 'mark' }),
    ]),
    actionOf('welcome_back', [exitOf('They are ready', 'look_up')]),
    silentOf('recall', 'look_up', ['choose']),
    decisionOf('choose', [exitOf('It is small', 'close'), exitOf('Anything else', 'mark')]),
    silentOf('annotation', 'mark', ['tell']),
    silentOf('side-effect', 'tell', ['weigh']),
    silentOf('reflection', 'weigh', [{ call: 'other.greet', returnTo: 'close' }]),
    actionOf('close'),
  ],
})

describe('a topology', () => {
  it('[topology-1] names the entries, every state with its letter, every exit with its condition, calls and the end', () => {
    expect(topologyOf(sample, [OTHER])).toBe(`START(new user) -> [A] greet
START(returning user) -> [A] welcome_back

[A] greet
  (They are ready) -> [D] choose
  (They are upset) -> [D] other.choose [returns to mark]

[A] welcome_back
  (They are ready) -> [C] look_up

[C] look_up -> [D] choose

[D] choose
  (It is small) -> [A] close
  (Anything else) -> [N] mark

[N] mark -> [S] tell

[S] tell -> [R] weigh

[R] weigh -> [A] other.greet [returns to close]

[A] close -> END
`)
  })

  it('[topology-2] writes a call with [A] where it does not know the graph that is called', () => {
    expect(topologyOf(sample)).toContain('(They are upset) -> [A] other.choose [returns to mark]')
    const older = { ...OTHER, version: 2 }
    expect(topologyOf(sample, [older])).toContain('(They are upset) -> [A] other.choose [returns to mark]')
  })

  it('[topology-2] writes [?] for a state that is not there', () => {
    expect(topologyOf(documentOf({ states: [actionOf('greet', [exitOf('Go', 'ghost')])] }))).toBe(
      'START(new user) -> [A] greet\nSTART(returning user) -> [A] greet\n\n[A] greet\n  (Go) -> [?] ghost\n',
    )
    expect(topologyOf(sample, [{ ...OTHER, states: [] }])).toContain('-> [?] other.choose [returns to mark]')
  })

  it('[topology-3] puts a condition on one line and escapes only backslashes and lonely parentheses', () => {
    const written = (description: string) =>
      /^ {2}\((.*)\) -> \[A\] greet$/m.exec(
        topologyOf(documentOf({ states: [actionOf('greet', [exitOf(description, 'greet')])] })),
      )?.[1]
    expect(written('They  say "no"\n(twice) -> [A] x')).toBe('They say "no" (twice) -> [A] x')
    expect(written('1) first')).toBe('1\\) first')
    expect(written('a (b')).toBe('a \\(b')
    expect(written('C:\\x')).toBe('C:\\\\x')
    expect(written('  ')).toBe('')
  })

  it('[topology-3] says the condition of an exit the walker takes, where its author gave no description', () => {
    const guarded: ExitDocument = { ...exitOf('', 'close'), isGuarded: true }
    const states = [
      actionOf('greet', [
        { ...guarded, when: { all: [{ relationship: { atLeast: 'cooperative' } }, { not: { satisfied: 'greet' } }] } },
        { ...guarded, when: { any: [{ satisfied: 'greet' }, { all: [{ satisfied: 'a' }, { satisfied: 'b' }] }] } },
        { ...guarded, when: { any: [] } },
        guarded,
      ]),
      actionOf('close'),
    ]
    expect(topologyOf(documentOf({ states })).match(/^ {2}\(.*/gm)).toEqual([
      '  (relationship at least cooperative and not \\(greet satisfied\\)) -> [A] close'.replaceAll('\\', ''),
      '  (greet satisfied or (a satisfied and b satisfied)) -> [A] close',
      '  (never) -> [A] close',
      '  (otherwise) -> [A] close',
    ])
  })
})

describe('reading a topology', () => {
  it('[topology-4] reads back every state, kind, exit, condition, call, entry and the end of whatever was written', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(parseTopology(topologyOf(document, [OTHER]))).toEqual({ ok: true, topology: expected(document) })
      }),
      RUNS,
    )
  })

  it.each(['structure', 'three-levels', 'therapy', 'medical'])(
    '[topology-5] reads the published example %s',
    (name) => {
      const reading = parseTopology(readFileSync(`test/fixtures/topology/${name}.txt`, 'utf8'))
      expect(reading).toMatchObject({ ok: true })
    },
  )

  it('[topology-5] reads arrows of both kinds, chains, calls and the end', () => {
    const { states, ...rest } = read(readFileSync('test/fixtures/topology/structure.txt', 'utf8'))
    expect(rest).toEqual({
      newUser: 'new_user_initial_state',
      returningUser: 'returning_user_initial_state',
      terminal: 'terminal_state',
      hasMore: false,
    })
    expect(states.map(({ name, type, exits }) => [name, type, exits.map(exitText)])).toEqual([
      [
        'action_state',
        'action',
        ['condition 1: decision_state', 'condition 2: recall_state', 'condition 3: reflection_state'],
      ],
      ['recall_state', 'recall', ['next_action']],
      ['reflection_state', 'reflection', ['informed_action']],
      [
        'decision_state',
        'decision',
        ['evaluation 1: path_a_action', 'evaluation 2: annotation_state', 'evaluation 3: side_effect_state'],
      ],
      ['annotation_state', 'annotation', ['path_b_action']],
      ['side_effect_state', 'side-effect', ['continuation']],
      ['local_state', 'action', ['external_ref.entry_state, then local_return_state']],
      ['terminal_state', 'action', []],
      ...[
        'new_user_initial_state',
        'returning_user_initial_state',
        'next_action',
        'informed_action',
        'path_a_action',
        'path_b_action',
        'continuation',
      ].map((name) => [name, 'action', []]),
    ])
  })

  it('[topology-5] knows what a piece leaves out', () => {
    const medical = read(readFileSync('test/fixtures/topology/medical.txt', 'utf8'))
    expect(medical.states.filter(({ hasMore }) => hasMore).map(({ name }) => name)).toEqual([
      'medication_adherence_check',
      'check_chest_pain',
      'determine_exercise_clearance',
    ])
    expect(medical.states.filter(({ isDescribed }) => !isDescribed).map(({ name }) => name)).toEqual([
      'vasodilator_check',
      'assess_medication_impact',
      'check_shortness_of_breath',
      'summarize_recommendations_approved',
      'summarize_recommendations_disqualified',
    ])
    expect(medical.hasMore).toBe(false)
    expect(read('[A] a\n\n...\n').hasMore).toBe(true)
    expect(read('START -> [A] a')).toMatchObject({ newUser: 'a', returningUser: 'a' })
    expect(read('Start (new user)->[A] a->[A] b').states.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it.each([
    ['hello', /is no line of a topology/],
    ['[X] a', /names no state/],
    ['[A]', /names no state/],
    ['(when) -> [A] a', /is an exit of no state/],
    ['-> [A] a', /is an exit of no state/],
    ['[A] a\n(when -> [A] b', /does not close it/],
    ['[A] a\n(when) [A] b', /goes on without an arrow/],
    ['[A] a\n(when)', /has no arrow/],
    ['[A] a ->', /leads to no state/],
    ['[A] a -> END -> [A] b', /leads to no state/],
    ['[A] a -> [A] r.b', /does not say where to go on/],
    ['[A] a -> [A] b [returns to c]', /no state of another graph/],
    ['[A] a -> [A] r.b [returns to c] -> [A] d', /goes on after a call/],
    ['[A] a -> [A] r.b [returns to c] -> END', /ends at no state/],
    ['[A] r.b [returns to c]', /describes a state of another graph/],
    ['[A] a\n\n[A] a', /a second time/],
    ['[A] a -> [R] b\n[A] b', /another kind of state/],
    ['[A] a -> END\n[A] b -> END', /ended at "a" already/],
    ['START(new user) -> [A] a\nSTART(new user) -> [A] b', /another beginning/],
    ['START(new user) -> END', /begins nowhere/],
    ['START(new user) -> [A] r.b [returns to c]', /begins nowhere/],
    ['START(new user)', /is no line of a topology/],
  ])('[topology-6] says what is wrong with %j, and in which line', (text, message) => {
    const reading = parseTopology(`\n${text}`)
    if (reading.ok) throw new Error('should not have been read')
    expect(reading.problems).toHaveLength(1)
    expect(reading.problems[0]?.message).toMatch(message)
    expect(reading.problems[0]?.line).toBe(text.trimEnd().split('\n').length + 1)
  })

  it('[topology-6] tells every problem at once', () => {
    const reading = parseTopology('what\n[A] a\r\n(b) -> c\r(d) -> [A] a')
    expect(reading).toMatchObject({ ok: false, problems: [{ line: 1 }, { line: 3 }] })
  })

  it('[topology-6] reads or refuses any text at all, and never throws', () => {
    const pieces = fc.constantFrom(
      '[A]',
      '[R]',
      '[?]',
      ' ',
      'a',
      'r.b',
      '->',
      '→',
      '(',
      ')',
      '\\',
      '\n',
      'END',
      '...',
      '[returns to ',
      ']',
      'START',
      '(new user)',
      '__proto__',
    )
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((some) => some.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const reading = parseTopology(text)
        if (!reading.ok) for (const { line } of reading.problems) expect(line).toBeGreaterThan(0)
      }),
      { numRuns: runs('cheap') },
    )
  })

  it('[topology-6] takes time in proportion to the text', () => {
    // Each text is very long. If the work grew with the square of the text's length, the test would exceed its time
    // limit.
    for (const hard of ['(', '-> [A] a', '[A] ', 'a-', '\\', ' '])
      expect(() => parseTopology(`[A] a\n${hard.repeat(500_000)}`)).not.toThrow()
  })
})

function read(text: string): Topology {
  const reading = parseTopology(text)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.topology
}

function exitText({ condition, to }: Topology['states'][number]['exits'][number]): string {
  const where = 'state' in to ? to.state : `${to.call}, then ${to.returnTo}`
  return condition === null ? where : `${condition}: ${where}`
}

/**
 * Returns the topology that the test expects. Derives it directly from the document, without the writer and the parser
 * that the test checks.
 */
function expected(document: GraphDocument): Topology {
  const described = document.states.map((state) => ({
    name: state.name,
    type: state.type,
    isDescribed: true,
    exits: waysOut(state),
    hasMore: false,
  }))
  const named = [
    document.newUserInitialState,
    document.returningUserInitialState,
    ...document.states.flatMap((state) => waysOut(state).flatMap(({ to }) => ('state' in to ? [to.state] : []))),
  ]
  const missing = [...new Set(named)].filter((name) => !document.states.some((state) => state.name === name))
  return {
    newUser: document.newUserInitialState,
    returningUser: document.returningUserInitialState,
    terminal: document.states.some(({ name }) => name === document.terminalState) ? document.terminalState : null,
    states: [
      ...described,
      ...missing.map((name) => ({ name, type: null, isDescribed: false, exits: [], hasMore: false })),
    ],
    hasMore: false,
  }
}

function waysOut(state: StateDocument): { condition: string | null; to: TopologyTarget }[] {
  if ('nextStates' in state) return state.nextStates.map((to) => ({ condition: null, to: targetOf(to) }))
  return state.exits.map(({ description, nextState }) => ({
    condition: description
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' '),
    to: targetOf(nextState),
  }))
}

function targetOf(to: TargetDocument): TopologyTarget {
  if (typeof to === 'string') return { state: to }
  const type = OTHER.states.find(({ name }) => `other.${name}` === to.call)?.type ?? null
  return { call: to.call, type, returnTo: to.returnTo }
}
