import { expect, it } from 'vitest'
import { statement } from '../../worker/chain/scope.ts'
import { freshScope } from './support/fresh-scope.ts'

it('statement refuses SQL that does not name its tenant', async () => {
  const scope = await freshScope()
  const made = statement(scope, 'SELECT 1 FROM contexts WHERE tenant = ?1 AND id = ?2', 'ctx_a')
  expect(made.values).toEqual([scope.tenant, 'ctx_a'])
  for (const sql of ['SELECT 1 FROM contexts', 'SELECT 1 FROM contexts WHERE id = ?2', 'SELECT ?10'])
    expect(() => statement(scope, sql, 'ctx_a')).toThrow('tenant')
})
