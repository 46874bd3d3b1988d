import { describe, expect, it } from 'vitest'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { action, choice, decision, stateGraph, terminal } from '../support/state-graph.ts'
import { tell, tellAll } from '../support/state-events.ts'

const safety = (to: string) => ({ ...choice(to), id: `safely to ${to}`, isSafety: true })

const graph = stateGraph({
  nodes: [
    action('greet', [choice('talk'), safety('end_session'), safety('hear_them_out')]),
    action('talk', [choice('end_session')]),
    action('hear_them_out', [choice('talk')]),
    terminal(),
  ],
})

describe('a safety exit', () => {
  it('[walk-23] straight to the end leaves early: it ends, and nothing is earned', () => {
    const { walk, effects } = tell(graph, startWalk(graph), { picks: [{ exit: 1 }] })
    expect(walk.end).toEqual({ completion: 'forced' })
    expect(effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : []))).toEqual(['AI_EndConversation'])
  })

  it('[walk-23] to anywhere else is an exit like any other', () => {
    const { walk } = tellAll(graph, [{ picks: [{ exit: 2 }] }, { picks: [{ exit: 0 }] }, { picks: [{ exit: 0 }] }])
    expect(walk.end).toEqual({ completion: 'earned' })
  })

  it('[walk-23] an exit to the end that is none earns what there is to earn', () => {
    const { walk } = tellAll(graph, [{ picks: [{ exit: 0 }] }, { picks: [{ exit: 0 }] }])
    expect(walk.end).toEqual({ completion: 'earned' })
  })

  it('[walk-23] leaves early too where a decision takes it because no answer could be read', () => {
    const deciding = stateGraph({
      nodes: [
        action('greet', [choice('choose')]),
        decision('choose', [choice('talk'), safety('end_session')]),
        action('talk', [choice('end_session')]),
        terminal(),
      ],
    })
    const { walk } = tell(deciding, startWalk(deciding), { picks: [{ exit: 0 }, null, null] })
    expect(walk.end).toEqual({ completion: 'forced' })
  })
})
