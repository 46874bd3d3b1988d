import * as fc from 'fast-check'
import { anyContext, contextAt, WORDS } from './any-act.ts'
import { ask, askAll, read, type Told, told } from './ask.ts'
import { answers } from './model-answers.ts'
import type { Model } from './model-tree.ts'
import type { Pair } from './play.ts'

/** A generated request that reads the chain. */
export interface Question {
  readonly name: keyof typeof answers
  readonly context: number
  /** Times are numbers: milliseconds relative to the current time. */
  readonly request: Readonly<Record<string, unknown>>
}

/** A placeholder. `askBoth` replaces it by the id of the question's context. */
const PLACE = 'the context'
const place = () => fc.constant(PLACE)

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>

const status = () => fc.constantFrom('active', 'blocked', 'completed', 'cancelled')
const flag = () => fc.constantFrom('true', 'false')
const paging: Fields = { limit: fc.constantFrom('1', '2', '7', '100', '1000') }
const filter: Fields = {
  memorySpaceId: fc.constantFrom('sales', 'finance', 'nobody'),
  userId: fc.constantFrom('ana', 'bo', '__proto__'),
  status: status(),
  conversationId: fc.constantFrom('one', 'none'),
  depth: fc.constantFrom('0', '1', '2', '10'),
  leaf: flag(),
}
const times: Fields = {
  createdAfter: time(),
  createdBefore: time(),
  completedAfter: time(),
  completedBefore: time(),
}

/** Generates requests of every read operation, with all fields that may be combined. */
export const anyQuestion: fc.Arbitrary<Question> = fc.oneof(
  question('getContext', { children: flag(), inherited: flag() }),
  question('getContext', {}, { version: fc.constantFrom('1', '2', '3', '4') }),
  question('getContext', {}, { at: time() }),
  question('getChain', {}),
  question('listContexts', { status: status(), ...paging }, { parentId: place() }),
  question('listContexts', { status: status(), ...paging }, { ancestorId: place() }),
  question('listContexts', paging, { rootId: place(), at: time() }),
  question('listContexts', { ...filter, ...times, ...paging, order: fc.constantFrom('oldest', 'newest') }),
  question('listContexts', { ...times, ...paging, history: flag() }),
  question('listContexts', { ...filter, ...paging, history: flag(), at: time() }, { q: words() }),
  question('listContexts', { ...filter, ...paging, at: time() }, { history: fc.constant('true') }),
  question('countContexts', { ...filter, ...times }),
  question('countContexts', { ...times, status: status() }, { ancestorId: place() }),
  question('countContexts', times),
  question('listVersions', paging),
  question('verifyIntegrity', { ...paging, kind: fc.constant('orphan') }),
)

const LISTS = new Set<Question['name']>(['listContexts', 'listVersions', 'verifyIntegrity'])

/**
 * Sends a question to the chain and to the model, and returns both answers. If the answer is a list, reads all its
 * pages.
 */
export async function askBoth(
  { scope, model, clock }: Pair,
  { name, context, request }: Question,
): Promise<{ readonly told: Told; readonly expected: Told }> {
  const ids = model.entries.map(({ id }) => id)
  const moments = Object.fromEntries(
    Object.entries(request).map(([key, value]) => [key, typeof value === 'number' ? String(clock.now + value) : value]),
  )
  const named = Object.fromEntries(
    Object.entries(moments).map(([key, value]) => [key, value === PLACE ? contextAt(ids, context) : value]),
  )
  const asked = { ...named, context: contextAt(ids, context) }
  const answer: (model: Model, input: never) => unknown = answers[name]
  const expected = await told(() => answer(model, read(name, asked) as never))
  return { told: await (LISTS.has(name) ? askAll : ask)(scope, name, asked), expected }
}

/**
 * Generates a request with the `given` fields, a page length and up to two of the other fields. A request with more
 * fields would match nothing.
 */
function question(name: Question['name'], fields: Fields, given: Fields = {}): fc.Arbitrary<Question> {
  const { limit, ...others } = fields
  const names = Object.keys(others)
  const some = fc
    .tuple(fc.record(others), fc.subarray(names, { maxLength: Math.min(2, names.length) }))
    .map(([all, chosen]) => Object.fromEntries(chosen.map((key) => [key, all[key]])))
  const always: Fields = limit ? { ...given, limit } : given
  const request = fc.tuple(some, fc.record(always)).map(([one, other]) => ({ ...one, ...other }))
  return fc.record({ name: fc.constant(name), context: anyContext, request })
}

function words() {
  return fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((some) => some.join(' '))
}

/** Generates a time in milliseconds relative to the current time. `askBoth` adds the current time to it. */
function time() {
  return fc.integer({ min: -25, max: 2 })
}
