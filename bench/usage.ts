import { setTimeout } from 'node:timers/promises'
import { askGame, runOf, startGame, talkWith } from '../test/support/game-client.ts'
import { newCid } from '../test/support/player.ts'
import { PLAYS } from '../test/support/play-run.ts'
import { startWorkerServer } from '../test/support/worker-server.ts'

// Plays one whole run of a simulation as a learner does, and counts what Cloudflare bills for it: requests, calls of
// objects, rows read and written, in the conversations' own databases and in D1. `scripts/cost.ts` has the figures.
// The second argument is for how many seconds a conversation gathers what its run should have (`WALKON_GATHER_MS`), 120
// unless given. The learner sends a message every 25 seconds; here a second lasts 10 milliseconds.

const COUNTS = [
  'requests',
  'objectCalls',
  'framesIn',
  'objectRowsRead',
  'objectRowsWritten',
  'd1Queries',
  'd1RowsRead',
  'd1RowsWritten',
  'd1Batches',
] as const

type Usage = Partial<Record<(typeof COUNTS)[number] | 'objectBytes' | 'd1Bytes', number>>

const SCENARIO = process.argv[2] ?? 'launch-decision'
const GATHER_SECONDS = Number(process.argv[3] ?? 120)
const SECOND_MS = 10
const BETWEEN_MESSAGES_MS = 25 * SECOND_MS
const play = PLAYS[SCENARIO]
if (!play) throw new Error(`nobody has played ${SCENARIO}`)
const server = await startWorkerServer({
  configPath: 'bench/usage-worker.toml',
  vars: { WALKON_REHEARSAL_PACE_MS: '0', WALKON_GATHER_MS: String(GATHER_SECONDS * SECOND_MS) },
})
const usage = async () => (await (await server.fetch('usage')).json()) as Usage
try {
  // The first run makes the tables of D1, and stores the simulation there.
  const first = await startGame(server, { scenario: SCENARIO })
  for (const { npc } of play.talks) (await talkWith(server, first.key, npc)).leave()
  const before = await usage()
  const rows: [string, Usage][] = []
  const step = async (name: string) => rows.push([name, await usage()])
  const { key } = await startGame(server, { scenario: SCENARIO })
  await runOf(server, key)
  await step('a run begins')
  let messages = 0
  for (const { npc, lines } of play.talks) {
    const player = await talkWith(server, key, npc)
    await step(`the talk with ${npc} begins`)
    for (const line of lines) {
      if (line === '#1') await player.emit('say', { cid: newCid(), text: '1' })
      else await player.say(line)
      messages += 1
      await setTimeout(BETWEEN_MESSAGES_MS)
    }
    player.leave()
    await runOf(server, key)
    await step(`${lines.length} messages to ${npc}`)
  }
  const { body } = await askGame<{ decision: unknown }>(server, 'api/run/decision', {
    key,
    body: { ...play.decision, evidence: [] },
  })
  if (body.error) throw new Error(body.error.message)
  await askGame(server, 'api/run/debrief', { key })
  await step('the decision and the debrief')
  const line = (name: string, of: Usage) =>
    name.padEnd(32) + COUNTS.map((each) => String(of[each] ?? 0).padStart(18)).join('')
  console.log(line(' ', {}).slice(0, 32) + COUNTS.map((each) => each.padStart(18)).join(''))
  for (const [name, of] of rows) console.log(line(name, of))
  const total: Usage = {}
  for (const [, of] of rows) for (const each of COUNTS) total[each] = (total[each] ?? 0) + (of[each] ?? 0)
  console.log(line(`all, with ${messages} messages`, total))
  const left = rows.at(-1)?.[1]
  const kB = (bytes = 0) => `${Math.round(bytes / 1000)} kB`
  console.log(
    `the conversations take ${kB(left?.objectBytes)}; D1 grew by ${kB((left?.d1Bytes ?? 0) - (before.d1Bytes ?? 0))}`,
  )
} finally {
  await server.stop()
}
