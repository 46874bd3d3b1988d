import { describe, expect, it } from 'vitest'
import { nodeBlock } from '../../worker/core/briefing/node-block.ts'
import { step } from '../../worker/core/walk/step.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'
import { walkTo } from '../support/walk-events.ts'

describe('a gate with several decision facts', () => {
  it('[briefing-6] asks for the first to be acknowledged, and for none of the others', () => {
    const graph = graphOf({ ...sampleNpc, decisionFacts: ['The one that binds.', 'A second.', 'A third.'] })
    const walk = walkTo(graph, 'DECISIVE')
    const [effect] = step(graph, walk, { type: 'learner', turnId: 't', seq: walk.seq + 1 }).effects
    if (effect?.type !== 'brief') throw new Error('no briefing')
    const [, asked, beside] =
      /SURFACE[^\n]*:\n(.*)\nWHAT GOES WITH IT[^\n]*:\n(.*)\nIF THIS HAS HAPPENED/s.exec(nodeBlock(effect.node)) ?? []
    expect(asked).toBe('  • The one that binds.')
    expect(beside).toBe('  • A second.\n  • A third.')
  })
})
