import { describe, expect, it } from 'vitest'
import { graphLibrary, scenarios } from '../../build/scenarios.ts'
import { createPlayRun } from '../../scripts/sim/play-run.ts'
import type { Actor } from '../../worker/actor/actor.ts'
import type { Briefing } from '../../worker/core/briefing/briefing.ts'
import path from '../fixtures/maya-path.json' with { type: 'json' }
import { scriptRunner } from '../support/run-script.ts'
import { IS_LONG } from '../support/runs.ts'

const talk = scriptRunner('scripts/talk.ts')

describe('npm run talk', { timeout: 120_000 }, () => {
  it.runIf(IS_LONG)(
    '[walk-27] plays the worked example in a terminal, with node, decision, report and commands',
    async () => {
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
    },
  )

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

describe('a run that is played in the terminal', () => {
  it('[briefing-12] tells a colleague what the learner brings from the others, without a chain', async () => {
    const scenario = scenarios.find(({ id }) => id === 'launch-decision')
    const [maya, ines] = ['maya', 'ines'].map((who) => scenario?.npcs.find(({ id }) => id === who))
    if (!scenario || !maya || !ines) throw new Error('the launch decision is not there')
    const told: Briefing[] = []
    const actor: Actor = {
      kind: 'model',
      label: 'scripted',
      async *speak(briefing) {
        told.push(briefing)
        yield 'Medical advice fails at 23.4%.\n---END---\n{}'
      },
      think: () => Promise.resolve(''),
    }
    const quiet = { after: () => () => undefined, write: () => undefined }
    const run = createPlayRun({ scenario, library: graphLibrary, actor, ...quiet })
    for (const npc of [maya, maya, ines]) await run.say(npc, 'Go on.')
    expect(told.map(({ scene }) => scene.brought)).toEqual([
      null,
      null,
      { talked: ['maya'], papers: [], facts: ['medical-rate'], remembered: [] },
    ])
  })
})
