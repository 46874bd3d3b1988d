import { handlers } from '../../../worker/chain/api/handlers.ts'
import type { RequestOf } from '../../../worker/chain/api/operation.ts'
import type { OperationName, operations, OperationOutput } from '../../../worker/chain/api/operations.ts'
import { ChainError, type ChainErrorCode } from '../../../worker/chain/chain-error.ts'
import type { Scope } from '../../../worker/chain/scope.ts'
import { read } from './ask.ts'
import { freshScope } from './fresh-scope.ts'

/** The chain of one tenant, as a function that runs the operation with the given name. */
export interface Chain {
  readonly scope: Scope
  <N extends OperationName>(name: N, request: RequestOf<(typeof operations)[N]>): Promise<OperationOutput<N>>
}

/** Returns the empty chain of a new tenant. */
export async function freshChain(own: Partial<Scope> = {}): Promise<Chain> {
  const scope = await freshScope(own)
  return Object.assign(call, { scope })

  async function call<N extends OperationName>(name: N, request: RequestOf<(typeof operations)[N]>) {
    const handler = Reflect.get(handlers, name) as (scope: Scope, input: unknown) => Promise<OperationOutput<N>>
    return await handler(scope, read(name, Object(request)))
  }
}

/** Returns the code with which a call is refused. */
export async function refusalOf(call: Promise<unknown>): Promise<ChainErrorCode> {
  try {
    await call
  } catch (error) {
    if (error instanceof ChainError) return error.code
    throw error
  }
  throw new Error('it was not refused')
}

/** Creates a root with the given fields. */
export function root(chain: Chain, own: Partial<RequestOf<(typeof operations)['createContext']>> = {}) {
  return chain('createContext', { purpose: 'Process a refund', memorySpaceId: 'sales', ...own })
}

/** Creates a child of a context. */
export function childOf(
  chain: Chain,
  parent: { readonly id: string },
  own: Partial<RequestOf<(typeof operations)['createContext']>> = {},
) {
  return root(chain, { purpose: 'Approve it', memorySpaceId: 'finance', parentId: parent.id, ...own })
}

export function idsOf(contexts: readonly { readonly id: string }[]): readonly string[] {
  return contexts.map(({ id }) => id)
}
