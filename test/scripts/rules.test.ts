import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Rules whose id is in no test name, each with the reason. */
const WITHOUT_A_TEST: Readonly<Record<string, string>> = {
  'message-10': 'asks something of clients; our own client handles unknown events and fields by [embed-27]',
}

describe('rules and proofs', () => {
  const rules = statedRules().map(({ id }) => id)
  const proven = new Set([
    ...texts('test/**/*.test.{ts,tsx}').flatMap(quotedByTest),
    ...texts('test/fixtures/*.json').flatMap(namedByFixture),
  ])

  it('[setup-11] a rule is stated once', () => {
    expect(rules.length).toBeGreaterThan(200)
    expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([])
  })

  it('[setup-11] every rule has a test that quotes it, but for the exceptions', () => {
    expect(rules.filter((id) => !proven.has(id))).toEqual(Object.keys(WITHOUT_A_TEST))
  })

  it('[setup-11] every id a test goes by is a rule', () => {
    expect([...proven].filter((id) => !rules.includes(id))).toEqual([])
  })

  it.each(['README.md', 'docs/**/*.md', '{worker,widget,scripts,sims,test}/**/*.{ts,tsx,mjs,yaml}'])(
    '[setup-11] every id that is quoted in %s is a rule',
    (pattern) => {
      const quoted = texts(pattern).flatMap(({ file, text }) =>
        [...text.matchAll(ID)].map((match) => ({ file, id: idOf(match) })),
      )
      expect(quoted.filter(({ id }) => !rules.includes(id))).toEqual([])
    },
  )
})

/** Matches a rule's id where a page states the rule. An id is a word and a number: `walk-13`. */
const STATED = /\*\*\[([a-z]+-\d+)\]\*\*/g
const WORDS = new Set(statedRules().map(({ id }) => id.replace(/-\d+$/, '')))
const ID = new RegExp(`\\[((?:${[...WORDS].join('|')})-\\d+)\\]`, 'g')
const QUOTED_ID = new RegExp(`["']((?:${[...WORDS].join('|')})-\\d+)["']`, 'g')
const NAMED_ID = /"rule":\s*"([a-z]+-\d+)"/g

/** Returns every rule of the documents, with the page that states the rule. */
function statedRules(): { id: string; page: string }[] {
  return texts('docs/reference/*.md').flatMap(({ file, text }) =>
    [...text.matchAll(STATED)].map((match) => ({ id: idOf(match), page: path.basename(file) })),
  )
}

interface Text {
  file: string
  text: string
}

/** Returns the files that match a glob, relative to the root, with their texts. */
function texts(pattern: string): Text[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((file) => ({
    file,
    text: readFileSync(path.join(ROOT, file), 'utf8'),
  }))
}

/**
 * Returns the rule ids in the names of a file's tests. The ids are written out, or inserted from the rows of a table.
 * The compiler first removes comments, because an id in a comment proves nothing.
 */
function quotedByTest({ file, text }: Text): string[] {
  const loader = file.endsWith('x') ? 'tsx' : 'ts'
  const { code } = transformSync(text, { loader, minifyWhitespace: true, legalComments: 'none' })
  const isTable = /\[(?:%s|\$rule|\$\{(?:\w+\.)?rule\})\]/.test(code)
  const rows = isTable ? [...code.matchAll(QUOTED_ID)] : []
  return [...code.matchAll(ID), ...rows].map(idOf)
}

function namedByFixture({ text }: Text): string[] {
  return [...text.matchAll(NAMED_ID)].map(idOf)
}

function idOf(match: RegExpMatchArray): string {
  return match[1] ?? ''
}
