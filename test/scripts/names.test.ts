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
  Answer Applied Asked Begun Change Chosen Conversation Conversations Data Deadline Decided Ending Engine Fact
  Finding Found Held Input Kept Line Look MAX_DEPTH Memory Message Moment NewContext NewMemory NextStep Note
  Outbox OutboxEntry Outcome Paper Part Piece Place Problem Recovery Row RunView Scene Stage
  Standing StepName Store Told Transcript Tree Value Waiting begin clean connect dayOf decide failed figuresIn
  follow keepFocus migrate placeOf problemOf recordOf rowOf sentencesOf stripOf
`
  .trim()
  .split(/\s+/)

test('an exported name has one meaning in the whole product', async () => {
  const known = [...Object.keys(SHARED), ...TO_RENAME]
  const found = await namesDeclaredTwice(ROOT)
  expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
})
