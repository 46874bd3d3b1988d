import * as fc from 'fast-check'
import type {
  ActionDocument,
  ExitDocument,
  GraphDocument,
  StateDocument,
  TargetDocument,
} from '../../worker/core/graph/document/document.ts'
import type { Guard, Boundary, Guidelines } from '../../worker/core/graph/graph.ts'
import type { PivotContent } from '../../worker/core/scenario/scenario.ts'

/**
 * Generates documents with a value in every field. They are well-formed, but an exit may lead to any state. Every name
 * begins with a letter, because JavaScript would put a key that is a number before all others.
 */
export const wholeDocument: fc.Arbitrary<GraphDocument> = fc
  .uniqueArray(fc.stringMatching(/^[a-z][A-Za-z0-9_-]{0,63}$/).filter(isFree), { minLength: 1, maxLength: 8 })
  .chain((names) =>
    fc.record({
      id: slug(),
      version: fc.integer({ min: 2, max: 1000 }),
      name: text(),
      description: text(),
      states: fc.tuple(...names.map((name) => anyState(name, fc.constantFrom(...names)))),
      newUserInitialState: fc.constantFrom(...names),
      returningUserInitialState: fc.constantFrom(...names),
      // A terminal state may not have a fork or a limit of turns, and the generated states have them. So another state
      // is the terminal one.
      terminalState: fc.constant('last-of-all'),
      references: fc.dictionary(word(), fc.record({ id: slug(), version: fc.nat(9).map((n) => n + 1) })),
      globalNavigationGuidelines: texts(),
      globalActionGuidelines: texts(),
      globalBoundaryConstraints: boundaries(),
      topologyDescription: fc.option(text()),
      behaviors: fc.uniqueArray(
        fc.record({
          id: word(),
          version: fc.integer({ min: 1, max: 9 }),
          triggers: fc.array(text(), { minLength: 1, maxLength: 50 }),
          mode: fc.constantFrom('merge' as const, 'overwrite' as const),
          guidelines: fc.record({
            navigation: texts(),
            action: texts(),
            boundary: boundaries(),
          }) satisfies fc.Arbitrary<Guidelines>,
        }),
        { selector: ({ id }) => id, maxLength: 3 },
      ),
      content: fc.dictionary(word(), texts()),
      limits: fc.record({ stall: fc.integer({ min: 1, max: 99 }), exchanges: fc.integer({ min: 1, max: 99 }) }),
      speaksAtReturn: fc.boolean(),
      allowsRecursion: fc.boolean(),
      migrations: fc.option(
        fc.record({
          nodes: fc.dictionary(word(), fc.constantFrom(...names)),
          unknown: fc.constantFrom('fail' as const, 'restart' as const, 'nearest-ancestor' as const),
        }),
      ),
    }),
  )
  .map(({ migrations, ...rest }) => ({ ...rest, migrations: migrations ? [{ from: 1, ...migrations }] : [] }))

