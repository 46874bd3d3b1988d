import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCoalescer } from '../../worker/session/hear.ts'
import { LiveReply } from '../../worker/session/live-reply.ts'

/** A clock that only a test advances. */
function manualTime() {
  const tasks = new Map<number, () => void>()
  let next = 0
  return {
    after: (_ms: number, task: () => void) => {
      const id = next++
      tasks.set(id, task)
      return () => void tasks.delete(id)
    },
    pass: () => {
      const due = [...tasks.values()]
      tasks.clear()
      for (const task of due) task()
    },
    waiting: () => tasks.size,
  }
}

describe('deltas', () => {
  it('[message-7] pieces are gathered: one frame for a moment, at once when it is much', () => {
    const time = manualTime()
    const frames: string[] = []
    const coalescer = createCoalescer({ ms: 40, limit: 10, after: time.after, send: (text) => frames.push(text) })
    coalescer.add('He')
    coalescer.add('')
    coalescer.add('llo')
    expect([frames, time.waiting()]).toEqual([[], 1])
    time.pass()
    expect(frames).toEqual(['Hello'])
    coalescer.add('a long piece of speech')
    expect([frames.at(-1), time.waiting()]).toEqual(['a long piece of speech', 0])
    coalescer.flush()
    expect(frames).toHaveLength(2)
  })

  it('[message-7] nothing is lost, doubled or moved, whatever the pieces and the moments', () => {
    const acts = fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.constant(null)), { maxLength: 40 })
    fc.assert(
      fc.property(acts, (pieces) => {
        const time = manualTime()
        const live = new LiveReply(1, 1)
        let shown = ''
        const coalescer = createCoalescer({
          ms: 40,
          limit: 16,
          after: time.after,
          send(text) {
            const delta = live.add(text)
            expect(text).not.toBe('')
            expect(delta.offset).toBe(shown.length)
            shown += delta.text
          },
        })
        for (const piece of pieces)
          if (piece === null) time.pass()
          else coalescer.add(piece)
        coalescer.flush()
        expect(shown).toBe(pieces.filter((piece) => piece !== null).join(''))
        expect(live.text).toBe(shown)
        expect(time.waiting()).toBe(0)
      }),
    )
  })

  it('[message-5] who comes back gets exactly the rest of this attempt, and all of any other', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(40),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (text, offset, turn, attempt) => {
          const live = new LiveReply(2, 2)
          live.add(text)
          const rest = live.rest({ turn, attempt, offset })
          const same = turn === 2 && attempt === 2 && offset <= text.length
          expect(rest).toEqual({
            turn: 2,
            attempt: 2,
            offset: same ? offset : 0,
            text: same ? text.slice(offset) : text,
          })
        },
      ),
    )
    const live = new LiveReply(1, 1)
    live.add('Hi.')
    expect(live.rest(undefined)).toEqual({ turn: 1, attempt: 1, offset: 0, text: 'Hi.' })
  })
})
