import * as z from 'zod'
import { meant } from '../worker/core/graph/document/lints/nearest.ts'

/**
 * What a schema objects to, in the words of somebody who writes YAML and has never seen the schema. Where a schema has
 * words of its own, those are said. Of keys that are not known, one line for each.
 */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return wrongType(issue.expected, issue.input)
  if (issue.code === 'invalid_value') return `is none of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') return `${sizeOf(issue.origin, 'more', Number(issue.maximum))}`
  if (issue.code === 'too_small') return `${sizeOf(issue.origin, 'less', Number(issue.minimum))}`
  if (issue.code !== 'unrecognized_keys') return undefined
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : []
  return issue.keys.map((key) => unknownKey(key, known)).join('\n')
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

/** What most often makes one thing of another in YAML. */
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
