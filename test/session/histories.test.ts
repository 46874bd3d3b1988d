import { describe, expect, it } from 'vitest'
import { Draws } from '../support/in-process/draws.ts'
import { type Counts, liveHistory, type Outcome } from '../support/in-process/history.ts'
import { IS_LONG, runs } from '../support/runs.ts'
import { shrink } from '../support/in-process/shrink.ts'

/**
 * The seed of the random histories. Every `npm run test:long` uses a new seed. This command repeats a history that
 * broke a rule: `npm run histories --prefix bench -- 500 <seed>`.
 */
const FRESH = Number(process.env['WALKON_SEED'])
const COUNT = runs('histories')

/**
 * Runs `count` histories. Shrinks the first history that breaks an invariant, and returns its description; null if no
 * history breaks one. Adds to `sums` how often each thing happened.
 */
async function firstBroken(seed: number, count: number, sums = new Map<string, number>()): Promise<string | null> {
  for (let i = 0; i < count; i++) {
    const outcome = await liveHistory(Draws.seeded(seed + i))
    if (outcome.violation !== null) return told(seed + i, await shrink(outcome))
    for (const [what, times] of Object.entries(outcome.counts) as [keyof Counts, number][])
      sums.set(what, (sums.get(what) ?? 0) + times)
  }
  return null
}

function told(seed: number, { violation, happened, taken }: Outcome): string {
  return [`seed ${seed}: ${violation}`, ...happened, JSON.stringify(taken)].join('\n')
}

describe('histories of sends, drops, reloads, tabs, evictions and duplicates', () => {
  it('[message-6] [message-7] [message-11] [message-12] [message-15] [message-17] the same each time, they lose nothing and leave nothing standing', async () => {
    const sums = new Map<string, number>()
    expect(await firstBroken(1, COUNT, sums)).toBeNull()
    const rare = [...sums].filter(([, times]) => times < COUNT / 10)
    expect(rare, 'what hardly ever happened in them proves nothing').toEqual([])
  }, 300_000)

  it.runIf(IS_LONG)(
    `[message-6] [message-7] [message-15] nor do five hundred from seed ${FRESH}`,
    async () => {
      expect(await firstBroken(FRESH, 500)).toBeNull()
    },
    300_000,
  )

  it.runIf(IS_LONG)(
    '[message-12] on a platform that lets frames out before what they tell is durable, they do',
    async () => {
      const found: string[] = []
      for (let seed = 1; seed <= 100; seed++) {
        const { violation } = await liveHistory(Draws.seeded(seed), { isGated: false })
        if (violation !== null) found.push(violation)
      }
      expect(found.length).toBeGreaterThan(10)
    },
  )

  it('[message-17] a seed names one history: it goes the same way every time', async () => {
    const [one, two] = [await liveHistory(Draws.seeded(77)), await liveHistory(Draws.seeded(77))]
    expect(two).toEqual(one)
    expect(await liveHistory(Draws.replayed(one.taken))).toEqual(one)
  })
})
