import { describe, expect, it } from 'vitest'
import type { ApplyResult } from '../../worker/chain/runs/apply-events.ts'
import type { SessionEvent } from '../../worker/chain/session-events.ts'
import { ChainQueue } from '../../worker/session/chain-queue.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import { Disk } from '../support/in-process/disk.ts'

const objective = (name: string): SessionEvent => ({ type: 'objective', objective: name, title: name, at: 5 })

/**
 * Returns a queue with `events` events. The queue's chain fails `failures` times. After that, the chain accepts every
 * event, or returns `answer` if `answer` is not null.
 */
function waiting(events: number, failures = 0, answer: ApplyResult | null = null) {
  const store = new SessionStore(new Disk().storage({ isAlive: true }))
  store.migrate()
  store.chain.begin()
  store.chain.add(
    Array.from({ length: events }, (_, place) => objective(String(place))),
    5,
  )
  const brought: number[] = []
  const answers: (() => void)[] = []
  let left = failures
  const queue = new ChainQueue({
    store: store.chain,
    apply: async (from, { length }): Promise<ApplyResult> => {
      brought.push(from)
      await new Promise<void>((resolve) => answers.push(resolve))
      left -= 1
      if (left >= 0) throw new Error('not reached')
      return answer ?? { type: 'applied', applied: from - 1 + length }
    },
    session: 's',
    now: () => 5,
    log: () => {},
  })
  /** Answers every request of the queue until the work is done. */
  async function answered(work: Promise<void> | null): Promise<void> {
    let isDone = false
    const done = work?.then(() => (isDone = true))
    while (!isDone) {
      answers.shift()?.()
      await Promise.resolve()
    }
    await done
  }
  return { store: store.chain, queue, brought, answered }
}

describe('bringing what waits at once', () => {
  it('[game-13] brings all of it, in order and each once, after what is under way', async () => {
    const { store, queue, brought, answered } = waiting(40)
    const first = queue.deliver()
    await answered(queue.flush())
    await first
    expect(brought).toEqual([1, 17, 33])
    expect(store.waiting(16)).toBeNull()
  })

  it('[game-13] does not wait until it is due, and ends with an attempt in vain', async () => {
    const { store, queue, brought, answered } = waiting(1, 2)
    await answered(queue.deliver())
    expect([queue.deliver(), brought]).toEqual([null, [1]])
    await answered(queue.flush())
    expect([store.waiting(16)?.attempts, brought]).toEqual([2, [1, 1]])
    await answered(queue.flush())
    expect([store.waiting(16), queue.nextDue(), brought]).toEqual([null, null, [1, 1, 1]])
  })

  it('[run-9] what comes after it is due at once, however long it had been waited for before', async () => {
    const { store, queue, brought, answered } = waiting(1, 1)
    await answered(queue.deliver())
    await answered(queue.flush())
    store.add([objective('next')], 5)
    expect(queue.nextDue()).toBe(5)
    await answered(queue.deliver())
    expect(brought).toEqual([1, 1, 3])
  })

  it('[debrief-15] what was not brought is waited for; what lies beyond a gap is not', async () => {
    const { queue, answered } = waiting(1, 1)
    await answered(queue.flush())
    expect(queue.isBringing()).toBe(true)
    await answered(queue.flush())
    expect(queue.isBringing()).toBe(false)
    const cutOff = waiting(1, 0, { type: 'gap', applied: 0 })
    expect(cutOff.queue.isBringing()).toBe(true)
    await cutOff.answered(cutOff.queue.flush())
    expect([cutOff.store.waiting(16)?.from, cutOff.queue.isBringing()]).toEqual([1, false])
  })

  it('[game-13] is nothing where nothing waits', async () => {
    const { queue, brought, answered } = waiting(0)
    await answered(queue.flush())
    await queue.flush()
    expect(brought).toEqual([1])
  })
})
