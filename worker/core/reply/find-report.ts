import { countKeyPairs, isReportKey } from './report.ts'

/** A report found in a text, before its values are checked. */
export interface FoundReport {
  readonly text: string
  readonly status: 'whole' | 'cut' | 'malformed'
  readonly pairs: readonly RawPair[]
  /** True if anything except white space surrounds the report. */
  readonly isWrapped: boolean
}

/**
 * Finds the first object that contains a field of a report. The search ignores the text after that object, and stops at
 * an incomplete object. So a text that somebody adds at the end of the reply can never replace the report.
 */
export function findReport(text: string): FoundReport | null {
  let start = text.indexOf('{')
  while (start >= 0) {
    const object = readRawObject(text, start)
    if (object.status === 'whole') {
      if (object.pairs.some(({ key }) => isReportKey(key))) return found(text, start, object.end, object)
      start = text.indexOf('{', object.end)
      continue
    }
    const end = object.status === 'cut' ? null : closingBrace(text, start)
    const hasKeys = countKeyPairs(text.slice(start, end ?? text.length)) > 0
    if (hasKeys) return found(text, start, end, end === null ? { ...object, status: 'cut' } : object)
    if (end === null) return null
    start = text.indexOf('{', end)
  }
  return null
}

function found(
  text: string,
  start: number,
  end: number | null,
  { status, pairs }: Pick<FoundReport, 'status' | 'pairs'>,
): FoundReport {
  const own = text.slice(start, end ?? text.length)
  return { text: own, status, pairs, isWrapped: own !== text.trim() }
}

/** Returns the index after the brace that closes the brace at `start`, or null if no brace closes it. */
export function closingBrace(text: string, start: number): number | null {
  const braces = createBraceCounter()
  for (let at = start; at < text.length; at += 1) {
    braces.push(text.charAt(at))
    if (braces.isClosed()) return at + 1
  }
  return null
}

/** One field of an object's text: its name decoded, its value as the model wrote it. */
export interface RawPair {
  readonly key: string
  readonly raw: string
}

/** The top level of an object's text. `end` is the index after its closing brace. */
export type RawObject =
  | { readonly status: 'whole'; readonly pairs: readonly RawPair[]; readonly end: number }
  /**
   * The text ended inside the object. `pairs` has the complete fields, without the last one, because its value may be
   * cut.
   */
  | { readonly status: 'cut'; readonly pairs: readonly RawPair[] }
  /** The object has something other than a field where a field should be. */
  | { readonly status: 'malformed'; readonly pairs: readonly RawPair[] }

