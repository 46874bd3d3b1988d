import * as z from 'zod'
import { meant } from '../../worker/core/graph/document/lints/nearest.ts'
import type { Finding } from '../../worker/core/graph/finding.ts'
import { formError } from './finding.ts'

/**
 * Returns the message of a Zod issue for an author who writes YAML and has never seen the schema. If the schema defines
 * a message of its own, Zod uses the schema's message. The message about unknown keys has one line for each key.
 */
export const wordsForAuthors: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return wrongType(issue.expected, issue.input)
  if (issue.code === 'invalid_value') return `is none of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') return `${sizeOf(issue.origin, 'more', Number(issue.maximum))}`
  if (issue.code === 'too_small') return `${sizeOf(issue.origin, 'less', Number(issue.minimum))}`
  if (issue.code !== 'unrecognized_keys') return undefined
  const known = knownKeys(issue)
  return issue.keys.map((key) => unknownKey(key, known)).join('\n')
}

/** Returns the keys that the schema of an issue knows, in order. */
export function knownKeys({ inst }: z.core.$ZodRawIssue): readonly string[] {
  return inst instanceof z.ZodObject ? Object.keys(inst.shape) : []
}

function unknownKey(key: string, known: readonly string[]): string {
  const hint = meant(key, known)
  return `is not a key this file knows${hint && `.${hint}`}`
}

function wrongType(expected: string, input: unknown): string {
  const wanted = WANTED[expected] ?? expected
  if (input === undefined) return `is missing. It has to be ${wanted}`
  return `has to be ${wanted}, and is ${kindOf(input)}${hintFor(expected, input)}`
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'keys with their values',
  record: 'keys with their values',
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return 'keys with their values'
}

/**
 * Returns a hint about the usual YAML mistake that produces the given type instead of the expected type; empty if there
 * is no such mistake.
 */
function hintFor(expected: string, input: unknown): string {
  if (expected === 'string' && kindOf(input) === 'keys with their values')
    return '. A text with a colon in it stands in quotes'
  if (expected === 'array' && typeof input === 'string') return '. Each item of a list has a dash before it'
  if ((expected === 'int' || expected === 'number') && typeof input === 'string' && /^\d+$/.test(input))
    return '. Take the quotes away'
  if (expected === 'boolean' && typeof input === 'string') return '. YAML takes yes and no for text'
  return ''
}

function sizeOf(origin: string, than: 'more' | 'less', bound: number): string {
  if (origin !== 'array') return `is ${than} than ${bound}`
  return than === 'less' && bound === 1
    ? 'is an empty list'
    : `has ${than === 'less' ? 'fewer' : 'more'} than ${bound} items`
}

/**
 * Returns a Zod error as findings. Each unknown key gets its own finding. The caller has to pass `wordsForAuthors` to
 * the parser, so that the messages suit authors.
 */
export function schemaErrors(error: z.ZodError): readonly Finding[] {
  return error.issues.flatMap(findingsOf)
}

function findingsOf(issue: z.ZodError['issues'][number]): readonly Finding[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n')
    return issue.keys.map((key, i) => formError([...path, key], lines[i] ?? issue.message))
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => formError(path, message))
  return [formError(path, issue.message)]
}
