import type { OperationOutput } from '../api/operations.ts'
import { rowsTogether, type Scope, type Statement, statement } from '../scope.ts'
import { type Counts, effectOf } from './erasure.ts'
import type { Person } from './erasing.ts'
import { NAMED, namesOf } from './names.ts'
import { idsOf, isOf, ofPerson } from './person.ts'
import { below, countRemoval, countSubtrees } from './remove-contexts.ts'

/**
 * Counts what an erasure would change, with the same SQL conditions as the erasure, and writes nothing. The database is
 * read at one moment; each ledger is called separately.
 */
export async function erasureForecast(
  scope: Scope,
  person: Person,
  mode: 'preserve' | 'subtree',
): Promise<OperationOutput<'getErasure'>['effect']> {
  const names = await namesOf(scope, person)
  const [found, ...ledgers] = await Promise.all([
    rowsTogether(scope, mode === 'subtree' ? subtree(scope, person, names) : preserve(scope, person, names)),
    ...person.ids.map((id) => scope.erasing.countLedgers(id, scope.now())),
  ])
  const counts = Object.assign({}, ...found.flat()) as Omit<Counts, 'ledgers'>
  return effectOf({ ...counts, ledgers: ledgers.reduce((sum, each) => sum + each, 0) })
}

function preserve(scope: Scope, person: Person, names: string): readonly Statement[] {
  const ids = idsOf(person)
  const isTheirs = (context: string) => ofPerson(context, '?2')
  return [
    ...counted(scope, ids),
    statement(scope, countRemoval(isTheirs, isTheirs), ids),
    statement(
      scope,
      `SELECT count(*) AS scrubbed FROM contexts c WHERE c.tenant = ?1 AND NOT ${isTheirs('c')} AND ${NAMED}`,
      ids,
      names,
    ),
  ]
}

function subtree(scope: Scope, person: Person, names: string): readonly Statement[] {
  const ids = idsOf(person)
  const isTop = (context: string) => ofPerson(context, '?2')
  return [
    ...counted(scope, ids),
    statement(scope, countSubtrees(isTop), ids),
    statement(scope, 'SELECT 0 AS reparented, 0 AS promoted WHERE ?1 IS NOT NULL'),
    statement(
      scope,
      `WITH RECURSIVE ${below(isTop)} SELECT count(*) AS scrubbed FROM contexts c
       WHERE c.tenant = ?1 AND c.id NOT IN (SELECT id FROM below) AND ${NAMED}`,
      ids,
      names,
    ),
  ]
}

function counted(scope: Scope, ids: string): readonly Statement[] {
  return ['sessions', 'memories', 'facts'].map((table) =>
    statement(scope, `SELECT count(*) AS ${table} FROM ${table} WHERE tenant = ?1 AND ${isOf('user_id', '?2')}`, ids),
  )
}
