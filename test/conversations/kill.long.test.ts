import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { messageIdOf } from '../../worker/outbox/event-body.ts'
import { door, DOORS_CONFIG } from '../support/doors.ts'
import { KillableServer } from '../support/killable-server.ts'
import { lots } from '../support/lots.ts'
import { noorPath, SENDING_TURN } from '../support/noor-path.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { type Delivery, WebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'

const SECRET = webhookSecret(9)
const NOOR = { scenario: 'week-three', npc: 'noor' }
/**
 * Timeout of a delivery attempt, in milliseconds. It is long enough for a busy machine, because the server waits five
 * minutes to retry a delivery that has failed twice.
 */
const TIMEOUT_MS = 30_000
/**
 * Settings of the process that is killed. The timeout is short, because an attempt's lease lasts twice the timeout and
 * also delays the next process's attempts.
 */
const HASTY = { WALKON_DELIVERY_TIMEOUT_MS: '1500' }

let receiver: WebhookReceiver
let server: KillableServer
let vars: Record<string, string>

beforeAll(async () => {
  receiver = await WebhookReceiver.start(SECRET)
  vars = {
    WALKON_REHEARSAL_PACE_MS: '1',
    WALKON_WEBHOOK_URL: receiver.url,
    WALKON_WEBHOOK_SECRET: SECRET,
    WALKON_WEBHOOK_INSECURE: 'true',
    WALKON_DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS),
    WALKON_EMAIL_FROM: 'walkon@example.com',
    WALKON_EMAIL_TO: 'desk@example.com',
  }
  server = await KillableServer.start(DOORS_CONFIG, vars)
})
afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

describe('a process that is killed and restarted', () => {
  it(
    '[outbox-19] [outbox-2] between commit and send: every committed message arrives once',
    { timeout: 180_000 },
    async () => {
      await restart({ TEST_HOLDS_OUTBOX: 'true' })
      const player = await begun()
      await playUpTo(player, SENDING_TURN)
      await player.say(noorPath[SENDING_TURN - 1] ?? '')
      const session = sessionOf(player)
      expect((await door(server, session, 'outbox')).map(({ status }) => status)).toEqual(['pending', 'pending'])
      player.leave()
      await server.kill()
      expect(deliveriesOf(session)).toEqual([])

      await server.resume(vars)
      await atRest(session)
      expect(deliveriesOf(session)).toHaveLength(1)
      expect(takenOf(session)).toEqual(await committedBy(session))
    },
  )

  it(
    '[outbox-19] [outbox-3] between send and mark: the message is sent again under the same id',
    { timeout: 180_000 },
    async () => {
      await restart(HASTY)
      receiver.answer = atFirst(() => 'hang')
      const player = await begun()
      await playUpTo(player, SENDING_TURN)
      await player.say(noorPath[SENDING_TURN - 1] ?? '')
      const session = sessionOf(player)
      await receiver.until(() => deliveriesOf(session)[0])
      player.leave()
      await server.kill()
      receiver.letGo()
      receiver.answer = () => ({ status: 204 })

      await server.resume(vars)
      await atRest(session)
      expect(deliveriesOf(session).length).toBeGreaterThanOrEqual(2)
      expect(takenOf(session)).toEqual(await committedBy(session))
    },
  )

  it.each([1, 2, 3, 4, 5])(
    '[outbox-19] [outbox-1] [message-17] seed %i: wherever the conversations are, the receiver gets exactly the committed messages',
    { timeout: 240_000 },
    async (seed) => {
      await restart(HASTY)
      const draw = lots(seed)
      const players = await Promise.all(Array.from({ length: 4 }, () => begun()))
      const answers = ['hang', 'reset', { status: 204 }, { status: 503 }] as const
      receiver.answer = atFirst(() => answers[draw(answers.length)] ?? 'hang')
      // The test plays the first conversation up to a turn drawn at random, and the other conversations up to the turn
      // that sends messages to other systems.
      const stops = players.map((_, i) => (i === 0 ? 1 + draw(SENDING_TURN - 1) : SENDING_TURN))
      await Promise.all(players.map((player, i) => playUpTo(player, stops[i] ?? 1)))
      // One kill strikes all conversations as soon as the drawn event has happened. The server may or may not have
      // acknowledged the learners' messages before the kill.
      const last = Promise.allSettled(
        players.map((player, i) => player.emit('say', { cid: newCid(), text: noorPath[(stops[i] ?? 1) - 1] })),
      )
      await moment(seed % 4, players)
      await server.kill()
      await last
      receiver.letGo()
      receiver.answer = () => ({ status: 204 })
      await server.resume(vars)

      for (const player of players) {
        await player.client.next('hello')
        player.leave()
        const session = sessionOf(player)
        await finish(session)
        await atRest(session)
        expect(takenOf(session)).toEqual(await committedBy(session))
        expect(await committedBy(session)).toHaveLength(1)
      }
      expect(receiver.unverified).toEqual([])
    },
  )
})

