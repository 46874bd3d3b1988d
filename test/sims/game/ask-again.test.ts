import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askAgain } from '../../../sims/game/talk/ask-again.ts'

/** Milliseconds after it began at which the run was asked for. */
let asked: number[]
let begunAt: number

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  begunAt = Date.now()
})
afterEach(() => {
  vi.useRealTimers()
})

const refresh = () => void asked.push(Date.now() - begunAt)

describe('a run is asked for again', () => {
  it('[page-19] soon after something has happened, and once more', () => {
    askAgain(refresh, () => false).soon()
    vi.advanceTimersByTime(600_000)
    expect(asked).toEqual([300, 2_500])
  })

  it('[page-19] once for what happens at once', () => {
    const again = askAgain(refresh, () => false)
    for (let n = 0; n < 5; n += 1) again.soon()
    vi.advanceTimersByTime(600_000)
    expect(asked).toHaveLength(2)
  })

  it('[page-97] ever more seldom while it is behind, and no more once it is not', () => {
    let isBehind = true
    askAgain(refresh, () => isBehind).soon()
    vi.advanceTimersByTime(15_000)
    expect(asked).toEqual([300, 2_500, 6_000, 15_000])
    isBehind = false
    vi.advanceTimersByTime(600_000)
    expect(asked).toHaveLength(4)
  })

  it('[page-97] is not given up by leaving while it is behind', () => {
    const again = askAgain(refresh, () => true)
    again.soon()
    again.leave()
    vi.advanceTimersByTime(600_000)
    expect(asked).toEqual([300, 2_500, 6_000, 15_000, 40_000])
  })

  it('[page-19] is given up by leaving when there is nothing to wait for', () => {
    const again = askAgain(refresh, () => false)
    again.soon()
    again.leave()
    vi.advanceTimersByTime(600_000)
    expect(asked).toEqual([])
  })
})
