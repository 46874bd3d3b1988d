import type { NextStep } from '../wire/messages.ts'

/** Every refusal of the chain: its HTTP status and the client's next step. */
export const CHAIN_ERRORS = {
  CONTEXT_NOT_FOUND: [404, 'give-up'],
  PARENT_NOT_FOUND: [404, 'give-up'],
  VERSION_NOT_FOUND: [404, 'give-up'],
  MEMORY_NOT_FOUND: [404, 'give-up'],
  FACT_NOT_FOUND: [404, 'give-up'],
  PERSON_NOT_FOUND: [404, 'give-up'],
  ERASURE_NOT_FOUND: [404, 'give-up'],
  GRANT_NOT_FOUND: [404, 'give-up'],
  /** The id that the caller chose is already in use. */
  CONTEXT_EXISTS: [409, 'give-up'],
  MEMORY_EXISTS: [409, 'give-up'],
  HAS_CHILDREN: [409, 'give-up'],
  PARENT_TERMINAL: [409, 'give-up'],
  MAX_DEPTH: [409, 'give-up'],
  INVALID_TRANSITION: [409, 'give-up'],
  /** Another request changed the context. The client should read the context again before it decides on a change. */
  VERSION_CONFLICT: [409, 'start-over'],
  /** The person is being erased. Nothing is written about them until the erasure is done. */
  ERASURE_RUNNING: [409, 'retry-after'],
  /** Too many requests write to the chain at once. Nothing was written. */
  BUSY: [503, 'retry-after'],
  MISSING_REQUIRED_FIELD: [400, 'give-up'],
  WHITESPACE_ONLY: [400, 'give-up'],
  INVALID_ID: [400, 'give-up'],
  INVALID_STATUS: [400, 'give-up'],
  INVALID_RANGE: [400, 'give-up'],
  INVALID_TYPE: [400, 'give-up'],
  INVALID_DATE: [400, 'give-up'],
  INVALID_FORMAT: [400, 'give-up'],
  INVALID_CURSOR: [400, 'give-up'],
  EMPTY_UPDATES: [400, 'give-up'],
  /** A bulk operation without a filter would change everything, so it is refused. */
  EMPTY_FILTERS: [400, 'give-up'],
  EMPTY_ARRAY: [400, 'give-up'],
  TOO_LONG: [400, 'give-up'],
  TOO_DEEP: [400, 'give-up'],
  UNKNOWN_FIELD: [400, 'give-up'],
  DUPLICATE_FIELD: [400, 'give-up'],
  MALFORMED_JSON: [400, 'give-up'],
} as const satisfies Record<string, readonly [400 | 404 | 409 | 503, NextStep]>

export type ChainErrorCode = keyof typeof CHAIN_ERRORS

/** Thrown when the chain refuses a request. Nothing was changed. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: ChainErrorCode
  /** A JSON pointer to the field in the request, such as `/body/parentId`; null if no field is wrong. */
  readonly pointer: string | null

  /** @param message a sentence for the client; it contains no value from the request or the database */
  constructor(code: ChainErrorCode, message: string, pointer: string | null = null) {
    super(message)
    this.code = code
    this.pointer = pointer
  }
}
