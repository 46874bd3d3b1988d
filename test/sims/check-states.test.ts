import { describe, expect, it } from 'vitest'
import { graphLibrary, scenarios } from '../../build/scenarios.ts'
import { formError } from '../../sims/authoring/finding.ts'
import { checkStates } from '../../sims/authoring/check-walks.ts'
import type { RehearsalLines, StateLines } from '../../worker/core/scenario/rehearsal-lines.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'

const scenario = scenarios.find(({ id }) => id === 'week-three')
if (!scenario) throw new Error('week-three is not built')

const LINES: StateLines = { actions: [], exits: [], conclusions: [] }

describe('rehearsal lines of a colleague with a context graph', () => {
  it('[document-22] are whole in what is shipped', () => {
    expect(scenarios.flatMap((shipped) => checkStates(shipped, graphLibrary))).toEqual([])
  })

  it('[document-22] are missed where there is something to say, in a graph referred to as well', () => {
    const messages = told(({ ask_about_the_work: _work, 'steady.lay_out_the_load': _load, ...rest }) => rest)
    expect(messages).toEqual(['has no lines for ask_about_the_work', 'has no lines for steady.lay_out_the_load'])
  })

  it('[document-22] are told off for a state that is not there', () => {
    expect(told((states) => ({ ...states, ask_about_nothing: LINES }))).toEqual([
      'is no state that this colleague walks',
    ])
  })

  it('[document-22] open its gates, which nothing else does', () => {
    const gated = graphLibrary.documents.map((document) => ({
      ...document,
      states: document.states.map((state) =>
        state.type === 'action' && state.name === 'ask_about_the_work'
          ? {
              ...state,
              satisfyWhen: 'They said it',
              dwell: { minTurns: 1, maxTurns: null, isGate: true, selfLoop: true },
            }
          : state,
      ),
    }))
    const problems = checkStates(scenario, { ...graphLibrary, documents: gated })
    expect(problems).toEqual([
      {
        ...formError(['npcs', 0, 'rehearsal', 'acknowledgements'], ''),
        message: expect.stringContaining('opens the gate ask_about_the_work') as string,
      },
    ])
    const [npc] = scenario.npcs
    const facts = [{ groups: [['lead']] }]
    const npcs = npc ? [{ ...npc, rehearsal: { ...npc.rehearsal, acknowledgements: facts } }] : []
    expect(checkStates({ ...scenario, npcs }, { ...graphLibrary, documents: gated })).toEqual([])
  })

  it('[document-22] are as many as the actions, none empty, with no more cues than exits', () => {
    const wrong: StateLines = { ...LINES, actions: [[]], exits: Array.from({ length: 9 }, () => ['now']) }
    expect(told((states) => ({ ...states, ask_about_the_work: wrong }))).toEqual([
      expect.stringMatching(/^has 1 list for \d actions$/),
      'has nothing to say',
      expect.stringMatching(/^has 9 lists for \d exits$/),
    ])
  })
})

function told(change: (states: RehearsalLines['states']) => RehearsalLines['states']): readonly string[] {
  return checkStates(changed(scenario as Scenario, change), graphLibrary).map(({ message }) => message)
}

function changed(from: Scenario, change: (states: RehearsalLines['states']) => RehearsalLines['states']): Scenario {
  const npcs = from.npcs.map((npc) =>
    typeof npc.walk === 'object'
      ? { ...npc, rehearsal: { ...npc.rehearsal, states: change(npc.rehearsal.states) } }
      : npc,
  )
  return { ...from, npcs }
}
