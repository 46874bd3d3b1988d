import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { beginWalk, walkOn, type WalkEngine } from '../../worker/core/walk/engine.ts'
import type { WalkEvent } from '../../worker/core/walk/event.ts'
import type { Walk } from '../../worker/core/walk/walk.ts'

/**
 * Plays that an earlier version of the walker recorded from beginning to end. Each play has its graph and, for each
 * event, what that walker did.
 */
interface StoredPlays {
  readonly name: string
  readonly engine: WalkEngine
  readonly graph: Graph
  readonly plays: readonly {
    readonly person: 'new' | 'returning'
    readonly steps: readonly {
      readonly event: WalkEvent
      readonly trace: readonly object[]
      readonly commands: readonly string[]
      readonly asks: readonly string[]
      readonly node: string
    }[]
    readonly end: Walk
  }[]
}

const STORED = JSON.parse(
  readFileSync(new URL('../fixtures/stored/walks.json', import.meta.url), 'utf8'),
) as readonly StoredPlays[]

describe('a walk that earlier code began', () => {
  it.each(
    STORED.flatMap(({ name, engine, graph, plays }) => plays.map((play, i) => ({ name, i, engine, graph, play }))),
  )('[compat-3] goes the way it would have gone: $name, play $i', ({ engine, graph, play }) => {
    let walk = beginWalk(engine, graph, play.person)
    for (const { event, ...told } of play.steps) {
      // These walks began before messages had hints. Today the server adds hints to every message, also in an old
      // conversation: whether the message is a goodbye, and whether it is a question.
      const hinted = event.type === 'learner' ? { ...event, hints: { goodbye: true, question: true } } : event
      const { walk: next, effects, trace } = walkOn(graph, walk, hinted)
      const commands = effects.flatMap((effect) =>
        effect.type === 'command' || effect.type === 'send' ? [effect.id] : [],
      )
      const asks = effects.flatMap((effect) => {
        if (effect.type === 'command' || effect.type === 'send') return []
        return [effect.type === 'brief' ? `brief ${effect.node.id}` : effect.type]
      })
      expect({ trace, commands, asks, node: next.node }).toEqual(told)
      walk = next
    }
    expect(walk).toEqual(play.end)
  })
})
