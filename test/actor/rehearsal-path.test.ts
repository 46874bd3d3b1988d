import { describe, expect, it } from 'vitest'
import path from '../fixtures/maya-ten-turns.json' with { type: 'json' }
import { Conversation, launchDecision, npcOf } from '../support/rehearsal-conversation.ts'

describe('the worked example', () => {
  const conversation = new Conversation(launchDecision(), path.npc)
  for (const turn of path.turns) {
    conversation.say(turn.learner)
    if (turn.choose) conversation.choose(turn.choose.choice)
  }
  const { steps } = conversation

  it('[rehearsal-16] [rehearsal-17] [rehearsal-18] is judged row by row as the table has it', () => {
    const judged = steps.map(({ node, report }) => ({
      node,
      satisfied: report.node_satisfied,
      detour: report.detour_detected,
    }))
    expect(judged).toEqual(path.turns.map(({ node, satisfied, detour }) => ({ node, satisfied, detour })))
    expect(conversation.ended).toBe(true)
  })

  it('[rehearsal-15] [rehearsal-7] sends the call to the client on to Marcus, and says no more', () => {
    expect(steps[3]?.speech).toMatch(/Marcus/)
    expect(steps[3]?.report.information_revealed).toEqual([])
  })

  it('[rehearsal-20] has Maya cooperative by the ninth turn', () => {
    expect(['cooperative', 'trusting']).toContain(steps[7]?.level)
    expect(steps[6]?.report.engagement_score).toBe(2)
  })

  it('[rehearsal-12] tells what she kept to herself, in RESOLVE', () => {
    const maya = npcOf(conversation.scenario, 'maya')
    expect(steps[8]?.speech).toContain(maya.keyReveal)
  })

  it('[rehearsal-5] [rehearsal-7] speaks the node’s point alone where that is the answer', () => {
    const { nodes } = npcOf(conversation.scenario, 'maya').rehearsal
    const points = steps.map(({ node, speech }) => [
      node,
      nodes[node]?.open.some((line) => typeof line !== 'string' && line.say === speech),
    ])
    expect(points.filter(([, alone]) => alone).map(([node]) => node)).toEqual(['SURFACE', 'DEEPEN', 'DECISIVE'])
    expect(steps[8]?.speech).toMatch(/^What I could live with/)
  })

  it('[rehearsal-13] ends with the run handed over and Marcus next', () => {
    const last = steps.at(-1)
    expect(last?.speech).toMatch(/run 47/i)
    expect(last?.speech).toMatch(/Marcus/)
    expect(last?.report).toMatchObject({ objective_complete: 'size-the-risk', is_conversation_complete: true })
  })
})
