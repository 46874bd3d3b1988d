import * as fc from 'fast-check'
import { prepared, type Scope, statement, type SqlValue } from '../../../worker/chain/scope.ts'
import type { Stored } from './stored.ts'

/** Something that no operation does to the tables. `context` and `other` are picked among those there are. */
export interface Damage {
  readonly kind: 'gone' | 'dangling' | 'moved' | 'root' | 'depth'
  readonly context: number
  readonly other: number
}

const SQL: Readonly<Record<Damage['kind'], string>> = {
  gone: 'DELETE FROM contexts WHERE tenant = ?1 AND id = ?2 AND ?3 IS NOT NULL',
  dangling: "UPDATE contexts SET parent_id = 'ctx_not_' || ?3 WHERE tenant = ?1 AND id = ?2",
  // To anywhere: under itself too, and under what is under it.
  moved: 'UPDATE contexts SET parent_id = ?3 WHERE tenant = ?1 AND id = ?2',
  root: 'UPDATE contexts SET root_id = ?3 WHERE tenant = ?1 AND id = ?2',
  depth: 'UPDATE contexts SET depth = length(?3) + depth WHERE tenant = ?1 AND id = ?2',
}

/** Damage of these kinds. */
export function anyDamage(...kinds: readonly Damage['kind'][]): fc.Arbitrary<readonly Damage[]> {
  const pick = fc.nat({ max: 1_000 })
  return fc.array(fc.record({ kind: fc.constantFrom(...kinds), context: pick, other: pick }), {
    minLength: 1,
    maxLength: 5,
  })
}

/** Does it. */
export async function inflict(scope: Scope, { contexts }: Pick<Stored, 'contexts'>, damage: Damage): Promise<void> {
  const [context, other] = [damage.context, damage.other].map((at) => contexts[at % contexts.length]?.['id'] ?? '')
  await write(scope, SQL[damage.kind], context ?? '', other ?? '')
}

/** Writes past everything that keeps the tables whole. `?1` is the tenant. */
export async function write(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<void> {
  await prepared(scope, statement(scope, sql, ...values)).run()
}
