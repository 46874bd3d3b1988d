import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
/**
 * The numbers of the invariants. A number is a name and is not used again after deletion: invariant 20 was about
 * something that no longer exists.
 */
const NUMBERS = [...Array.from({ length: 39 }, (_, index) => index + 1).filter((number) => number !== 20), 43]

interface Row {
  readonly number: number
  readonly rules: readonly string[]
  readonly files: readonly string[]
}

describe('the table of invariants', () => {
  const rows = rowsOf(readFileSync(path.join(ROOT, 'docs/reference/corpus.md'), 'utf8'))

  it('[corpus-7] has a row for each, with rules and files', () => {
    expect(rows.map(({ number }) => number)).toEqual(NUMBERS)
    expect(rows.filter(({ rules, files }) => rules.length === 0 || files.length === 0)).toEqual([])
  })

  it.each(rows)('[corpus-7] $number: each of its files is there and quotes one of its rules', ({ rules, files }) => {
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
    expect(files.filter((file) => !rules.some((rule) => quotes(file, rule)))).toEqual([])
  })

  it.each(rows)('[corpus-7] $number: each of its rules is quoted by one of its files', ({ rules, files }) => {
    expect(rules.filter((rule) => !files.some((file) => quotes(file, rule)))).toEqual([])
  })
})

/**
 * Parses the table rows that begin with a number. A row names its rules in square brackets and its test files in
 * backticks.
 */
function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => {
    const number = /^\| (\d+) \|/.exec(line)?.[1]
    if (number === undefined) return []
    const files = [...line.matchAll(/`([\w-]+\/[\w-]+)`/g)].map((match) => `test/${match[1]}.test.ts`)
    const rules = [...line.matchAll(/\[([a-z]+-\d+)\]/g)].map((match) => match[1] ?? '')
    return [{ number: Number(number), rules, files }]
  })
}

function quotes(file: string, rule: string): boolean {
  return namesOf(file).some((name) => name.includes(`[${rule}]`))
}

/** Returns the names of a file's tests, including those of its `.long.test.ts` file. */
function namesOf(file: string): readonly string[] {
  const halves = [file, file.replace('.test.ts', '.long.test.ts')].map((half) => path.join(ROOT, half))
  const text = halves.map((half) => (existsSync(half) ? readFileSync(half, 'utf8') : '')).join('\n')
  return [...text.matchAll(/(['`])(\[[a-z]+-\d+\] .*?)\1/g)].map((match) => match[2] ?? '')
}
