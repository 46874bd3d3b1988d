import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChaosProxy, type Fate, type Frame } from '../support/chaos-proxy.ts'
import { keepCredentials, renewCredentials } from '../support/credentials.ts'
import { Crowd } from '../support/crowd.ts'
import { DOORS_CONFIG } from '../support/doors.ts'
import { lots } from '../support/lots.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { openSession } from '../support/player.ts'
import { Pulse } from '../support/pulse.ts'
import { loadBrowserBuild, nodeBuild } from '../support/socket-client.ts'
import { StreamWatcher } from '../support/stream-watcher.ts'
import { Talk } from '../support/talk.ts'
import { comeBack, drawn, stubPage, WidgetTab } from '../support/widget-tab.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

/**
 * The connection timeout of the official client. Only by this timeout does the client notice a connection that breaks
 * between the upgrade and the open packet.
 */
const SOON = { timeout: 5_000 }
const MAYA = { scenario: 'launch-decision', npc: 'maya' }

let model: MarkedModel
let server: WorkerServer
const proxies: ChaosProxy[] = []

beforeAll(async () => {
  stubPage()
  model = await MarkedModel.start(0)
  server = await startWorkerServer({ configPath: DOORS_CONFIG, vars: { ...model.vars, WALKON_TURNS_MINUTE: '6000' } })
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop()
})
afterAll(async () => {
  await server.stop()
  await model.stop()
  vi.unstubAllGlobals()
})

async function proxied(): Promise<ChaosProxy> {
  const proxy = await ChaosProxy.start(server.url)
  proxies.push(proxy)
  return proxy
}

describe('a connection that breaks', () => {
  const places = (['up', 'down'] as const).flatMap((direction) =>
    (['break', 'break-after'] as const).map((fate) => [direction, fate] as const),
  )

  it.each(places)(
    '[turn-36] [message-4] [message-11] [message-23] loses and doubles nothing at any frame that goes %s: %s',
    { timeout: 300_000 },
    async (direction, fate) => {
      let at = 0
      for (let struck = true; struck;) {
        at += 1
        struck = false
        const proxy = await proxied()
        proxy.rule = (frame) => {
          if (frame.connection !== 1 || frame.direction !== direction || frame.number !== at) return 'pass'
          struck = true
          return fate
        }
        expect(await twoTurns(proxy, `${direction}-${fate}-${at}`)).toEqual([])
        await proxies.pop()?.stop()
      }
      // The client sends the handshake, CONNECT and two messages. The server sends the answers to these, and at least a
      // start, a piece and an end for each reply.
      expect(at).toBeGreaterThan(direction === 'up' ? 3 : 10)
    },
  )

  it(
    '[turn-36] [message-11] stores each message once although every frame arrives twice',
    { timeout: 120_000 },
    async () => {
      const proxy = await proxied()
      proxy.rule = ({ direction }) => (direction === 'up' ? 'twice' : 'pass')
      expect(await twoTurns(proxy, 'twice')).toEqual([])
    },
  )

  it.each([
    ['node', 1],
    ['browser', 2],
  ] as const)(
    '[turn-36] [message-6] loses and doubles none of 400 events of the %s client, at whatever frame it breaks',
    { timeout: 600_000 },
    async (build, seed) => {
      const client = build === 'browser' ? await loadBrowserBuild() : nodeBuild
      const proxy = await proxied()
      const draw = lots(seed)
      const fates: Fate[] = ['break', 'break-after']
      let breaks = 0
      proxy.rule = () => {
        if (draw(12) !== 0) return 'pass'
        breaks += 1
        return fates[draw(fates.length)] ?? 'pass'
      }
      model.paceMs = 2
      const crowd = new Crowd(proxy, model, { seed: 100 + seed, learners: 6, line: { client, ...SOON } })
      crowd.live()
      const events = () => crowd.pulse.count('turn') + crowd.pulse.count('turn-start')
      await crowd.until('400 events', () => events() >= 400)
      proxy.rule = () => 'pass'
      expect((await crowd.settle()).breaches).toEqual([])
      expect(breaks).toBeGreaterThan(50)
    },
  )
})

describe('two connections at once', { timeout: 60_000 }, () => {
  it(
    '[turn-36] [message-11] two tabs that send the same message at the same time get one turn and one answer',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 10; round++) {
        const session = await openSession(server, MAYA)
        const tabs = [new StreamWatcher(server, session, 'one'), new StreamWatcher(server, session, 'two')]
        for (const tab of tabs) await tab.until(() => tab.isLinked)
        const say = { name: 'say', body: { cid: 'same', text: `Hello. mark-same-${round}` } } as const
        const [one, two] = await Promise.all(tabs.map((tab) => tab.ask(say)))
        expect(one).toEqual({ ok: true, turn: 1, seq: 2 })
        expect(two).toEqual(one)
        for (const tab of tabs) {
          await tab.until(() => tab.events.some(({ type }) => type === 'turn'))
          expect(tab.events.filter(({ type }) => type === 'turn-start')).toHaveLength(1)
          expect(tab.breaches).toEqual([])
          tab.leave()
        }
      }
    },
  )

  it('[turn-36] [protocol-12] [message-5] a page that reconnects while its dead connection seems alive continues the reply on the new one', async () => {
    // The reply is so slow that it is still running when the page reconnects, even on a busy machine.
    model.paceMs = 500
    const proxy = await proxied()
    const session = await openSession(server, MAYA)
    const dead = new StreamWatcher(proxy, session, 'tab')
    await dead.until(() => dead.isLinked)
    await dead.ask({ name: 'say', body: { cid: 'c1', text: 'Hello. mark-zombie-1' } })
    await dead.until(() => dead.running?.text)
    // From now on, the proxy holds back all frames to the old connection, and the server does not know it.
    const held = Promise.withResolvers<void>()
    proxy.rule = ({ direction }) => (direction === 'down' ? held.promise : 'pass')
    const shownBefore = dead.running?.text ?? ''

    const back = new StreamWatcher(server, session, 'tab')
    await back.until(() => back.hellos > 0)
    model.paceMs = 0
    await back.until(() => back.events.some(({ type }) => type === 'turn'))
    expect(back.breaches).toEqual([])
    const [shown] = back.shown
    expect(back.last).toMatchObject({ type: 'turn', attempt: 1, outcome: 'complete', text: shown?.text })
    expect(shown?.text.startsWith(shownBefore)).toBe(true)

    // The old connection now receives the held frames and then its close. The old page does not reconnect.
    held.resolve()
    await dead.until(() => !dead.isLinked)
    expect(dead.breaches).toEqual([])
    back.leave()
    dead.leave()
  })
})

