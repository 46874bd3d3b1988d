import { contextOperations } from './context-operations.ts'
import { grantOperations } from './grant-operations.ts'
import { memoryOperations } from './memory-operations.ts'
import type { InputOf, OutputOf } from './operation.ts'
import { peopleOperations } from './people-operations.ts'

/** The whole API of the chain, by the name of each operation. */
export const operations = { ...contextOperations, ...memoryOperations, ...peopleOperations, ...grantOperations }

export type OperationName = keyof typeof operations
export type OperationInput<N extends OperationName> = InputOf<(typeof operations)[N]>
export type OperationOutput<N extends OperationName> = OutputOf<(typeof operations)[N]>
