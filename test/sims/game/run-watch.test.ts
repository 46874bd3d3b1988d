import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RunWatch } from '../../../sims/game/run-watch.ts'

/** The times at which the watch requested the run, in milliseconds after the watch began. */
let asked: number[]
let begunAt: number
let watch: RunWatch

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  begunAt = Date.now()
  watch = new RunWatch(async () => void asked.push(Date.now() - begunAt))
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a run that another device may play', () => {
  it('[page-97] is asked for within seconds, ever more seldom, and ten times at most', async () => {
    watch.start()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toEqual([5_000, 10_000, 20_000])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(asked).toHaveLength(10)
  })

  it('[page-97] is asked for from the shortest wait again after something new, and no more once it stops', async () => {
    watch.start()
    await vi.advanceTimersByTimeAsync(18_000)
    watch.start()
    watch.start()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(asked).toEqual([5_000, 10_000, 23_000])
    watch.stop()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(asked).toHaveLength(3)
  })
})
