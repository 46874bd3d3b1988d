import type { NextStep } from '../wire/messages.ts'

/** Why the chain refuses something: the status it goes out with, and what the other side should do next. */
export const CHAIN_ERRORS = {
  CONTEXT_NOT_FOUND: [404, 'give-up'],
  PARENT_NOT_FOUND: [404, 'give-up'],
  VERSION_NOT_FOUND: [404, 'give-up'],
  MEMORY_NOT_FOUND: [404, 'give-up'],
  FACT_NOT_FOUND: [404, 'give-up'],
  PERSON_NOT_FOUND: [404, 'give-up'],
  ERASURE_NOT_FOUND: [404, 'give-up'],
  /** An id that the caller made has been used before. */
  CONTEXT_EXISTS: [409, 'give-up'],
  MEMORY_EXISTS: [409, 'give-up'],
  HAS_CHILDREN: [409, 'give-up'],
  PARENT_TERMINAL: [409, 'give-up'],
  MAX_DEPTH: [409, 'give-up'],
  INVALID_TRANSITION: [409, 'give-up'],
  /** Somebody else has written meanwhile: read again, and decide again. */
  VERSION_CONFLICT: [409, 'start-over'],
  /** This person is being erased; what is written now would be erased, or would not be. */
  ERASURE_RUNNING: [409, 'retry-after'],
  /** Too many write here at once. Nothing was written. */
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
  /** A filter that fits everything is not taken for one that was meant. */
  EMPTY_FILTERS: [400, 'give-up'],
  EMPTY_ARRAY: [400, 'give-up'],
  TOO_LONG: [400, 'give-up'],
  TOO_DEEP: [400, 'give-up'],
  UNKNOWN_FIELD: [400, 'give-up'],
  DUPLICATE_FIELD: [400, 'give-up'],
  MALFORMED_JSON: [400, 'give-up'],
} as const satisfies Record<string, readonly [400 | 404 | 409 | 503, NextStep]>

export type ChainErrorCode = keyof typeof CHAIN_ERRORS

/** The chain does not do what it was asked, and has changed nothing. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: ChainErrorCode
  /** The field it is about, as a JSON pointer into the request: `/body/parentId`. Null when it is about none. */
  readonly pointer: string | null

  /** @param message a sentence for whoever asked; no value of anybody's is in it */
  constructor(code: ChainErrorCode, message: string, pointer: string | null = null) {
    super(message)
    this.code = code
    this.pointer = pointer
  }
}
