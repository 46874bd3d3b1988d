import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventBody, messageIdOf } from '../../worker/outbox/event-body.ts'
import type { Origin } from '../../worker/outbox/outbox-entry.ts'
import { type EmailBinding, sendEmail, subjectLine } from '../../worker/outbox/send-email.ts'
import { effectNode, linkedGraph } from '../support/outbox-graph.ts'

const origin: Origin = {
  session: 'f'.repeat(64),
  scenario: { id: 'launch', version: 3 },
  npc: 'maya',
  graph: linkedGraph,
}

describe('the id of a message', () => {
  it('[outbox-4] is the same for the same, and holds nothing of the session', async () => {
    const id = await messageIdOf(origin.session, 'send:1:notify')
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(await messageIdOf(origin.session, 'send:1:notify')).toBe(id)
    expect(id).not.toContain('ffff')
  })

  it('[outbox-4] is another for anything else', async () => {
    const pair = fc.tuple(fc.stringMatching(/^[0-9a-f]{1,8}$/), fc.string())
    await fc.assert(
      fc.asyncProperty(pair, pair, async (one, other) => {
        fc.pre(one.join('\n') !== other.join('\n'))
        expect(await messageIdOf(...one)).not.toBe(await messageIdOf(...other))
      }),
    )
  })
})

describe('the body of a webhook', () => {
  const sent = { event: 'check_in.finished', data: { mood: 'good' }, at: Date.UTC(2026, 0, 2, 3, 4, 5, 6) }

  it('[outbox-6] names what happened, when and where', () => {
    expect(JSON.parse(eventBody(origin, { ...sent, node: 'notify' }))).toEqual({
      type: 'check_in.finished',
      timestamp: '2026-01-02T03:04:05.006Z',
      data: {
        session: origin.session,
        scenario: { id: 'launch', version: 3 },
        npc: 'maya',
        graph: { id: 'check-in', version: 2 },
        state: 'notify',
        fields: { mood: 'good' },
      },
    })
  })

  it('[outbox-6] names the graph a state was written in, by the name it has there', () => {
    const body = JSON.parse(eventBody(origin, { ...sent, node: 'breathing@4/done' })) as { data: object }
    expect(body.data).toMatchObject({ graph: { id: 'breathing', version: 4 }, state: 'done' })
    expect(effectNode('breathing@4/done', 'breathing@4')).toEqual(linkedGraph.nodes['breathing@4/done'])
  })
})

describe('a mail', () => {
  const config = { from: 'walkon@example.com', to: 'lead@example.com' }
  const mail = { id: 'evt_1', subject: 'Done', text: 'It is done.\r\nBcc: not-a-header@example.com' }
  type Mail = Parameters<EmailBinding['send']>[0]

  it('[outbox-16] goes from the deployment’s sender to its recipient', async () => {
    const sent: Mail[] = []
    const binding: EmailBinding = { send: (each) => Promise.resolve(sent.push(each)) }
    expect(await sendEmail(binding, config, mail, 1_000)).toEqual({ type: 'delivered' })
    expect(sent).toEqual([{ ...config, subject: 'Done', text: mail.text, headers: { 'X-Walkon-Id': 'evt_1' } }])
  })

  it('[outbox-17] that the platform refuses, or never answers for, has failed', async () => {
    const refusing: EmailBinding = { send: () => Promise.reject(new Error('no')) }
    expect(await sendEmail(refusing, config, mail, 1_000)).toMatchObject({ type: 'failed', why: 'refused' })
    const silent: EmailBinding = { send: () => new Promise(() => {}) }
    expect(await sendEmail(silent, config, mail, 20)).toMatchObject({ type: 'failed', why: 'timeout' })
  })

  it('[outbox-16] has a subject of one line, whatever is written there', () => {
    expect(subjectLine('Hello\r\nBcc: a@example.com\n\nBody')).toBe('Hello Bcc: a@example.com Body')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (subject) => {
        const line = subjectLine(subject)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(line.length).toBeLessThanOrEqual(200)
        expect(line.isWellFormed()).toBe(true)
      }),
    )
  })
})
