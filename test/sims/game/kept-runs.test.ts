import { describe, expect, it } from 'vitest'
import { runKeeper } from '../../../sims/game/kept-runs.ts'
import type { KeptRun } from '../../../sims/game/kept-runs.ts'

const run = (id: string, at = 1): KeptRun => ({ id, key: `key of ${id}`, scenario: 'launch-decision', at })

/**
 * Returns a browser storage and the code that keeps runs in it. @param room the most characters that the storage
 * accepts
 */
function shelf(text: string | null = null, room = Infinity) {
  const kept = { text, room }
  const storage = {
    getItem: () => kept.text,
    setItem(_: string, value: string) {
      if (value.length > kept.room) throw new DOMException('full', 'QuotaExceededError')
      kept.text = value
    },
    removeItem: () => void (kept.text = null),
  }
  return { kept, keeper: runKeeper(() => storage), anotherTab: () => runKeeper(() => storage) }
}

describe('the runs that this browser can open', () => {
  it('[page-8] are kept newest first, each once', () => {
    const { keeper } = shelf()
    keeper.keep(run('a'))
    keeper.keep(run('b'))
    expect(keeper.keep(run('a', 2))).toEqual([run('a', 2), run('b')])
    expect(keeper.read()).toEqual([run('a', 2), run('b')])
  })

  it('[page-8] leave nothing behind when the last is forgotten', () => {
    const { kept, keeper } = shelf()
    keeper.keep(run('a'))
    expect(kept.text).toContain('key of a')
    expect(keeper.forget('a')).toEqual([])
    expect(kept.text).toBeNull()
  })

  it('[page-8] are at most fifty: the oldest is let go', () => {
    const { keeper } = shelf()
    for (let count = 0; count < 60; count += 1) keeper.keep(run(`r${count}`))
    expect(keeper.read().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => `r${59 - index}`))
  })

  it.each(['', 'null', '{}', '[1, null, {"id": 3}]', '[{"id":"a"', '"runs"'])(
    '[page-8] that cannot be read count as not kept: %s',
    (text) => expect(shelf(text).keeper.read()).toEqual([]),
  )

  it('[page-8] are the page’s own where storage is denied', () => {
    const keeper = runKeeper(() => {
      throw new Error('denied')
    })
    keeper.keep(run('a'))
    expect(keeper.read()).toEqual([run('a')])
    expect(keeper.forget('a')).toEqual([])
  })

  it('[page-8] are those that another tab has kept meanwhile, too', () => {
    const { kept, keeper } = shelf()
    keeper.keep(run('a'))
    kept.text = JSON.stringify([run('b'), run('a')])
    expect(keeper.keep(run('c')).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })

  it('[page-8] leave out those that another tab has forgotten', () => {
    const { kept, keeper, anotherTab } = shelf()
    keeper.keep(run('a'))
    anotherTab().forget('a')
    expect(keeper.read()).toEqual([])
    keeper.keep(run('b'))
    expect(kept.text).not.toContain('key of a')
  })

  it('[page-8] that no longer fit in are the page’s own, beside those that did, until they fit', () => {
    const { kept, keeper, anotherTab } = shelf()
    keeper.keep(run('a'))
    kept.room = kept.text?.length ?? 0
    keeper.keep(run('b'))
    keeper.keep(run('c'))
    expect(keeper.read()).toEqual([run('c'), run('b'), run('a')])
    expect(anotherTab().read()).toEqual([run('a')])
    expect(keeper.forget('a')).toEqual([run('c'), run('b')])
    expect(kept.text).toBeNull()
    expect(keeper.forget('c')).toEqual([run('b')])
    kept.room = Infinity
    keeper.keep(run('d'))
    expect(anotherTab().read()).toEqual([run('d'), run('b')])
  })
})
