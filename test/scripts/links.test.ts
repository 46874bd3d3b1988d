import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const pages = globSync('{README.md,docs/**/*.md}', { cwd: ROOT }).map((page) => ({
  page,
  text: readFileSync(path.join(ROOT, page), 'utf8'),
}))

/**
 * Matches a link to a page or a picture: `[text](target)`. Does not match addresses of the web or of a running server.
 */
const LINK = /\]\((?!https?:|mailto:|#|\/)([^)\s#]+)/g
/** Matches a file of the project in backticks: a top-level folder, a path and a file extension. */
const SOURCE = /`((?:worker|widget|sims|scripts|test|bench|docs)\/[\w./-]+\.(?:tsx?|mjs|md|yaml|json|toml|css))`/g

describe('the documents', () => {
  it('[setup-16] link to what is there', () => {
    const links = pages.flatMap(({ page, text }) =>
      [...text.matchAll(LINK)].map(([, target = '']) => ({ page, target })),
    )
    expect(links.length).toBeGreaterThan(100)
    const broken = links.filter(({ page, target }) => !existsSync(path.join(ROOT, path.dirname(page), target)))
    expect(broken).toEqual([])
  })

  it('[setup-16] name files that are there', () => {
    const files = pages.flatMap(({ page, text }) => [...text.matchAll(SOURCE)].map(([, file = '']) => ({ page, file })))
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter(({ file }) => !existsSync(path.join(ROOT, file)))).toEqual([])
  })
})
