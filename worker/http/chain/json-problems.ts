import { MOST_PROBLEMS, type RequestProblem, problem } from './problems.ts'

/** The most objects and lists that may stand in one another in a body: those of its data, and of what that stands in. */
const MOST_LEVELS = 40

/**
 * What is wrong with JSON that can be parsed, but had better not be: a name twice, of which another reader would take the
 * other one; `__proto__`, which a copy would take for more than a name; text and numbers that are not given back as they
 * were (RFC 7493 asks for the same).
 *
 * One pass over the text, since the parsed value has kept one of two equal names. It stops at the first that nests too
 * deep, and when there is enough to tell.
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

/** Whether a database gives text back as it was: it has no NUL, and no half of a character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

export const UNSTORABLE = 'This holds a character that is none, or half of one.'

/** An object or a list that is being read: the names it has so far, and where in it the reading is. */
interface Container {
  readonly names: Set<string> | null
  /** The name of what is read, or null where the next text is a name; in a list, its place. */
  step: string | number | null
}

/** Strings, numbers and structure. Words and blanks lie between. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g

function isNumber(token: string): boolean {
  return /^[-\d]/.test(token)
}

/** Whether a number is finite when it is read, and a whole one still the same. */
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
