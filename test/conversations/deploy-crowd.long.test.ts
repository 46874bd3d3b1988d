import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Crowd } from '../support/crowd.ts'
import { DOORS_CONFIG } from '../support/doors.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { openSession } from '../support/player.ts'
import { Pulse, within } from '../support/pulse.ts'
import { QUICK_LEARNERS } from '../support/quick-learners.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'
import { Talk } from '../support/talk.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

/** The model's pace, so slow that at any time most learners are receiving a reply, even on a slow machine. */
const PACE_MS = 100
const CONVERSATIONS = 50
const TABS = 4
/** The default reconnection delays of the official client, which other tests shorten. */
const AS_OUTSIDE = { reconnectionDelay: 1_000, reconnectionDelayMax: 5_000 }

let model: MarkedModel
let server: WorkerServer

beforeAll(async () => {
  model = await MarkedModel.start(PACE_MS)
  server = await startWorkerServer({ configPath: DOORS_CONFIG, vars: { ...model.vars, ...QUICK_LEARNERS } })
})
afterEach(() => {
  model.paceMs = PACE_MS
})
afterAll(async () => {
  await server.stop()
  await model.stop()
})

describe('a deployment while many learners talk', () => {
  it(
    '[turn-35] [message-17] loses, doubles and blocks nothing, three times during 20 replies',
    { timeout: 300_000 },
    async () => {
      const crowd = new Crowd(server, model, { seed: 35, learners: 20 })
      crowd.live()
      for (let deployment = 1; deployment <= 3; deployment++) {
        await crowd.until('most to be spoken to', () => crowd.streaming >= 15)
        const { tabs } = crowd
        const hellos = tabs.map(({ hellos: before }) => before)
        await server.redeploy({ WALKON_REHEARSAL_PACE_MS: String(deployment) })
        await crowd.allBack(tabs, hellos)
      }
      const { breaches, conversations } = await crowd.settle()
      expect(breaches).toEqual([])
      const events = conversations.flatMap(({ stored }) => stored)
      expect(events.filter((event) => event.type === 'turn-start' && event.attempt > 1).length).toBeGreaterThan(10)
    },
  )

  it(
    '[turn-35] [message-4] lets 200 sockets reconnect at once, and none misses an event',
    { timeout: 300_000 },
    async () => {
      const pulse = new Pulse()
      const talks = await Promise.all(
        Array.from({ length: CONVERSATIONS }, async (_, at) => {
          const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
          const tabs = Array.from(
            { length: TABS },
            (__, tab) => new StreamWatcher(server, session, `tab-${at}-${tab}`, { told: pulse.note, line: AS_OUTSIDE }),
          )
          return new Talk(session, `herd-${at}`, tabs, pulse)
        }),
      )
      const sockets = talks.flatMap(({ tabs }) => tabs)
      const where = () => `${sockets.filter(({ isLinked }) => isLinked).length} of ${sockets.length} are linked`
      await within(
        'all to be let in',
        pulse.until(() => sockets.every(({ isLinked }) => isLinked)),
        where,
      )
      const said = talks.map((talk) => talk.say())
      const isShown = (socket: StreamWatcher) => socket.shown.length > 0
      await within(
        'all to be shown a reply',
        pulse.until(() => sockets.every(isShown)),
        where,
      )

      const hellos = sockets.map(({ hellos: before }) => before)
      await server.redeploy({ WALKON_REHEARSAL_PACE_MS: '9' })
      const isBack = (socket: StreamWatcher, at: number) => socket.hellos > (hellos[at] ?? 0)
      await within(
        'all to come back',
        pulse.until(() => sockets.every(isBack)),
        where,
      )
      model.paceMs = 0
      await Promise.all(said)
      for (const talk of talks) expect((await talk.close(server, model)).breaches).toEqual([])
    },
  )
})
