import path from 'node:path'
import { expect, test } from 'vitest'
import { namesDeclaredTwice } from '../../scripts/names.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Names that several files export on purpose, each with the reason. */
const SHARED: Readonly<Record<string, string>> = {
  App: 'the root component of each page',
  MIGRATIONS: 'the migrations of each store',
  clean: 'drops hidden characters: the service checks the characters around them, the page reads the text once more',
  createStore: 'the store of each page',
}

test('an exported name has one meaning in the whole product', async () => {
  const names = (await namesDeclaredTwice(ROOT)).map(({ name }) => name)
  const known = Object.keys(SHARED)
  const [added, gone] = [names.filter((name) => !known.includes(name)), known.filter((name) => !names.includes(name))]
  expect(added, 'rename one of them').toEqual([])
  expect(gone, 'take these out of SHARED').toEqual([])
})
