import { beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../support/credentials.ts'
import { keepCredentials } from '../support/credentials.ts'
import { newCid, Player } from '../support/player.ts'
import { SharedServer } from '../support/shared.ts'
import { LATER_TABLES } from '../../worker/session/migrations.ts'

let server: SharedServer
beforeAll(async () => {
  server = await SharedServer.open('plain')
})

type Held = Given & { readonly session: string; readonly key: string }

async function post(at: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await server.fetch(`api/sessions${at}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

async function begin(scenario = 'page-assistant'): Promise<Held> {
  const held = (await post('', { scenario })).body as Held
  keepCredentials(held)
  return held
}

const metadata = ({ session }: Held, body: object) => post(`/${session}/metadata`, body)
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

describe('what a person has written about a conversation with an assistant', () => {
  it('[assistant-22] is changed by whoever has its key, field by field', async () => {
    const held = await begin()
    const { key } = held
    const first = await metadata(held, { key })
    expect(first).toMatchObject({ status: 200, body: { metadata: { tags: [], description: '', is_pinned: false } } })
    const given = { title: '  The\nlanterns ', tags: ['light'], is_pinned: true }
    expect(await metadata(held, { key, metadata: given })).toMatchObject({
      status: 200,
      body: { metadata: { title: 'The lanterns', tags: ['light'], is_pinned: true, is_archived: false } },
    })
    expect(await metadata(held, { key, metadata: { is_archived: true } })).toMatchObject({
      body: { metadata: { title: 'The lanterns', is_pinned: true, is_archived: true } },
    })
  })

  it('[assistant-22] is neither read nor changed with another key, a revoked one or none', async () => {
    const [held, other] = [await begin(), await begin()]
    const { key } = held
    for (const wrong of [other.key, `${key.slice(0, -4)}AAAA`, held.token, 'x', ''])
      expect(await metadata(held, { key: wrong, metadata: { title: 'Mine' } })).toMatchObject(
        refusal(401, 'not-admitted'),
      )
    for (const body of [{}, { metadata: { title: 'Mine' } }, { key: 1 }])
      expect(await metadata(held, body)).toMatchObject(refusal(400, 'malformed'))
    expect((await metadata(held, { key })).body).not.toMatchObject({ metadata: { title: 'Mine' } })
    const object = { className: 'ConversationObject', id: held.session }
    await server.sql(object, LATER_TABLES.revocation)
    await server.sql(object, 'INSERT INTO revocation (id, epoch) VALUES (1, 1)')
    expect(await metadata(held, { key })).toMatchObject(refusal(401, 'not-admitted'))
  })

  it('[assistant-22] is refused whole if a field of it is wrong', async () => {
    const held = await begin()
    const { key } = held
    const before = await metadata(held, { key })
    for (const given of [
      { title: '' },
      { title: ' \n ' },
      { title: 'x'.repeat(201) },
      { title: 1 },
      { tags: 'a' },
      { tags: [''] },
      { tags: Array.from({ length: 21 }, () => 'a') },
      { description: 'x'.repeat(1_001) },
      { is_pinned: 'yes' },
      { is_archived: null },
      { title: 'A title', created_at: 1 },
      { user_id: 'somebody' },
      [],
      'title',
    ])
      expect(await metadata(held, { key, metadata: given }), JSON.stringify(given)).toMatchObject(
        refusal(400, 'malformed'),
      )
    expect(await metadata(held, { key })).toEqual(before)
  })

  it('[assistant-22] stays as it was written while a turn waits and ends', async () => {
    const held = await begin()
    const { key, session } = held
    const player = await Player.join(server, session)
    const hash = '00000000000000aa'
    await player.emit('page', { hash, page: { text: 'A page.', tools: ['web_search'] } })
    const taken = await player.emit('say', { cid: newCid(), text: '@research Why do moths gather?', context: hash })
    if (!taken.ok) throw new Error(taken.code)
    const asked = await player.until(() => player.events.find((event) => event.type === 'permission'))
    expect(await metadata(held, { key, metadata: { title: 'Moths' } })).toMatchObject({ status: 200 })
    await player.emit('permit', { id: asked.id, answer: 'deny' })
    expect(await player.turn(taken.turn)).toMatchObject({ outcome: 'complete' })
    expect(await metadata(held, { key })).toMatchObject({ body: { metadata: { title: 'Moths' } } })
    player.leave()
  })

  it('[assistant-22] is nowhere for a conversation that was erased, and for a simulation', async () => {
    const [held, maya] = [await begin(), await begin('launch-decision')]
    expect(await post(`/${held.session}/erase`, { key: held.key })).toMatchObject({ body: { erased: true } })
    for (const each of [held, maya])
      for (const given of [undefined, { title: 'Mine' }])
        expect(await metadata(each, { key: each.key, metadata: given })).toMatchObject(refusal(404, 'not-found'))
  })
})
