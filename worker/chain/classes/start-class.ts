import { commit } from '../commit.ts'
import { type Scope, statement } from '../scope.ts'
import { newCode } from './class-code.ts'

/** A class that has just begun, with nobody in it. */
export interface ClassBegun {
  readonly id: string
  readonly code: string
}

/** Writes down a class that plays a simulation, under a code of its own. */
export async function startClass(
  scope: Scope,
  { title, scenario }: { readonly title: string; readonly scenario: string },
): Promise<ClassBegun> {
  const id = scope.newId('cls')
  const code = newCode()
  const insert = `INSERT INTO classes (tenant, id, code, title, scenario, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`
  await commit(scope, { guards: [], writes: [statement(scope, insert, id, code, title, scenario, scope.now())] })
  return { id, code }
}
