import { handlers } from '../../../worker/chain/api/handlers.ts'
import { type OperationName, operations } from '../../../worker/chain/api/operations.ts'
import { ChainError, type ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Scope } from '../../../worker/chain/scope.ts'

/** What was answered, or the code of why not. */
export type Told = { readonly answer: unknown } | { readonly refused: ChainErrorCode }

/** A request as the door hands it on: read by the schemas of its operation, with everything in it that was left out. */
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

/** What an operation answers to a request that the door would have let in. */
export function ask(scope: Scope, name: OperationName, request: Readonly<Record<string, unknown>>): Promise<Told> {
  const handler = handlers[name] as (scope: Scope, input: Readonly<Record<string, unknown>>) => Promise<unknown>
  return told(() => handler(scope, read(name, request)))
}

/** The same of a list, with all its pages put together. */
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

/** What became of a call: of everything but a refusal it says nothing and throws on. */
export async function told(call: () => unknown): Promise<Told> {
  try {
    return { answer: await call() }
  } catch (error) {
    if (error instanceof ChainError) return { refused: error.code }
    throw error
  }
}