const MAX_DEPTH = 32
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”“',
  '”': '”',
  '‘': '’‘',
  '’': '’',
}
const BARE_KEY = /[A-Za-z_$][\w$]*/y
const BARE_VALUE = /[^\s,:{}[\]"'`“”‘’]+/y
// The length of a comment is bounded. Otherwise a text full of unclosed comments would be read to its end again and
// again.
const SPACE = /(?:\s|\/\/[^\n]{0,500}(?:\n|$)|\/\*[^]{0,500}?\*\/)*/y

/**
 * Reads the fields of the object whose opening brace is at `start`, without checking them. Accepts the forms that
 * models write: single and curly quotes, bare names, comments, trailing commas. Returns each value as written, so that
 * `readReport` can compare a flag with the model's own token.
 */
export function readRawObject(text: string, start: number): RawObject {
  const pairs: RawPair[] = []
  let at = skipSpace(text, start + 1)

  for (;;) {
    if (at >= text.length) return { status: 'cut', pairs }
    if (text[at] === '}') return { status: 'whole', pairs, end: at + 1 }

    const key = readKey(text, at)
    if (typeof key === 'string') return { status: key, pairs }
    at = skipSpace(text, key.end)
    if (at >= text.length) return { status: 'cut', pairs }
    if (text[at] !== ':') return { status: 'malformed', pairs }

    const valueStart = skipSpace(text, at + 1)
    const valueEnd = skipValue(text, valueStart)
    if (typeof valueEnd === 'string') return { status: valueEnd, pairs }
    at = skipSpace(text, valueEnd)
    if (at >= text.length) return { status: 'cut', pairs }
    if (text[at] !== ',' && text[at] !== '}') return { status: 'malformed', pairs }

    pairs.push({ key: key.name, raw: text.slice(valueStart, valueEnd) })
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** Decodes a quoted text. Returns null if `raw` is not quoted. */
export function readQuoted(raw: string): string | null {
  const closers = QUOTES[raw[0] ?? '']
  if (closers === undefined || raw.length < 2 || !closers.includes(raw.at(-1) ?? '')) return null
  const inner = raw.slice(1, -1)
  return inner.replaceAll(/\\(?:u([\dA-Fa-f]{4})|([^]))/g, (_, hex?: string, char?: string) =>
    hex === undefined ? (ESCAPES[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

type Broken = 'cut' | 'malformed'

function readKey(text: string, at: number): { name: string; end: number } | Broken {
  if (QUOTES[text[at] ?? ''] === undefined) {
    const end = skipBare(text, at, BARE_KEY)
    return end === at ? 'malformed' : { name: text.slice(at, end), end }
  }
  const end = skipQuoted(text, at)
  if (typeof end === 'string') return end
  return { name: readQuoted(text.slice(at, end)) ?? '', end }
}

function skipValue(text: string, at: number): number | Broken {
  const first = text[at]
  if (first === undefined) return 'cut'
  if (QUOTES[first] !== undefined) return skipQuoted(text, at)
  if (first === '{' || first === '[') return skipNested(text, at)
  const end = skipBare(text, at, BARE_VALUE)
  return end === at ? 'malformed' : end
}

function skipNested(text: string, start: number): number | Broken {
  let depth = 0
  let at = start
  while (at < text.length) {
    const char = text[at] ?? ''
    // An apostrophe inside a bare word is not a quote. A single or curly quote begins a string only after `[`, `{`, a
    // comma or a colon.
    if (char === '"' || (QUOTES[char] !== undefined && /[[{,:]\s*$/.test(text.slice(Math.max(start, at - 8), at)))) {
      const end = skipQuoted(text, at)
      if (typeof end === 'string') return end
      at = end
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    if (depth > MAX_DEPTH) return 'malformed'
    at += 1
    if (depth === 0) return at
  }
  return 'cut'
}

function skipQuoted(text: string, start: number): number | Broken {
  const closers = QUOTES[text[start] ?? ''] ?? ''
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === '\\') at += 1
    else if (closers.includes(char)) return at + 1
  }
  return 'cut'
}

function skipBare(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  return SPACE.test(text) ? SPACE.lastIndex : at
}

/**
 * Counts braces and brackets in an object's text until the first brace is closed, and skips braces and brackets inside
 * strings. A string has double quotes, or escaped double quotes if the object was copied out of a string (`{\"a\":
 * 1}`). Other kinds of quotes are ignored.
 */
export function createBraceCounter(): { push(point: string): void; isClosed(): boolean } {
  let depth = 0
  let string: 'none' | 'plain' | 'escaped' = 'none'
  let backslashes = 0

  return {
    push(point) {
      if (point === '"') quote()
      else if (string === 'none') count(point)
      backslashes = point === '\\' ? backslashes + 1 : 0
    },
    isClosed: () => depth <= 0,
  }

  function quote(): void {
    if (string === 'none') string = backslashes === 1 ? 'escaped' : 'plain'
    // An odd number of backslashes escapes a quote. An escaped string ends at a quote with one backslash; quotes inside
    // it have more.
    else if (string === 'plain' ? backslashes % 2 === 0 : backslashes <= 1) string = 'none'
  }

  function count(point: string): void {
    if (point === '{' || point === '[') depth += 1
    else if (point === '}' || point === ']') depth -= 1
  }
}