describe('a connection that is silently dead, with the widget’s own code', () => {
  /**
   * The ways in which the connection dies after the page has shown the first reply. A function returns true for a frame
   * that the connection loses.
   */
  const deaths: [string, (frame: Frame) => boolean][] = [
    ['nothing comes down', ({ direction }) => direction === 'down'],
    ['nothing goes up', ({ direction }) => direction === 'up'],
    ['nothing goes either way', () => true],
    [
      'the acknowledgement is lost, and all after it',
      ({ direction, text }) => direction === 'down' && text.startsWith('43'),
    ],
  ]

  // In each case the widget waits for an answer for eight seconds, so all cases run in parallel.
  it('[turn-37] [message-11] is detected, and the message is resent once', { timeout: 120_000 }, async () => {
    model.paceMs = 0
    await Promise.all(
      deaths.map(async ([how, dies], at) => {
        const proxy = await proxied()
        const tab = new WidgetTab(proxy.url, 'maya')
        await tab.until(() => tab.isUp)
        tab.say(`Hello. mark-dead-${at}-1`)
        // The first speech is the opening.
        await tab.until(() => tab.speeches[1]?.outcome)
        let isDead = false
        proxy.rule = (frame) => {
          if (frame.connection !== 1) return 'pass'
          // The learner returns to the page, which makes the widget check at once instead of after half a minute.
          if (!isDead && dies(frame)) setTimeout(comeBack)
          isDead ||= dies(frame)
          return isDead && (dies(frame) || how.startsWith('the')) ? 'swallow' : 'pass'
        }
        tab.say(`Are you there? mark-dead-${at}-2`)
        await tab.until(() => tab.speeches[2]?.outcome)
        expect({ how, isAnother: proxy.connections > 1 }).toEqual({ how, isAnother: true })
        await showsWhatIsStored(tab, how)
        tab.close()
      }),
    )
  })

  it(
    '[turn-37] [message-11] changes nothing when an acknowledgement arrives after the widget gave up on it',
    { timeout: 120_000 },
    async () => {
      const proxy = await proxied()
      const tab = new WidgetTab(proxy.url, 'maya')
      await tab.until(() => tab.isUp)
      const sent = Promise.withResolvers<void>()
      let says = 0
      proxy.rule = ({ direction, text }) => {
        if (direction === 'up' && text.includes('"say"') && ++says === 2) sent.resolve()
        // Holds back the first acknowledgement and all later frames, until the widget has sent the message a second
        // time.
        return direction === 'down' && text.startsWith('43') && says === 1 ? sent.promise : 'pass'
      }
      tab.say('Hello. mark-late-1')
      await tab.until(() => tab.speeches[1]?.outcome)
      tab.say('And then? mark-late-2')
      await tab.until(() => tab.speeches[2]?.outcome)
      expect(says).toBeGreaterThanOrEqual(3)
      await showsWhatIsStored(tab, 'late')
      tab.close()
    },
  )
})

/** Sends two messages through a proxy, waits for the replies, and returns the broken promises. */
async function twoTurns(proxy: ChaosProxy, name: string) {
  model.paceMs = 0
  const session = await openSession(server, MAYA)
  const pulse = new Pulse()
  const talk = new Talk(
    session,
    name,
    [new StreamWatcher(proxy, session, name, { told: pulse.note, line: SOON })],
    pulse,
  )
  await talk.say()
  await talk.say()
  return (await talk.close(server, model)).breaches
}

/** Checks that the widget shows what a newly connected client gets, and that the server stored no message twice. */
async function showsWhatIsStored(tab: WidgetTab, how: string): Promise<void> {
  keepCredentials({ session: tab.session, key: tab.key, token: '', ticket: '', lastsMs: 0 })
  await renewCredentials(server.url, tab.session)
  const fresh = new StreamWatcher(server, tab.session, 'fresh')
  await fresh.until(() => fresh.isLinked && !fresh.running)
  const turns = fresh.events.filter(({ type }) => type === 'turn-start').length
  // Events after a reply may reach the tab later than they reach the new client.
  const shown = () => ({ how, turns, items: tab.transcript.items })
  await expect.poll(shown).toEqual({ how, turns: 2, items: drawn(fresh.events) })
  fresh.leave()
}
