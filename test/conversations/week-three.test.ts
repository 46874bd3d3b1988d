import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LogEntry } from '../../worker/core/walk/log-entry.ts'
import { door, DOORS_CONFIG } from '../support/doors.ts'
import { hiddenStrings, leaksIn } from '../support/hidden-strings.ts'
import { noorPath } from '../support/noor-path.ts'
import { PlainClient } from '../support/plain-client.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { WebhookReceiver, webhookSecret } from '../support/webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const SECRET = webhookSecret(7)
const NOOR = { scenario: 'week-three', npc: 'noor' }
const MAIL = { from: 'walkon@example.com', to: 'desk@example.com' }

let receiver: WebhookReceiver
let server: WorkerServer
const players: Player[] = []

beforeAll(async () => {
  receiver = await WebhookReceiver.start(SECRET)
  server = await startWorkerServer({
    configPath: DOORS_CONFIG,
    vars: {
      WALKON_REHEARSAL_PACE_MS: '0',
      WALKON_WEBHOOK_URL: receiver.url,
      WALKON_WEBHOOK_SECRET: SECRET,
      WALKON_WEBHOOK_INSECURE: 'true',
      WALKON_EMAIL_FROM: MAIL.from,
      WALKON_EMAIL_TO: MAIL.to,
    },
  })
})
afterEach(() => {
  for (const player of players.splice(0)) player.leave()
  expect(receiver.unverified).toEqual([])
})
afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

async function join(session: string): Promise<Player> {
  const player = await Player.join(server, session)
  players.push(player)
  return player
}

/**
 * Plays all turns of Noor's path, with a second client that only listens. Evicts the object between every two turns.
 */
