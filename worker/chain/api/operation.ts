import type * as z from 'zod'
import type { ChainErrorCode } from '../chain-error.ts'

/** The permission of a token that an operation needs: to read, to write, or to see and erase people. */
export type Permission = 'read' | 'write' | 'people'

/** What a token may allow: a permission, or only reading what was granted to the token. */
export type TokenPermission = Permission | 'granted'

/**
 * One operation of the chain's API as data. The routes, the OpenAPI document, the documentation page, the typed client
 * and the tests of bad input are all made from this data, so they cannot disagree.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path with its parameters in braces: `/api/contexts/{context}`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly needs: Permission
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly status: 200 | 201 | 202
  /** The schema of the answer. The answer is sent as JSON unless `media` names another type. */
  readonly answer: z.ZodType
  readonly media?: 'text/csv'
  /** The errors that even a well-formed request can cause. */
  readonly errors: readonly ChainErrorCode[]
}

/** The input of an operation: params, query and body in one object. Their field names never collide. */
export type InputOf<O extends Operation> = Part<O, 'params'> & Part<O, 'query'> & Part<O, 'body'>
export type OutputOf<O extends Operation> = O['answer'] extends z.ZodType<infer T> ? T : never

/** The input as a caller gives it, before defaults are filled in. */
export type RequestOf<O extends Operation> = Given<O, 'params'> & Given<O, 'query'> & Given<O, 'body'>

type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = O[K] extends z.ZodType
  ? z.output<O[K]>
  : unknown
type Given<O extends Operation, K extends 'params' | 'query' | 'body'> = O[K] extends z.ZodType
  ? z.input<O[K]>
  : unknown
