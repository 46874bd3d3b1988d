import { expect, it } from 'vitest'
import { SessionStore } from '../../worker/session/session-store.ts'
import { Disk } from '../support/in-process/disk.ts'

it('[memory-14] is tried again after twice as long each time, up to an hour, until it is done', () => {
  const session = new SessionStore(new Disk().storage({ isAlive: true }))
  session.migrate()
  const store = session.remembering
  expect([store.nextDue(), store.claim(0, 1_000)]).toEqual([null, null])
  store.begin(0)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 80; attempt += 1) {
    const at = store.nextDue() ?? 0
    expect(store.claim(at - 1, 1_000)).toBeNull()
    expect(store.claim(at, 1_000)).toBe(attempt)
    waits.push((store.nextDue() ?? 0) - at)
  }
  expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000])
  expect(waits.slice(-60)).toEqual(Array.from({ length: 60 }, () => 3_600_000))
  expect([store.settle(), store.settle(), store.nextDue(), store.claim(1e15, 1_000)]).toEqual([true, false, null, null])
})
