import { afterEach, describe, expect, it, vi } from 'vitest'
import { browserMemory, unsentOf, type Unsent } from '../../widget/memory.ts'
import type { MessageEntry } from '../../widget/outbox.ts'
import { Sender } from '../../widget/sender.ts'

const PLACE = { origin: 'https://walkon.example', scenario: 'launch', npc: 'maya' }

afterEach(() => void vi.unstubAllGlobals())

describe('what is kept in the browser', () => {
  it('[embed-70] finds the session again, for this service, scenario and colleague only', () => {
    stubStorage()
    const session = { id: 'maya', key: 'k1', epoch: 'e1', seen: 12 }
    browserMemory(PLACE).setSession('maya', session)
    expect(browserMemory(PLACE).session('maya')).toEqual(session)
    expect(browserMemory(PLACE).session('otto')).toBeNull()
    expect(browserMemory({ ...PLACE, scenario: 'other' }).session('maya')).toBeNull()
    expect(browserMemory({ ...PLACE, origin: 'https://other.example' }).session('maya')).toBeNull()
  })

  it('[embed-60] finds a session that was kept before there were keys', () => {
    const { local } = stubStorage()
    local.set('walkon|https://walkon.example|launch|maya', '{"id":"s1","epoch":"e1","seen":3}')
    expect(browserMemory(PLACE).session('maya')).toEqual({ id: 's1', key: '', epoch: 'e1', seen: 3 })
  })

  it('[embed-70] remembers the colleague whom the learner talked with last', () => {
    stubStorage()
    expect(browserMemory(PLACE).here()).toBe('maya')
    browserMemory(PLACE).setHere('marcus')
    expect(browserMemory(PLACE).here()).toBe('marcus')
  })

  it('[embed-71] keeps unsent messages in this tab only, and removes them once they are sent', () => {
    const { local, session } = stubStorage()
    const unsent = { draft: 'So', says: [{ cid: 'c1', text: 'Who signed?', held: true }] }
    browserMemory(PLACE).setUnsent('maya', unsent)
    expect(browserMemory(PLACE).unsent('maya')).toEqual(unsent)
    expect(local.size).toBe(0)
    browserMemory(PLACE).setUnsent('maya', { draft: '', says: [] })
    expect(session.size).toBe(0)
  })

  it('[embed-71] keeps words, but no picks and no messages that the server has', () => {
    const entry = (cid: string, message: MessageEntry['message'], state: MessageEntry['state']): MessageEntry => ({
      cid,
      message,
      state,
      refusal: null,
      tries: 0,
      notBefore: 0,
    })
    const say = { name: 'say', text: 'Hi' } as const
    const entries = [
      entry('a', say, 'sent'),
      entry('b', say, 'sending'),
      entry('c', { name: 'choose', pivot: 'p', choice: 'x' }, 'queued'),
      entry('d', say, 'failed'),
    ]
    expect(unsentOf(entries)).toEqual([
      { cid: 'b', text: 'Hi', held: false },
      { cid: 'd', text: 'Hi', held: true },
    ])
  })

  it('[embed-49] [embed-71] a message takes the goodbye back also after a reload, and after it was taken back itself', () => {
    const said: (readonly [string, boolean])[] = []
    let [shown, kept]: [readonly MessageEntry[], Unsent] = [[], { draft: '', says: [] }]
    const sender = () =>
      new Sender({
        changed: (entries) => void (shown = entries),
        setDraft: (...draft) => void said.push(draft),
        keep: (unsent) => void (kept = unsent),
        transmit: () => undefined,
      })
    const message = { name: 'say', text: 'One more thing', resume: true } as const
    sender().step({ type: 'add', cid: 'c1', message })
    stubStorage()
    browserMemory(PLACE).setUnsent('maya', kept)
    const reloaded = sender()
    reloaded.restore(browserMemory(PLACE).unsent('maya'))
    expect(shown).toMatchObject([{ cid: 'c1', message }])
    for (const entry of shown) reloaded.takeBack(entry)
    expect(said).toEqual([['One more thing', true]])
  })

  it('[embed-72] works without storage', () => {
    for (const name of ['localStorage', 'sessionStorage']) {
      vi.stubGlobal(name, {
        getItem: () => denied(),
        setItem: () => denied(),
        removeItem: () => denied(),
      })
    }
    const memory = browserMemory(PLACE)
    memory.setSession('maya', { id: 'maya', key: '', epoch: '', seen: 0 })
    memory.setUnsent('maya', { draft: 'So', says: [] })
    expect(memory.session('maya')?.id).toBe('maya')
    expect(memory.unsent('maya').draft).toBe('So')
    memory.setSession('maya', null)
    expect(memory.session('maya')).toBeNull()
  })

  it('[embed-72] reads what was written last when storage is full', () => {
    const { local, session } = stubStorage()
    const memory = browserMemory(PLACE)
    memory.setUnsent('maya', { draft: 'So', says: [] })
    memory.setSession('maya', { id: 's1', key: 'k1', epoch: 'e1', seen: 1 })
    for (const [name, map] of [
      ['localStorage', local],
      ['sessionStorage', session],
    ] as const)
      vi.stubGlobal(name, { ...storageOn(map), setItem: () => denied() })
    memory.setUnsent('maya', { draft: 'So who signed?', says: [] })
    memory.setSession('maya', { id: 's1', key: 'k1', epoch: 'e1', seen: 2 })
    expect(memory.unsent('maya').draft).toBe('So who signed?')
    expect(memory.session('maya')?.seen).toBe(2)
    memory.setUnsent('maya', { draft: '', says: [] })
    expect(memory.unsent('maya').draft).toBe('')
  })

  it('[embed-70] what another tab has stored since is read', () => {
    const { local } = stubStorage()
    const memory = browserMemory(PLACE)
    const session = { id: 's1', key: 'k1', epoch: 'e1', seen: 1 }
    memory.setSession('maya', session)
    local.set('walkon|https://walkon.example|launch|maya', JSON.stringify({ ...session, seen: 7 }))
    expect(memory.session('maya')?.seen).toBe(7)
  })

  it.each([
    '',
    'not json',
    'null',
    '7',
    '"s1"',
    '[]',
    '{"id":7}',
    '{"id":"","says":{},"draft":7}',
    '{"says":[null,7,{"cid":1}]}',
  ])('[embed-72] what it cannot read is nothing: %s', (text) => {
    vi.stubGlobal('localStorage', { getItem: () => text })
    vi.stubGlobal('sessionStorage', { getItem: () => text })
    expect(browserMemory(PLACE).session('maya')).toBeNull()
    expect(browserMemory(PLACE).unsent('maya')).toEqual({ draft: '', says: [] })
  })
})

function stubStorage() {
  const [local, session] = [new Map<string, string>(), new Map<string, string>()]
  vi.stubGlobal('localStorage', storageOn(local))
  vi.stubGlobal('sessionStorage', storageOn(session))
  return { local, session }
}

function storageOn(map: Map<string, string>) {
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
}

function denied(): never {
  throw new DOMException('denied', 'SecurityError')
}
