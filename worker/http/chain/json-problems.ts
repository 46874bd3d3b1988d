import { MOST_PROBLEMS, type RequestProblem, problem } from './problems.ts'

/** The most levels of nested objects and lists in a body. */
const MOST_LEVELS = 40

/**
 * Returns the problems of a valid JSON text: a name given twice in one object, which two parsers would treat
 * differently; the name `__proto__`, which could change the prototype of a copied object; and texts and numbers that
 * would change when the database stores them (RFC 7493).
 *
 * `jsonProblems` reads the text and not the parsed value, because the parser keeps only one of two equal names. The
 * function stops reading where the nesting is too deep, and after `MOST_PROBLEMS` problems.
 */
export function jsonProblems(text: string): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  const open: Container[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (problems.length >= MOST_PROBLEMS) return problems
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      if (open.length === MOST_LEVELS) return [...problems, at(open, 'TOO_DEEP', 'This is nested too deep.')]
      open.push({ names: token === '{' ? new Set() : null, step: token === '{' ? null : 0 })
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner) inner.step = inner.names === null ? Number(inner.step) + 1 : null
    else if (isNumber(token)) {
      if (!isKept(token)) problems.push(at(open, 'INVALID_RANGE', 'This number would not be kept as it is.'))
    } else if (token.startsWith('"')) {
      const value = JSON.parse(token) as string
      const isName = inner !== undefined && inner.names !== null && inner.step === null
      if (isName) {
        inner.step = value
        if (inner.names?.has(value)) problems.push(at(open, 'DUPLICATE_FIELD', 'This is given twice.'))
        inner.names?.add(value)
        if (value === '__proto__') problems.push(at(open, 'UNKNOWN_FIELD', 'There is no such field.'))
      }
      if (!isStorable(value)) problems.push(at(open, 'INVALID_FORMAT', UNSTORABLE))
    }
  }
  return problems
}

/** Returns true if the database can store the text unchanged: it contains no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

export const UNSTORABLE = 'This holds a character that is none, or half of one.'

/** An object or list that the scan is inside, with the names seen so far. */
interface Container {
  readonly names: Set<string> | null
  /** In an object, the name of the current value, or null before a name. In a list, the index of the current value. */
  step: string | number | null
}

/** Matches strings, numbers, brackets and commas; the scan needs nothing else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g

function isNumber(token: string): boolean {
  return /^[-\d]/.test(token)
}

/** Returns true if a number keeps its value when it is parsed. */
function isKept(token: string): boolean {
  return /^-?\d+$/.test(token) ? Number.isSafeInteger(Number(token)) : Number.isFinite(Number(token))
}

function at(open: readonly Container[], code: RequestProblem['code'], message: string): RequestProblem {
  return problem(
    code,
    'body',
    open.flatMap(({ step }) => (step === null ? [] : [step])),
    message,
  )
}
