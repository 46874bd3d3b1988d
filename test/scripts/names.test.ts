import path from 'node:path'
import { expect, test } from 'vitest'
import { namesDeclaredTwice } from '../../scripts/names.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Names that several files declare on purpose, and why. */
const SHARED: Readonly<Record<string, string>> = {
  App: 'the root component of each page',
  MIGRATIONS: 'the migrations of each store',
  createStore: 'the store of each page',
  debrief: 'the texts of one screen in each language',
  notebook: 'the texts of one screen in each language',
  result: 'the texts of one screen in each language',
  shell: 'the texts of one screen in each language',
  teach: 'the texts of one screen in each language',
}

/** Names that still have several meanings. Rename them and take them out of this list; add none. */
const TO_RENAME = `
  Answer Asked Chosen Conversation Deadline Ending Engine Finding Held Kept Line Memory Moment NextStep Note
  Outbox OutboxEntry Outcome Paper Recovery Row RunView Scene Stage Store Told Transcript Tree Waiting begin
  clean connect dayOf failed figuresIn follow keepFocus problemOf recordOf rowOf sentencesOf stripOf
`
  .trim()
  .split(/\s+/)

test('an exported name has one meaning in the whole product', async () => {
  const known = [...Object.keys(SHARED), ...TO_RENAME]
  const found = await namesDeclaredTwice(ROOT)
  expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
})
