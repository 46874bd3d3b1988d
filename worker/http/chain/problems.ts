import type * as z from 'zod'
import { CHAIN_ERRORS, type ChainErrorCode } from '../../chain/chain-error.ts'

/** One thing that is wrong with a request. */
export interface RequestProblem {
  readonly code: ChainErrorCode
  /** The path to the wrong value, as a JSON pointer (RFC 6901): `/body/purpose`, `/query/limit`, `/params/context`. */
  readonly pointer: string
  /** A sentence about the field, without its value. */
  readonly message: string
}

/** The most problems that one answer reports, so that an answer is not much longer than its request. */
export const MOST_PROBLEMS = 100

/** The parts of a request, as the first segment of a pointer. */
export type RequestPart = 'params' | 'query' | 'body'

/**
 * Converts the issues that a zod schema reports about a part of a request to problems with the API's error codes.
 *
 * @param value the value that was validated: zod's issues alone do not tell a missing field from one of the wrong type,
 *   or blanks from an empty text
 */
export function problemsOf(
  part: RequestPart,
  { issues }: Pick<z.ZodError, 'issues'>,
  value: unknown,
): readonly RequestProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys
        .slice(0, MOST_PROBLEMS)
        .map((key) => problem('UNKNOWN_FIELD', part, [...issue.path, key], 'There is no such field.'))
    const found = valueAt(value, issue.path)
    const code = codeOf(issue, found)
    return [problem(code, part, issue.path, sentenceOf(code, issue))]
  })
}

/** Makes a problem with a JSON pointer from a part of the request and a path within it. */
export function problem(
  code: ChainErrorCode,
  part: RequestPart,
  path: readonly PropertyKey[],
  message: string,
): RequestProblem {
  return { code, pointer: pointerTo([part, ...path]), message }
}

/**
 * The most characters of a pointer. A pointer contains names from the request, so without a limit it could be as long
 * as the request.
 */
const LONGEST_POINTER = 500

/**
 * Makes a JSON pointer (RFC 6901, section 3). If the pointer would be too long, returns a pointer to a value that
 * encloses the wrong value.
 */
function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const step of path.map(String)) {
    if (step.length > LONGEST_POINTER) break
    const further = `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (further.length > LONGEST_POINTER) break
    pointer = further
  }
  return pointer
}

function codeOf(issue: z.core.$ZodIssue, found: unknown): ChainErrorCode {
  if (found === undefined) return 'MISSING_REQUIRED_FIELD'
  if (isCode(issue.message)) return issue.message
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue.origin, found)
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int' ? 'INVALID_RANGE' : 'TOO_LONG'
    case 'invalid_type':
      // A number with a fraction, in a field for integers, counts as out of range.
      return issue.expected === 'int' && typeof found === 'number' ? 'INVALID_RANGE' : 'INVALID_TYPE'
    case 'invalid_value':
      return typeof found === 'string' ? 'INVALID_FORMAT' : 'INVALID_TYPE'
    default:
      return 'INVALID_FORMAT'
  }
}

function tooSmall(origin: string, found: unknown): ChainErrorCode {
  if (origin === 'array') return 'EMPTY_ARRAY'
  if (origin !== 'string') return 'INVALID_RANGE'
  return found === '' ? 'MISSING_REQUIRED_FIELD' : 'WHITESPACE_ONLY'
}

/**
 * Returns true if zod's message is an error code. A schema can choose its error code by giving the code as its message
 * (see `as` in shapes.ts).
 */
function isCode(message: string): message is ChainErrorCode {
  return Object.hasOwn(CHAIN_ERRORS, message)
}

const SENTENCES: { readonly [C in ChainErrorCode]?: string } = {
  MISSING_REQUIRED_FIELD: 'This has to be given.',
  WHITESPACE_ONLY: 'This may not be blank.',
  INVALID_ID: 'This is not written as such an id is.',
  INVALID_STATUS: 'This has to be active, blocked, completed or cancelled.',
  INVALID_DATE: 'This has to be milliseconds since 1970, or a date and a time with its offset as in ISO 8601.',
  INVALID_CURSOR: 'This is not the `next` of a list.',
  INVALID_TYPE: 'This is of another type.',
  INVALID_FORMAT: 'This is not written as it has to be.',
  INVALID_RANGE: 'This has to be a whole number within its limits.',
  EMPTY_ARRAY: 'There has to be at least one.',
  EMPTY_UPDATES: 'Nothing is changed by this.',
  EMPTY_FILTERS: 'This would be everything: say what it should fit.',
  TOO_LONG: 'This is too long.',
  TOO_DEEP: 'This is nested too deep.',
}

function sentenceOf(code: ChainErrorCode, issue: z.core.$ZodIssue): string {
  if (code === 'INVALID_FORMAT' && issue.code === 'invalid_value')
    return `This has to be one of: ${issue.values.join(', ')}.`
  if (code === 'INVALID_TYPE' && issue.code === 'invalid_type') return `This has to be ${nameOfType(issue.expected)}.`
  if (issue.code === 'too_big') return `This has to be at most ${issue.maximum}${unitOf(issue.origin)}.`
  if (code === 'INVALID_RANGE' && issue.code === 'too_small') return `This has to be at least ${issue.minimum}.`
  return SENTENCES[code] ?? 'This is not right.'
}

function nameOfType(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: 'true or false',
    array: 'a list',
    int: 'a whole number',
    number: 'a number',
  }
  return (Object.hasOwn(names, expected) ? names[expected] : undefined) ?? 'an object'
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  )
}
