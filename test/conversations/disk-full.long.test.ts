import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WIRE_VERSION } from '../../worker/wire/version.ts'
import { admission, passage } from '../support/credentials.ts'
import { Crowd } from '../support/crowd.ts'
import { copyOf, type Damage, damage, limitFiles, SmallDisk } from '../support/disk.ts'
import { DOORS_CONFIG } from '../support/doors.ts'
import { KillableServer } from '../support/killable-server.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { beginSession, openSession, Player } from '../support/player.ts'
import { connectClient } from '../support/socket-client.ts'

const LEARNERS = 8
/** The model's pace, so slow that at some moment all learners are receiving a reply, even on a slow machine. */
const PACE_MS = 100
/** The limit of a file's size in bytes. A conversation writes more than this before its first turn. */
const TOO_SMALL = 4_096

let model: MarkedModel
const cleanUp: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  model = await MarkedModel.start(PACE_MS)
  cleanUp.push(() => model.stop())
})
afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean()
})

async function served(state?: string): Promise<KillableServer> {
  const server = await KillableServer.start(DOORS_CONFIG, { ...model.vars, WALKON_TURN_LEASE_MS: '5000' }, state)
  cleanUp.push(() => server.stop())
  return server
}

describe.skipIf(process.platform !== 'linux')('the disk is full', () => {
  it(
    '[turn-33] no file may grow: every learner is told, and afterwards all conversations go on',
    { timeout: 300_000 },
    async () => {
      const server = await served()
      const pid = await server.workerPid()
      await sufferWhile(server, {
        begin: () => limitFiles(pid, TOO_SMALL),
        end: () => limitFiles(pid, null),
      })
      // The process has survived and was not restarted.
      expect(await server.workerPid()).toBe(pid)
    },
  )

  it(
    '[turn-33] the disk is full: every learner is told, and afterwards all conversations go on',
    { timeout: 300_000 },
    async (test) => {
      const disk = await SmallDisk.mount(64)
      if (disk === null) return test.skip('to mount a file system takes root')
      cleanUp.push(() => disk.unmount())
      const server = await served(disk.path)
      const pid = await server.workerPid()
      await sufferWhile(server, { begin: () => disk.fill(), end: () => disk.free() })
      expect(await server.workerPid()).toBe(pid)
    },
  )
})

/** Lets learners talk while every write to the disk fails, and then lets them go on when writes succeed again. */
async function sufferWhile(server: KillableServer, full: { begin(): Promise<void>; end(): Promise<void> }) {
  const crowd = new Crowd(server, model, { seed: 7, learners: LEARNERS })
  crowd.live()
  await crowd.until('everybody to be spoken to', () => crowd.streaming === LEARNERS)
  const { tabs } = crowd
  const hellos = tabs.map(({ hellos: before }) => before)

  await full.begin()
  const silent = new Set(tabs)
  const heard = () => {
    for (const tab of silent) if (!tab.isLinked || tab.refusals > 0) silent.delete(tab)
    return silent.size === 0
  }
  await crowd.until('everybody to hear that something is wrong', heard)
  // The server refuses a new session and tells the client to retry later.
  const refused = await server.fetch('api/sessions', { method: 'POST', body: '{}' })
  expect(refused.status).toBeGreaterThanOrEqual(500)
  expect(await refused.json()).toMatchObject({ error: { code: 'unavailable', next: 'retry-after' } })

  await full.end()
  await crowd.allBack(tabs, hellos)
  const { breaches, conversations } = await crowd.settle()
  expect(breaches).toEqual([])
  const ends = conversations.flatMap(({ stored }) => stored.filter((event) => event.type === 'turn'))
  expect(ends.filter(({ outcome }) => outcome === 'complete').length).toBeGreaterThanOrEqual(LEARNERS)
}

describe('a conversation’s file is damaged', () => {
  /**
   * For each kind of damage, the possible answers to a returning learner: `hello` with what remains of the
   * conversation, the refusal `unknown-session`, or `later` if the client may retry.
   */
  const damages: [Damage, readonly string[]][] = [
    ['truncated', ['hello']],
    ['no-database', ['later']],
    ['overwritten', ['unknown-session', 'later']],
    ['gone', ['unknown-session']],
  ]

  it.each(damages)(
    '[turn-34] %s: its learner is told, and no other conversation is affected',
    { timeout: 180_000 },
    async (how, told) => {
      model.paceMs = 0
      const first = await served()
      const [hurt, sound] = [await played(first), await played(first)]
      await first.kill()
      const state = await copyOf(first.state)
      cleanUp.push(() => rm(state, { recursive: true }))
      await damage(state, hurt, how)

      const server = await served(state)
      const pid = await server.workerPid()
      expect(told).toContain(await answerTo(server, hurt))
      const player = await Player.join(server, sound)
      expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(2)
      expect((await player.say('And now? mark-after-1')).outcome).toBe('complete')
      player.leave()
      expect(await server.workerPid()).toBe(pid)
      await expect(beginSession(server)).resolves.toMatch(/./)
    },
  )
})

/** Plays a conversation of two turns and returns its session. */
async function played(server: KillableServer): Promise<string> {
  const session = await openSession(server, { scenario: 'launch-decision', npc: 'maya' })
  const player = await Player.join(server, session)
  for (const mark of ['mark-before-1', 'mark-before-2']) await player.say(`Hello. ${mark}`)
  player.leave()
  return session
}

/**
 * Returns the server's answer to a returning learner: `hello`, the code of a refusal, or `later` for an error without a
 * code.
 */
async function answerTo(server: KillableServer, session: string): Promise<string> {
  const client = connectClient(new URL('socket.io/', server.url), {
    query: { ...passage(session), hb: '1' },
    auth: { v: WIRE_VERSION, ...admission(session) },
    reconnection: false,
  })
  const told = Promise.race([
    client.next('hello').then(() => 'hello'),
    client.next('connect_error').then((error) => (error as { data?: { code: string } }).data?.code ?? 'later'),
  ])
  return told.finally(() => client.stop())
}
