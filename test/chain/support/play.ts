import { expect } from 'vitest'
import type { Scope } from '../../../worker/chain/scope.ts'
import { type Act, contextAt } from './any-act.ts'
import { ask, read, type Told, told } from './ask.ts'
import { canonical } from './canonical.ts'
import { freshScope } from './fresh-scope.ts'
import { changes, type Now } from './model.ts'
import type { Model } from './model-tree.ts'
import { type Stored, storedIn, storedOf } from './stored.ts'

/** A chain and its model, which get the same requests. */
export interface Pair {
  readonly scope: Scope
  readonly model: Model
  readonly clock: { now: number }
  /** The chain's tables after the last act. */
  stored: Stored
}

const BEGINNING = 1_800_000_000_000

export async function pair(): Promise<Pair> {
  const clock = { now: BEGINNING }
  let ids = 0
  const newId: Scope['newId'] = (kind) => `${kind}_${String((ids += 1)).padStart(4, '0')}`
  const scope = await freshScope({ now: () => clock.now, newId })
  return { scope, model: { entries: [] }, clock, stored: await storedIn(scope) }
}

/** Plays an act on the chain and on the model, and checks that their answers and their tables are equal. */
export async function play(both: Pair, act: Act): Promise<Told> {
  both.clock.now += act.tick
  const request = requestOf(both, act)
  const answer = await ask(both.scope, act.name, request)
  const expected = await told(() => changed(both, act, request, idsIn(answer)))
  expect(canonical(answer)).toBe(canonical(expected))
  both.stored = await storedIn(both.scope)
  expect(canonical(both.stored)).toBe(canonical(storedOf(both.model)))
  return answer
}

/** Returns the request of an act, with the id of its context. */
export function requestOf({ model }: Pick<Pair, 'model'>, act: Act): Readonly<Record<string, unknown>> {
  const ids = model.entries.map(({ id }) => id)
  if (act.name === 'createContext' && act.context === ROOT) return act.request
  const name = act.name === 'createContext' ? 'parentId' : 'context'
  return { ...act.request, [name]: contextAt(ids, act.context) }
}

/** Applies an act to the model and returns the model's answer. */
export function changed(
  { scope, model, clock }: Pick<Pair, 'scope' | 'model' | 'clock'>,
  { name }: Act,
  request: Readonly<Record<string, unknown>>,
  ids: readonly string[],
): unknown {
  const left = [...ids]
  const now: Now = { at: clock.now, by: scope.by, newId: () => left.shift() ?? 'an id that the chain did not give' }
  const make: (model: Model, input: never, now: Now) => unknown = changes[name]
  return make(model, read(name, request) as never, now)
}

/** The value of `context` in an act that creates a root. */
const ROOT = -1

/** Returns the ids that the chain gave to the contexts it created, in the order of their creation. */
export function idsIn(told: Told): readonly string[] {
  if ('refused' in told) return []
  const answer = told.answer as Readonly<Record<string, unknown>>
  const made = [answer, answer['root'], ...[answer['steps'] ?? []].flat()]
  return made.flatMap((each) => {
    const id: unknown = Reflect.get(Object(each), 'id')
    return typeof id === 'string' ? [id] : []
  })
}
