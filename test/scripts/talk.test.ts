import { describe, expect, it } from 'vitest'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { scriptRunner } from '../support/run-script.ts'

const talk = scriptRunner('scripts/talk.ts')

describe('npm run talk', { timeout: 120_000 }, () => {
  it('[walk-27] plays the worked example in a terminal, with node, decision, report and commands', async () => {
    const lines = path.turns.flatMap(({ learner, choose }) => (choose ? [learner, '1'] : [learner]))
    const { out, code } = await talk([], lines)
    expect(code).toBe(0)
    expect(out.match(/^ +decision .*/gm)?.map((line) => line.trim().replace(/^decision +/, ''))).toEqual([
      'DEEPEN, because satisfied',
      'PIVOT_1, because satisfied',
      'stays, because pivot-armed',
      'DECISIVE, because pivot-choice',
      'stays, because gate-hold',
      'PIVOT_2, because satisfied',
      'stays, because pivot-armed',
      'RESOLVE, because pivot-choice',
      'CLOSE, because satisfied',
      'the end, because satisfied',
    ])
    expect(out).toMatch(/command +AI_AdvanceObjective:size-the-risk/)
    expect(out).toMatch(/command +AI_EndConversation, earned/)
  })

  it('[briefing-5] shows on request what the colleague was told', async () => {
    const { out } = await talk([], ['Hello there', '/brief', '/quit'])
    expect(out).toMatch(/OUTPUT CONTRACT[^]*CURRENT NODE: SURFACE/)
  })

  it('ends where what is piped in ends', async () => {
    const { out, err, code } = await talk(['--quiet'], ['Hello there'])
    expect(out).toContain('you  Hello there')
    expect([err, code]).toEqual(['', 0])
  })

  it('says who there is when asked for somebody else', async () => {
    const { err, code } = await talk(['nobody'], [])
    expect(code).toBe(1)
    expect(err).toMatch(/maya, marcus/)
  })
})