async function playedOnce() {
  const session = await openSession(server, NOOR)
  const witness = new PlainClient(server.url, session)
  await witness.open()
  const player = await Player.join(server, session)
  for (const [i, line] of noorPath.entries()) {
    if (i > 0) await server.evict({ className: 'ConversationObject', id: session })
    const turn = await player.say(line)
    expect(turn).toMatchObject({ turn: i + 1, attempt: 1, outcome: 'complete' })
    expect(player.streamed(turn.turn)).toBe(turn.text)
  }
  await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
  await witness.until(() => witness.of('command').length === 2)
  await vi.waitFor(
    async () => {
      const outbox = await door(server, session, 'outbox')
      expect(outbox.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    },
    { timeout: 60_000 },
  )
  // The test reads the emails at once, because the object has them only until it is evicted.
  const mails = await door(server, session, 'mails')
  const log = await door(server, session, 'interactionLog')
  return { session, player, witness, mails, log, visits: [...log.past, log.current] }
}

describe('a check-in on a context graph, over a real socket', { timeout: 120_000 }, () => {
  let played: Awaited<ReturnType<typeof playedOnce>>
  beforeAll(async () => {
    played = await playedOnce()
  }, 120_000)
  afterAll(async () => {
    played.player.leave()
    await played.witness.drop()
  })

  it('[walk-30] [walk-34] [message-18] calls a graph and returns, recalls, concludes, decides, and ends', async () => {
    const { log, visits, player } = played
    expect(visits.map(({ name }) => name)).toEqual([
      'open_the_check_in',
      'mark_start_of_questions',
      'ask_about_the_work',
      'lay_out_the_load',
      'sort_by_who_waits',
      'pick_the_first',
      'steadied',
      'back_from_steady',
      'see_if_they_go_on',
      'ask_about_the_people',
      'mark_end_of_questions',
      'recall_the_answers',
      'weigh_the_answers',
      'choose_what_to_put_right',
      'find_them_somebody',
      'report_the_check_in',
      'tell_the_desk',
      'close_check_in',
    ])
    expect(log.turns.map(({ pattern, path }) => `${pattern} ${path}`)).toEqual([
      'annotated [A] -> [N] -> [A]',
      'external-reference [A] -> [steady.lay_out_the_load]',
      'stay [A]',
      'direct [A] -> [A]',
      'direct [A] -> [A]',
      'stay [A]',
      'external-reference [A] -> [jumpback] -> [N] -> [A]',
      'stay [A]',
      'stay [A]',
      'direct [A] -> [A]',
      'composite [A] -> [N] -> [C] -> [R] -> [D] -> [A]',
      'stay [A]',
      'composite [A] -> [S] -> [S] -> [A]',
    ])
    expect(player.commands()).toEqual(['AI_AdvanceObjective:ask-for-it', 'AI_EndConversation'])
    expect(player.events.map(({ seq }) => seq)).toEqual(player.events.map((_, i) => i + 1))
    expect(player.client.unread()).not.toContain('disconnect')
    const late = { cid: newCid(), pivot: 'ask_about_the_work', choice: 'a' }
    expect(await player.emit('choose', late)).toMatchObject({ ok: false, code: 'ended' })
  })

  it('[walk-34] [walk-36] stores annotations, conclusions, memories and matched behaviors in its log', () => {
    const entries = played.visits.flatMap(({ name, entries: all }) => all.map((entry) => `${name}: ${lineOf(entry)}`))
    expect(entries).toEqual(
      expect.arrayContaining([
        'mark_start_of_questions: annotation The two questions begin here. First the work, then the people.',
        'see_if_they_go_on: activated money_and_contract',
        'see_if_they_go_on: kept money_and_contract',
        'recall_the_answers: recall what is unclear or was not explained: 1 found',
        'weigh_the_answers: reflection They have nobody to go to when they are stuck, and they have got used to it.',
        'choose_what_to_put_right: exit They have nobody to go to when they are stuck',
        'report_the_check_in: sent emit-event',
        'tell_the_desk: sent send-email',
      ]),
    )
    const said = played.visits.flatMap(({ entries: all }) => all.filter((entry) => entry.kind === 'message'))
    expect(said.map(({ who }) => who)).toEqual(noorPath.flatMap(() => ['learner', 'npc']))
  })

  it('[message-25] sends no client any frame with text of the graph, the log or the colleague’s thoughts', async () => {
    const { session, log, player, witness } = played
    const info = await door(server, session, 'info')
    const hidden = hiddenStrings(info, log, player.hello.conversation)
    expect(hidden.length).toBeGreaterThan(200)
    for (const secret of ['ask_about_the_people', 'money_and_contract', 'external-reference', 'check_in.completed'])
      expect(hidden).toContain(secret)
    // The search for leaks works: in data that contains every hidden text, the search finds every hidden text.
    expect(leaksIn([JSON.stringify([log, info])], hidden)).toEqual(hidden)
    const frames = [...witness.frames, ...player.client.packets]
    expect(frames.length).toBeGreaterThan(noorPath.length * 6)
    expect(leaksIn(frames, hidden)).toEqual([])
    expect(new Set(player.events.map(({ type }) => type))).toEqual(new Set(['turn-start', 'turn', 'command']))
  })

  it('[outbox-5] [outbox-6] [outbox-16] reports to the receiver and by email that it took place, without its messages', async () => {
    const { session, mails } = played
    const sent = await receiver.until(() =>
      [...receiver.taken.values()].find(({ data }) => data['session'] === session),
    )
    expect(sent).toEqual({
      type: 'check_in.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      data: {
        session,
        scenario: { id: 'week-three', version: 1 },
        npc: 'noor',
        graph: { id: 'week-three', version: 1 },
        state: 'report_the_check_in',
        fields: { check: 'week-three', outcome: 'agreed' },
      },
    })
    expect(mails).toEqual([
      {
        ...MAIL,
        subject: 'A week-three check-in was held',
        text: expect.stringMatching(/^A check-in in week three was held/) as string,
        headers: { 'X-Walkon-Id': expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string },
      },
    ])
    expect(JSON.stringify([sent, mails])).not.toMatch(/migration|Ines|on my own/i)
    expect(receiver.deliveries.filter(({ body }) => body.data['session'] === session)).toHaveLength(1)
  })

  it('[message-4] [message-11] is not changed by a lost socket, a reload or a message sent twice', async () => {
    const session = await openSession(server, NOOR)
    let player = await join(session)
    for (const [i, line] of noorPath.entries()) {
      const cid = newCid()
      const turn = await player.say(line, cid)
      const again = await player.emit('say', { cid, text: line })
      expect(again).toMatchObject({ ok: true, turn: turn.turn })
      if (i % 4 === 1) {
        player.client.drop()
        await player.client.next('disconnect')
        await player.client.next('hello')
      }
      if (i % 4 === 3) {
        const { events } = player
        player.leave()
        player = await join(session)
        expect(player.hello).toMatchObject({ mode: 'snapshot', events: events.filter(({ turn: of }) => of <= i + 1) })
      }
    }
    await player.until(() => player.commands().find((id) => id === 'AI_EndConversation'))
    expect(player.events.filter(({ type }) => type === 'turn')).toHaveLength(noorPath.length)
    await receiver.until(() => [...receiver.taken.values()].find(({ data }) => data['session'] === session))
    expect(receiver.deliveries.filter(({ body }) => body.data['session'] === session)).toHaveLength(1)
    expect((await door(server, session, 'outbox')).length).toBe(2)
  })

  it('[walk-40] [message-24] begins in another state for a returning learner, with the same kinds of events', async () => {
    const session = await openSession(server, { ...NOOR, returning: true })
    expect(await door(server, session, 'walk')).toMatchObject({ node: 'open_again' })
    const player = await join(session)
    expect((await player.say('Hello again.')).text).toMatch(/\?$/)
    await player.say("Sure, let's go through them.")
    const log = await door(server, session, 'interactionLog')
    expect([...log.past, log.current].map(({ name }) => name)).toEqual([
      'open_again',
      'recall_the_last_check',
      'mark_start_of_questions',
      'ask_about_the_work',
    ])
    expect(player.events.map(({ type }) => type)).toEqual(['turn-start', 'turn', 'turn-start', 'turn'])
  })
})

function lineOf(entry: LogEntry): string {
  switch (entry.kind) {
    case 'reasoning':
      return `${entry.of} ${entry.text}`
    case 'memory':
      return `recall ${entry.query}: ${entry.found.length} found`
    case 'behavior':
      return `${entry.change} ${entry.behavior}`
    case 'exit':
      return `exit ${entry.description}`
    case 'sent':
      return `sent ${entry.effect}`
    default:
      return entry.kind
  }
}
