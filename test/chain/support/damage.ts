import * as fc from 'fast-check'
import { prepared, type Scope, statement, type SqlValue } from '../../../worker/chain/scope.ts'
import type { Stored } from './stored.ts'

/** A change to the tables that no operation makes. `context` and `other` are indexes among the existing contexts. */
export interface Damage {
  readonly kind: 'gone' | 'dangling' | 'moved' | 'root' | 'depth'
  readonly context: number
  readonly other: number
}

const SQL: Readonly<Record<Damage['kind'], string>> = {
  gone: 'DELETE FROM contexts WHERE tenant = ?1 AND id = ?2 AND ?3 IS NOT NULL',
  dangling: "UPDATE contexts SET parent_id = 'ctx_not_' || ?3 WHERE tenant = ?1 AND id = ?2",
  // The new parent is any context, also the context itself or one of its descendants.
  moved: 'UPDATE contexts SET parent_id = ?3 WHERE tenant = ?1 AND id = ?2',
  root: 'UPDATE contexts SET root_id = ?3 WHERE tenant = ?1 AND id = ?2',
  depth: 'UPDATE contexts SET depth = length(?3) + depth WHERE tenant = ?1 AND id = ?2',
}

/** Generates damage of these kinds. */
export function anyDamage(...kinds: readonly Damage['kind'][]): fc.Arbitrary<readonly Damage[]> {
  const pick = fc.nat({ max: 1_000 })
  return fc.array(fc.record({ kind: fc.constantFrom(...kinds), context: pick, other: pick }), {
    minLength: 1,
    maxLength: 5,
  })
}

/** Damages the tables. */
export async function inflict(scope: Scope, { contexts }: Pick<Stored, 'contexts'>, damage: Damage): Promise<void> {
  const [context, other] = [damage.context, damage.other].map((at) => contexts[at % contexts.length]?.['id'] ?? '')
  await write(scope, SQL[damage.kind], context ?? '', other ?? '')
}

/** Writes to the tables without any of the checks that keep them consistent. `?1` is the tenant. */
export async function write(scope: Scope, sql: string, ...values: readonly SqlValue[]): Promise<void> {
  await prepared(scope, statement(scope, sql, ...values)).run()
}
