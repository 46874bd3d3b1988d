import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOORS_CONFIG } from '../support/doors.ts'
import { runKills } from '../support/kill-run.ts'
import { KillableServer } from '../support/killable-server.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { openSession } from '../support/player.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'

// `npm run kills --prefix bench` runs the long form of this test.

const PACE_MS = 60
/**
 * A turn's lease in milliseconds, longer than a reply can stand still on a busy machine. If no client is connected, the
 * server recovers a turn only after this time.
 */
const LEASE_MS = 10_000
/** A pause of the model, in milliseconds. The pause is longer than the time in which the test kills the process. */
const STANDSTILL_MS = 10_000

let model: MarkedModel
let server: KillableServer

describe.skipIf(process.platform !== 'linux')('the process is killed while a model speaks', () => {
  beforeAll(async () => {
    model = await MarkedModel.start(PACE_MS)
    server = await KillableServer.start(DOORS_CONFIG, { ...model.vars, WALKON_TURN_LEASE_MS: String(LEASE_MS) })
  })
  afterAll(async () => {
    await server.stop()
    await model.stop()
  })

  it.each([
    { seed: 1, kills: 6 },
    { seed: 2, kills: 6 },
  ])(
    '[turn-30] [turn-31] [message-12] [message-17] [message-23] seed $seed: $kills kills during 6 replies lose, double and block nothing',
    { timeout: 300_000 },
    async ({ seed, kills }) => {
      model.paceMs = PACE_MS
      const summary = await runKills(server, model, { seed, kills, learners: 6, wholeEvery: 5 })
      expect(summary.breaches).toEqual([])
      // The kills had an effect: some replies were cut off, and others completed.
      expect(summary.streamsHit).toBeGreaterThanOrEqual(4 * kills)
      expect(summary.turns.voided).toBeGreaterThan(0)
      expect(summary.turns.complete).toBeGreaterThan(0)
      expect(summary.characters.voided).toBeGreaterThan(0)
    },
  )

  it(
    '[turn-32] [message-17] a turn whose learner has gone is spoken again by itself',
    { timeout: 120_000 },
    async () => {
      model.paceMs = PACE_MS
      const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
      const learner = new StreamWatcher(server, session, 'gone')
      await learner.until(() => learner.isLinked)
      const before = model.said.length
      await learner.ask({ name: 'say', body: { cid: 'c1', text: 'Hello. mark-gone-1' } })
      await learner.until(() => learner.running?.text)
      model.paceMs = STANDSTILL_MS
      learner.leave()
      await server.crash()
      model.paceMs = 0
      await model.asked(before + 2)

      const again = new StreamWatcher(server, session, 'back')
      await again.until(() => again.events.some((event) => event.type === 'turn'))
      expect(again.last).toMatchObject({ type: 'turn', turn: 1, attempt: 2, outcome: 'complete' })
      expect(again.breaches).toEqual([])
      again.leave()
    },
  )
})
