import { describe, expect, it } from 'vitest'
import type { Actor } from '../../worker/actor/actor.ts'
import { createTalk } from '../../scripts/sim/talk.ts'
import talks from '../fixtures/live-talks.json' with { type: 'json' }
import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { scenarios } from '../../build/scenarios.ts'

/**
 * Recorded conversations in which a language model spoke for the colleague. The record has every reply as the model
 * wrote it.
 */
describe.each(talks)('$name: $colleague and a learner who is $persona', ({ colleague, learner, replies, end }) => {
  it('[corpus-9] is walked to the same end, and nothing follows the end', async () => {
    const { walked, ended, reasons, asked } = await replay(colleague, learner, replies)
    expect(ended).toEqual(end)
    expect(walked).toBe(learner.length)
    expect(asked).toBe(replies.length)
    expect(reasons).not.toContain('pivot-asked')
  })
})

async function replay(colleague: string, learner: readonly string[], replies: readonly string[]) {
  const scenario = scenarios.find(({ npcs }) => npcs.some(({ name }) => name === colleague))
  const npc = scenario?.npcs.find(({ name }) => name === colleague)
  if (!scenario || !npc) throw new Error(`nobody is called ${colleague}`)
  let asked = 0
  const actor: Actor = {
    kind: 'model',
    label: 'recorded',
    async *speak() {
      asked += 1
      yield replies[asked - 1] ?? ''
    },
    think: () => Promise.reject(new Error('a backbone asks for no inner work')),
  }
  const talk = createTalk({
    scenario,
    npc,
    library: SHIPPED_LIBRARY,
    engine: 'graph',
    person: 'new',
    actor,
    after: () => () => undefined,
    write: () => undefined,
  })
  const reasons: string[] = []
  let walked = 0
  let ended: unknown = null
  for (const text of learner) {
    if (ended !== null) break
    const { trace, after } = await talk.say(text)
    reasons.push(...trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision.reason] : [])))
    walked += 1
    ended = after.end
  }
  return { walked, ended, reasons, asked }
}