/** Waits for the moment of the kill: a message stored, a first turn ended, all turns ended, or a request received. */
async function moment(drawn: number, players: readonly Player[]): Promise<void> {
  const before = receiver.deliveries.length
  const events = players.map(({ events: { length } }) => length)
  const newer = (player: Player, i: number) => player.events.slice(events[i])
  const taken = (type: string) => (player: Player, i: number) =>
    player.until(() => newer(player, i).find((event) => event.type === type))
  if (drawn === 0) return void (await Promise.race(players.map(taken('turn-start'))))
  if (drawn === 1) return void (await Promise.race(players.slice(1).map(taken('turn'))))
  if (drawn === 2) return void (await Promise.all(players.slice(1).map(taken('turn'))))
  await receiver.until(() => (receiver.deliveries.length > before ? true : undefined))
}

async function restart(more: Record<string, string>): Promise<void> {
  await server.kill()
  await server.resume({ ...vars, ...more })
}

/**
 * Returns a handler that gives `answer` to the first delivery of an id and accepts every later delivery, however soon.
 */
function atFirst(answer: WebhookReceiver['answer']): WebhookReceiver['answer'] {
  return (delivery) => {
    const isAgain = receiver.deliveries.some(({ id }) => id === delivery.id)
    return isAgain ? { status: 204 } : answer(delivery)
  }
}

async function begun(): Promise<Player> {
  return Player.join(server, await openSession(server, NOOR))
}

async function playUpTo(player: Player, turn: number): Promise<void> {
  for (const line of noorPath.slice(0, turn - 1)) await player.say(line)
}

/** Plays on from the conversation's current state to its end. */
async function finish(session: string): Promise<void> {
  const player = await Player.join(server, session)
  const last = player.events.findLast((event) => event.type === 'turn-start')
  if (last) await player.turn(last.turn)
  for (const line of noorPath.slice(last?.turn ?? 0)) await player.say(line)
  await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
  expect(player.events.filter((event) => event.type === 'turn' && event.outcome === 'complete')).toHaveLength(
    noorPath.length,
  )
  player.leave()
}

function sessionOf(player: Player): string {
  return player.hello.conversation.session
}

function deliveriesOf(session: string): readonly Delivery[] {
  return receiver.deliveries.filter(({ body }) => body.data['session'] === session)
}

/** Returns the ids that the receiver accepted for a conversation, each once. */
function takenOf(session: string): readonly string[] {
  return [...receiver.taken].filter(([, { data }]) => data['session'] === session).map(([id]) => id)
}

/** Returns the ids of the outgoing events that a conversation has stored. */
async function committedBy(session: string): Promise<readonly string[]> {
  const outbox = await door(server, session, 'outbox')
  const events = outbox.filter(({ effect }) => effect.includes('"emit-event"'))
  return Promise.all(events.map(({ id }) => messageIdOf(session, id)))
}

/** Waits until all outgoing messages of a conversation are delivered. */
async function atRest(session: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const outbox = await door(server, session, 'outbox')
      expect(outbox.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    },
    { timeout: 60_000, interval: 50 },
  )
}
