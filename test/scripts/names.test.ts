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
  widget: 'the texts of one screen in each language',
}

/** Names that still have several meanings. Rename them and take them out of this list; add none. */
const TO_RENAME = `
  Acknowledgement Answer Applied Asked Begun Change Chosen Closing Conversation Conversations Data Deadline
  Decided Ending Engine Entry Fact Failure Finding Found Heard Held Input Kept Line Look MAX_DEPTH Memory
  Message Moment Mood NewContext NewMemory NextStep Note Outbox OutboxEntry Outcome Paper Part Piece Place
  PlacedText Problem Recovery Row RunView Said Scene Speech Stage Standing Step StepName Store Told Transcript
  Tree Value Verdict Verified Visit Waiting again begin bringUpToDate clean close closingEarned closingForced
  closingOver composer conclude connect createSession dateTime dayOf decide drawingOf edit engagementOf
  entriesOf failed figuresIn firstName follow hear inOrder inWords isRecord keepFocus launcher launcherFailed
  launcherUnread list meeting migrate model mood moreSentences name namesOf newMessages nextTitle notSent
  objective objectiveLabel offline opening panel pivot pivotFailed pivotHint pivotPassed placeOf placeholder
  placesOf problemOf queued queuedOffline reconnect reconnected reconnecting rehearsal replyFailed replying
  rowOf says send sending sent sentencesOf showDebrief spokenTexts startClass startOver startRun startedOver
  stillReconnecting stop stopped stripOf subjectOf talkTo tally tooLong transcript tryAgain verify why whyNot
  whyRefused you youAre
`
  .trim()
  .split(/\s+/)

test('an exported name has one meaning in the whole product', async () => {
  const known = [...Object.keys(SHARED), ...TO_RENAME]
  const found = await namesDeclaredTwice(ROOT)
  expect(found.filter(({ name }) => !known.includes(name))).toEqual([])
})
