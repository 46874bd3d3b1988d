import { startWorkerServer } from '../test/support/worker-server.ts'
import type { EventLoad } from './chain-operations.ts'

// Measures how many events of conversations one database takes in a second, if each comes alone and if several come
// together, in turn in one run. The database is SQLite on this machine's disk, in one process with the worker; on the
// platform it is elsewhere. So the ratio counts, not the number.

const ROUNDS = 5
const EVENTS = 12
const CONVERSATIONS = 60
const TOGETHER = [1, 3, 6, 12]

const server = await startWorkerServer({ configPath: 'bench/chain-worker.toml' })
try {
  const times = new Map<number, number[]>(TOGETHER.map((together) => [together, []]))
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const together of TOGETHER) {
      const events: EventLoad = { conversations: CONVERSATIONS, events: EVENTS, together }
      const body = JSON.stringify({ db: 'SMALL', tenant: `events-${round}-${together}`, events })
      const ms = Number(await (await server.fetch('', { method: 'POST', body })).text())
      // The first round warms the process up.
      if (round > 0) times.get(together)?.push(ms)
    }
  const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN
  const alone = median(times.get(1) ?? [])
  for (const [together, of] of times) {
    const ms = median(of)
    const aSecond = (count: number) => Math.round((count * CONVERSATIONS * 1000) / ms)
    console.log(
      `${String(together).padStart(2)} together: ${aSecond(EVENTS)} events and ${aSecond(EVENTS / together)} batches a second, ${(alone / ms).toFixed(1)} times`,
    )
  }
} finally {
  await server.stop()
}
