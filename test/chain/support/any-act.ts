import * as fc from 'fast-check'
import type { changes } from './model.ts'

/**
 * A generated request that changes the chain. The request names a context by its index in the list of existing
 * contexts.
 */
export interface Act {
  readonly name: keyof typeof changes
  /** The index of the request's context, or of a new context's parent: see `contextAt`. */
  readonly context: number
  readonly request: Readonly<Record<string, unknown>>
  /** How far the clock advances before the act, in milliseconds. The clock may also stand still or go back. */
  readonly tick: number
}

const MOST = 1_000

/**
 * Returns the id of the context with index `at`: 0 is the last context, 1 is a context that does not exist, and from 2
 * on the indexes count all contexts in order.
 */
export function contextAt(ids: readonly string[], at: number): string {
  if (at === 0) return ids.at(-1) ?? NOBODY
  if (at === 1) return NOBODY
  return ids[(at - 2) % ids.length] ?? NOBODY
}

/** Generates an index for `contextAt`: mostly existing contexts, often the last. */
export const anyContext: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 10, arbitrary: fc.integer({ min: 2, max: MOST }) },
)

const NOBODY = 'ctx_nobody'
const SPACES = ['sales', 'finance', 'legal', 'Büro \u202e 7']
const PEOPLE = ['ana', 'bo', '__proto__']
const STATUSES = ['active', 'blocked', 'completed', 'cancelled'] as const
/** Words for generated texts. Stemming does not change these words. */
export const WORDS = ['refund', 'audit', 'memo', 'plan', 'gift']

const name = () => fc.constantFrom(...SPACES)
const person = () => fc.constantFrom(...PEOPLE)
const anyText = () =>
  fc.oneof(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    fc.constantFrom(
      '=cmd|calc',
      'it\'s "so", he said\nand left',
      'naïve 🧑‍🚀 𝕯ata',
      "'); DROP TABLE contexts; --",
      'null',
    ),
  )

/** Generates JSON objects, including some that break careless code. */
export const anyData = () =>
  fc.oneof(
    { weight: 3, arbitrary: fc.dictionary(fc.constantFrom('amount', 'stage', 'owner'), anyValue(), { maxKeys: 3 }) },
    fc.constantFrom<Record<string, unknown>>(
      {},
      JSON.parse('{"__proto__":{"polluted":true},"amount":1}'),
      JSON.parse('{"constructor":{"prototype":{"polluted":true}},"prototype":2}'),
      JSON.parse('{"nested":{"__proto__":{"polluted":true},"deep":[[[{"a":null}]]]}}'),
      { huge: 1.7976931348623157e308, tiny: 5e-324, exact: 2 ** 53 + 2, negative: -0.1 },
      { toString: 'text', hasOwnProperty: null, 'a"b\\c': '\u0000', 'ключ 🔑': ['🧩'], '': 0, $ne: 1 },
    ),
    fc.dictionary(fc.string({ maxLength: 6, unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  )
const anyValue = () => fc.oneof(fc.constant(null), fc.integer(), fc.boolean(), fc.constantFrom('', 'approved'))

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const made = {
  id: seldom(fc.constantFrom('ctx_mine', 'ctx_yours')),
  purpose: anyText(),
  description: maybe(anyText()),
  memorySpaceId: name(),
  userId: maybe(person()),
  data: anyData(),
  autoComplete: fc.constantFrom('never', 'all-completed', 'all-settled'),
}
const reference = fc.record({
  conversationId: fc.constantFrom('one', 'two'),
  messageIds: fc.array(fc.constantFrom('m1', 'm2'), { minLength: 1, maxLength: 2 }),
})
const step = fc.record(
  { purpose: anyText(), memorySpaceId: name(), userId: person(), data: anyData() },
  { requiredKeys: ['purpose', 'memorySpaceId'] },
)
const steps = (maxLength: number) => fc.array(step, { minLength: 1, maxLength, size: 'max' })
const pattern = {
  purpose: anyText(),
  memorySpaceId: name(),
  userId: maybe(person()),
  data: anyData(),
  autoComplete: made.autoComplete,
}
const filter = fc
  .record({ memorySpaceId: name(), userId: person(), status: fc.constantFrom(...STATUSES), depth: fc.nat({ max: 3 }) })
  .chain((all) => fc.subarray(Object.entries(all), { minLength: 2 }).map((some) => Object.fromEntries(some)))
const mode = fc.constantFrom('leaf', 'cascade', 'orphan-to-root', 'orphan-to-parent')
const by = maybe(fc.constantFrom('ana', 'a machine'))

const updates = fc.record(
  {
    status: fc.constantFrom(...STATUSES, 'completed', 'completed'),
    purpose: anyText(),
    description: fc.option(anyText()),
    data: anyData(),
    by,
    expectedVersion: seldom(fc.integer({ min: 1, max: 3 })),
  },
  { requiredKeys: ['status'] },
)
const texts = fc.record({ purpose: anyText(), description: fc.option(anyText()), data: anyData(), by })

/** Generates acts, weighted so that trees grow, complete and are deleted. */
export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: act('createContext', { ...made, conversationRef: maybe(reference) }, fc.constant(-1)) },
  { weight: 14, arbitrary: act('createContext', { ...made, underTerminal: maybe(fc.boolean()) }) },
  { weight: 2, arbitrary: act('createPattern', { ...pattern, pattern: fc.constant('sequence'), steps: steps(4) }) },
  { weight: 2, arbitrary: act('createPattern', { ...pattern, pattern: fc.constant('approval'), steps: steps(10) }) },
  { weight: 1, arbitrary: act('createPattern', { ...pattern, pattern: fc.constant('parallel'), steps: steps(3) }) },
  { weight: 10, arbitrary: act('updateContext', updates) },
  { weight: 2, arbitrary: act('updateContext', texts) },
  { weight: 3, arbitrary: act('deleteContext', { mode }, fc.integer({ min: 2, max: MOST })) },
  { weight: 3, arbitrary: act('addParticipant', { participant: name() }) },
  { weight: 2, arbitrary: act('removeParticipant', { participant: name() }) },
  { weight: 1, arbitrary: act('updateContexts', { filter, updates: bulk(), by }) },
  { weight: 1, arbitrary: act('deleteContexts', { filter, mode }) },
)

/** Generates a list of acts that begins with the creation of a context. */
export function actsOf(maxLength: number): fc.Arbitrary<readonly Act[]> {
  const first: Act = {
    name: 'createContext',
    context: -1,
    request: { purpose: 'plan', memorySpaceId: 'sales' },
    tick: 0,
  }
  return fc.array(anyAct, { minLength: 1, maxLength, size: 'max' }).map((acts) => [first, ...acts])
}

function act(
  name: Act['name'],
  request: Readonly<Record<string, fc.Arbitrary<unknown>>> | fc.Arbitrary<Readonly<Record<string, unknown>>>,
  context: fc.Arbitrary<number> = anyContext,
): fc.Arbitrary<Act> {
  return fc.record({
    name: fc.constant(name),
    context,
    request: request instanceof fc.Arbitrary ? request : fc.record(request),
    tick: fc.constantFrom(0, 0, 1, 7, -3),
  })
}

function bulk() {
  return fc
    .record({ status: fc.constantFrom(...STATUSES), data: anyData() }, { requiredKeys: [] })
    .filter((each) => Object.keys(each).length > 0)
}
