import { readFile } from 'node:fs/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { rehearse } from '../worker/actor/rehearsal/rehearse.ts'
import { readTable, wordTable } from '../scripts/word-table-file.ts'
import { simulationFile } from '../test/support/play-run.ts'
import { Conversation } from '../test/support/rehearsal-conversation.ts'

// Measures what it costs to hear: the computing time in which the rehearsal actor makes one reply, and the memory that
// it keeps. The messages are those of the corpus, said one after another to each colleague in a row of conversations.

const LONGEST = 12
/** How often all messages are said before the second measurement, because what runs often is compiled anew several times. */
const ROUNDS = 3

const messages = JSON.parse(
  await readFile(new URL('../test/fixtures/heard/tuning.json', import.meta.url), 'utf8'),
) as readonly { colleague: string; asks: string }[]
// The conversations below speak with the same table.
const table = await wordTable()
const scenarios = new Set(messages.map(({ colleague }) => scenarioOf(colleague)))
// The simulations are read before the measurement, and simulationFile keeps them.
for (const id of scenarios) simulationFile(id)

const opening = kept()
let conversation: Conversation
// The first half of the messages warms up: an isolate lives long, and compiles what it runs often.
const isFirstHalf = (_: unknown, at: number) => at % 2 === 0
const first = timesOf(messages.filter(isFirstHalf)).map(([begins = 0]) => begins)
const rest = messages.filter((each, at) => !isFirstHalf(each, at))
const later = timesOf(rest).flat()

const lines = (kept() - opening) / scenarios.size
for (let round = 0; round < ROUNDS; round += 1) timesOf(messages)
const settled = timesOf(rest).flat()
const before = kept()
const another = await readTable()
const ofTable = kept() - before

console.log(
  [
    `${later.length} messages to ${first.length} colleagues, Node ${process.versions.node}`,
    `a turn        ${summary(later)}`,
    `after ${messages.length * (ROUNDS + 1)}    ${summary(settled)}`,
    `first turn    ${summary(first)} (with the reading of the colleague's lines, once in an isolate)`,
    `table         ${megabytes(ofTable)} for ${another.size} words`,
    `lines         ${megabytes(lines)} for one simulation`,
  ].join('\n'),
)

/** Says messages to their colleagues, and returns the computing time of each reply in milliseconds, by colleague. */
function timesOf(said: typeof messages): readonly (readonly number[])[] {
  return [...Map.groupBy(said, ({ colleague }) => colleague)].map(([colleague, asked]) =>
    asked.map(({ asks }, at) => {
      if (at % LONGEST === 0) conversation = new Conversation(simulationFile(scenarioOf(colleague)), idOf(colleague))
      const start = process.cpuUsage()
      rehearse(conversation.scene(asks), table)
      const { user, system } = process.cpuUsage(start)
      if (!conversation.ended) conversation.say(asks)
      return (user + system) / 1000
    }),
  )
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return `median ${at(0.5)} ms, mean ${mean.toFixed(1)} ms, 95 of 100 within ${at(0.95)} ms`
}

/**
 * Returns the bytes in use, after a collection if Node was started with `--expose-gc`. Compiled code is left out, because
 * it depends on how long the process has run.
 */
function kept(): number {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const code = getHeapSpaceStatistics().filter(({ space_name: name }) => /code|trusted/.test(name))
  return heapUsed + arrayBuffers - code.reduce((sum, { space_used_size: used }) => sum + used, 0)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function idOf(colleague: string): string {
  return colleague.split('.')[1]!
}

function scenarioOf(colleague: string): string {
  return colleague.split('.')[0]!
}
