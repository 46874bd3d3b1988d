import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

/** A line that breaks between the upgrade and the open packet is noticed by the official client only by this limit. */
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
})

async function proxied(): Promise<ChaosProxy> {
  const proxy = await ChaosProxy.start(server.url)
  proxies.push(proxy)
  return proxy
}

describe('a line that breaks', () => {
  const places = (['up', 'down'] as const).flatMap((direction) =>
    (['break', 'break-after'] as const).map((fate) => [direction, fate] as const),
  )

  it.each(places)(
    '[turn-36] [message-4] [message-11] [message-23] at every frame that goes %s: %s',
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
      // The handshake, CONNECT and two messages go up; their answers and at least a start, a piece and an end come down.
      expect(at).toBeGreaterThan(direction === 'up' ? 3 : 10)
    },
  )

  it(
    '[turn-36] [message-11] every frame of a client comes twice: all is taken once',
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
    '[turn-36] [message-6] the %s client’s line breaks at any frame, over 400 events and more: none is lost or doubled',
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

describe('two at once', { timeout: 60_000 }, () => {
  it(
    '[turn-36] [message-11] two tabs send the same message at the same time: one turn, one answer',
    { timeout: 120_000 },
    async () => {
      for (let round = 0; round < 10; round++) {
        const session = await openSession(server, MAYA)
        const tabs = [new StreamWatcher(server, session, 'one'), new StreamWatcher(server, session, 'two')]
        for (const tab of tabs) await tab.until(() => tab.isLinked)
        const say = { name: 'say', body: { cid: 'same', text: `Hello. mark-same-${round}` } } as const
        const [one, two] = await Promise.all(tabs.map((tab) => tab.ask(say)))
        expect(one).toEqual({ ok: true, turn: 1, seq: 1 })
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

  it('[turn-36] [protocol-12] [message-5] a page comes back while its dead line seems alive: the new line takes over mid-reply', async () => {
    // So slow that a busy machine is still in the middle of the reply when the page is back.
    model.paceMs = 500
    const proxy = await proxied()
    const session = await openSession(server, MAYA)
    const dead = new StreamWatcher(proxy, session, 'tab')
    await dead.until(() => dead.isLinked)
    await dead.ask({ name: 'say', body: { cid: 'c1', text: 'Hello. mark-zombie-1' } })
    await dead.until(() => dead.running?.text)
    // From here on nothing reaches the old one, and the server cannot know.
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

    // What was under way to the old one still comes, and then the end: it stays away.
    held.resolve()
    await dead.until(() => !dead.isLinked)
    expect(dead.breaches).toEqual([])
    back.leave()
    dead.leave()
  })
})

describe('a line that is dead and does not say so, under the widget’s own code', () => {
  /** How the line dies once the first reply is on the screen. */
  const deaths: [string, (frame: Frame) => boolean][] = [
    ['nothing comes down', ({ direction }) => direction === 'down'],
    ['nothing goes up', ({ direction }) => direction === 'up'],
    ['nothing goes either way', () => true],
    [
      'the acknowledgement is lost, and all after it',
      ({ direction, text }) => direction === 'down' && text.startsWith('43'),
    ],
  ]

  // Each waits for the widget's eight seconds of silence; so they do it together.
  it('[turn-37] [message-11] is found out, and what was said goes out again, once', { timeout: 120_000 }, async () => {
    model.paceMs = 0
    await Promise.all(
      deaths.map(async ([how, dies], at) => {
        const proxy = await proxied()
        const tab = new WidgetTab(proxy.url, 'maya')
        await tab.until(() => tab.isUp)
        tab.say(`Hello. mark-dead-${at}-1`)
        await tab.until(() => tab.speeches[0]?.outcome)
        let isDead = false
        proxy.rule = (frame) => {
          if (frame.connection !== 1) return 'pass'
          // Its person comes back to the page, which makes it look at once instead of after half a minute.
          if (!isDead && dies(frame)) setTimeout(comeBack)
          isDead ||= dies(frame)
          return isDead && (dies(frame) || how.startsWith('the')) ? 'swallow' : 'pass'
        }
        tab.say(`Are you there? mark-dead-${at}-2`)
        await tab.until(() => tab.speeches[1]?.outcome)
        expect({ how, isAnother: proxy.connections > 1 }).toEqual({ how, isAnother: true })
        await showsWhatIsStored(tab, how)
        tab.close()
      }),
    )
  })

  it(
    '[turn-37] [message-11] an acknowledgement that comes after the widget gave up on it changes nothing',
    { timeout: 120_000 },
    async () => {
      const proxy = await proxied()
      const tab = new WidgetTab(proxy.url, 'maya')
      await tab.until(() => tab.isUp)
      const sent = Promise.withResolvers<void>()
      let says = 0
      proxy.rule = ({ direction, text }) => {
        if (direction === 'up' && text.includes('"say"') && ++says === 2) sent.resolve()
        // The first acknowledgement, and all behind it, until the message has gone out a second time.
        return direction === 'down' && text.startsWith('43') && says === 1 ? sent.promise : 'pass'
      }
      tab.say('Hello. mark-late-1')
      await tab.until(() => tab.speeches[0]?.outcome)
      tab.say('And then? mark-late-2')
      await tab.until(() => tab.speeches[1]?.outcome)
      expect(says).toBeGreaterThanOrEqual(3)
      await showsWhatIsStored(tab, 'late')
      tab.close()
    },
  )
})

/** Talks through a proxy, twice, and returns what was not as promised. */
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

/** The widget's screen is what anybody would be shown who comes now; nothing was said twice. */
async function showsWhatIsStored(tab: WidgetTab, how: string): Promise<void> {
  keepCredentials({ session: tab.session, key: tab.key, token: '', ticket: '', lastsMs: 0 })
  await renewCredentials(server.url, tab.session)
  const fresh = new StreamWatcher(server, tab.session, 'fresh')
  await fresh.until(() => fresh.isLinked && !fresh.running)
  const turns = fresh.events.filter(({ type }) => type === 'turn-start').length
  // What follows a reply may reach the tab after whoever comes now.
  const shown = () => ({ how, turns, items: tab.transcript.items })
  await expect.poll(shown).toEqual({ how, turns: 2, items: drawn(fresh.events) })
  fresh.leave()
}
