import { handlers } from '../../../worker/chain/api/handlers.ts'
import { type OperationName, operations } from '../../../worker/chain/api/operations.ts'
import { ChainError, type ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Scope } from '../../../worker/chain/scope.ts'

/** The answer of an operation, or the code of its refusal. */
export type Told = { readonly answer: unknown } | { readonly refused: ChainErrorCode }

/** Returns a request as the HTTP layer passes it on: validated by its operation's schemas, with all defaults. */
export function read(
  name: OperationName,
  request: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const operation = operations[name]
  const parts = ['params', 'query', 'body'].flatMap((part) => {
    const schema = Reflect.get(operation, part)
    if (!schema) return []
    const fields = Object.keys(schema.shape)
    const own = Object.entries(request).filter(([key, value]) => fields.includes(key) && value !== undefined)
    return [schema.parse(Object.fromEntries(own))]
  })
  return Object.assign({}, ...parts)
}

/** Returns what an operation answers to a valid request. */
export function ask(scope: Scope, name: OperationName, request: Readonly<Record<string, unknown>>): Promise<Told> {
  const handler = handlers[name] as (scope: Scope, input: Readonly<Record<string, unknown>>) => Promise<unknown>
  return told(() => handler(scope, read(name, request)))
}

/** Returns what an operation with pages answers to a valid request, with all pages joined. */
export async function askAll(
  scope: Scope,
  name: OperationName,
  request: Readonly<Record<string, unknown>>,
): Promise<Told> {
  const items: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await ask(scope, name, { ...request, cursor })
    if ('refused' in page) return page
    const { items: some, next } = page.answer as { items: readonly unknown[]; next: string | null }
    items.push(...some)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return { answer: { items, next: null } }
}

/** Returns the result of a call, or the code of its refusal. Rethrows any other error. */
export async function told(call: () => unknown): Promise<Told> {
  try {
    return { answer: await call() }
  } catch (error) {
    if (error instanceof ChainError) return { refused: error.code }
    throw error
  }
}