const anyGuard: fc.Arbitrary<Guard> = fc.letrec<{ guard: Guard }>((tie) => ({
  guard: fc.oneof(
    { maxDepth: 4 },
    fc.record({
      relationship: fc.record({ atLeast: fc.constantFrom('hostile', 'neutral', 'cooperative', 'trusting') }),
    }),
    fc.record({ satisfied: word() }),
    fc.record({ all: fc.array(tie('guard'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('guard'), { maxLength: 3 }) }),
    fc.record({ not: tie('guard') }),
  ) as fc.Arbitrary<Guard>,
})).guard

function anyState(name: string, anyName: fc.Arbitrary<string>): fc.Arbitrary<StateDocument> {
  const target = anyTarget(anyName)
  const next = fc.oneof(
    fc.constant<readonly TargetDocument[]>([]),
    target.map((only) => [only]),
    fc.array(anyName, { minLength: 2, maxLength: 3 }),
  )
  const exits = fc.array(anyExit(target), { maxLength: 3 })
  const its = fc.constant(name)
  return fc.oneof(
    anyAction(name, exits),
    fc.record({ type: fc.constant('decision' as const), name: its, objective: text(), guidelines: texts(), exits }),
    fc.record({
      type: fc.constant('recall' as const),
      name: its,
      queries: fc.option(fc.array(text(), { minLength: 1, maxLength: 3 })),
      requestedInformation: fc.option(text()),
      nextStates: next,
    }),
    fc.record({
      type: fc.constant('reflection' as const),
      name: its,
      problem: text(),
      wordLimit: fc.integer({ min: -5, max: 500 }),
      nextStates: next,
    }),
    fc.record({ type: fc.constant('annotation' as const), name: its, innerThought: text(), nextStates: next }),
    fc.record({
      type: fc.constant('side-effect' as const),
      name: its,
      sideEffect: fc.oneof(
        fc.record({
          type: fc.constant('emit-event' as const),
          event: text(),
          data: fc.dictionary(word(), fc.string()),
        }),
        fc.record({ type: fc.constant('send-email' as const), subject: text(), text: text() }),
      ),
      nextStates: next,
    }),
  )
}

function anyAction(name: string, exits: fc.Arbitrary<readonly ExitDocument[]>): fc.Arbitrary<StateDocument> {
  const turns = fc.integer({ min: 1, max: 9 })
  return fc.record<ActionDocument>({
    type: fc.constant('action' as const),
    name: fc.constant(name),
    objective: text(),
    actions: texts(),
    navigationGuidelines: texts(),
    actionGuidelines: texts(),
    boundaryConstraints: boundaries(),
    exits,
    includedContexts: texts(),
    messageMetadata: texts(),
    dwell: fc.option(
      fc.record({ minTurns: turns, maxTurns: fc.option(turns), isGate: fc.boolean(), selfLoop: fc.boolean() }),
    ),
    satisfyWhen: fc.option(text()),
    contentSource: fc.option(text()),
    overlay: fc.option(fc.record({ id: word(), contentSource: text(), when: anyGuard })),
    pivot: fc.option(anyPivot),
  })
}

const anyPivot: fc.Arbitrary<PivotContent> = fc.record({
  id: slug(),
  question: text(),
  choices: fc.array(
    fc.record({ id: slug(), text: text(), mood: fc.integer({ min: -20, max: 20 }), reaction: text(), effect: text() }),
    { minLength: 2, maxLength: 4 },
  ),
})

function anyTarget(anyName: fc.Arbitrary<string>): fc.Arbitrary<TargetDocument> {
  const call = fc.tuple(word(), word()).map(([reference, state]) => `${reference}.${state}`)
  return fc.oneof(anyName, fc.record({ call, returnTo: anyName }))
}

function anyExit(target: fc.Arbitrary<TargetDocument>): fc.Arbitrary<ExitDocument> {
  const base = { description: text(), nextState: target }
  return fc.oneof(
    fc.record({ ...base, isSafety: fc.boolean(), when: fc.constant(null), isGuarded: fc.constant(false) }),
    fc.record({ ...base, isSafety: fc.constant(false), when: fc.option(anyGuard), isGuarded: fc.constant(true) }),
  )
}

function boundaries(): fc.Arbitrary<readonly Boundary[]> {
  return fc.array(fc.record({ text: text(), isHard: fc.boolean() }), { maxLength: 3 })
}

function texts(): fc.Arbitrary<readonly string[]> {
  return fc.array(text(), { maxLength: 3 })
}

/** Generates a text with no blanks at its ends, because the parser removes such blanks. */
function text(): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    'a: b',
    '- a',
    '"',
    '# no comment',
    '[a, b]',
    '{',
    'yes',
    '1',
    'null',
    '\u{1f600}',
    'a\nb',
  )
  return fc.oneof(
    odd,
    fc.string({ maxLength: 12 }).map((words) => words.trim() || 'x'),
  )
}

function slug(): fc.Arbitrary<string> {
  return fc.constantFrom('a', 'check-in', '65f0c3', 'x-1-y')
}

/**
 * Generates a word by picking one from a list. A document needs hundreds of words, and generating them from a pattern
 * would take much longer.
 */
function word(): fc.Arbitrary<string> {
  return fc.constantFrom('a', 'b2', 'next_one', 'x_y_z', 'once', 'later', 'q')
}

function isFree(name: string): boolean {
  return !(name in Object.prototype)
}
