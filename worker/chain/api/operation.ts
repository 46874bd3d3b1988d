import type * as z from 'zod'
import type { ChainErrorCode } from '../chain-error.ts'

/** What a token has to allow for an operation: to read, to write, or to see and erase what is known of a person. */
export type Permission = 'read' | 'write' | 'people'

/**
 * One operation of the chain's API as data. Routes, the OpenAPI document, its page, the typed client and the tests of bad
 * input are all made from these, so that none of them can say anything else.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With names in braces: `/api/contexts/{context}`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly needs: Permission
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly status: 200 | 201 | 202
  /** What it answers; of JSON unless `media` says otherwise. */
  readonly answer: z.ZodType
  readonly media?: 'text/csv'
  /** Besides what is wrong with the request itself. */
  readonly errors: readonly ChainErrorCode[]
}

/** What an operation is called with: params, query and body in one object, since their names differ. */
export type InputOf<O extends Operation> = Part<O, 'params'> & Part<O, 'query'> & Part<O, 'body'>
export type OutputOf<O extends Operation> = O['answer'] extends z.ZodType<infer T> ? T : never

/** What a caller gives, before defaults are filled in. */
export type RequestOf<O extends Operation> = Given<O, 'params'> & Given<O, 'query'> & Given<O, 'body'>

type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = O[K] extends z.ZodType
  ? z.output<O[K]>
  : unknown
type Given<O extends Operation, K extends 'params' | 'query' | 'body'> = O[K] extends z.ZodType
  ? z.input<O[K]>
  : unknown
