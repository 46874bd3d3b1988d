import { link } from '../../worker/core/graph/document/link.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { graphDocument } from './graph-fixtures.ts'
import { plainAsides } from './plain-asides.ts'
import { sampleNpc, sampleScenario } from './sample-scenario.ts'

/** A coach. The author wrote all lines for the coaching fixture and for the check-in graph that this fixture calls. */
export const coach: Npc = {
  ...sampleNpc,
  id: 'vera',
  name: 'Vera Lind',
  role: 'coach',
  walk: { graph: 'coaching', version: 2 },
  subjects: ['overtime', 'evenings', 'work', 'team', 'manager', 'notes'],
  knowledge: ['Sessions are 50 minutes.', 'Notes are kept for 90 days.'],
  document: { title: 'House rules', kind: 'sheet', lines: ['Notes: kept for 90 days'] },
  decisionFacts: [],
  rehearsal: {
    nodes: {},
    states: {
      greet_client: {
        actions: [
          ['Hello. What would make this hour worth it?', 'Take your time. What did you bring?'],
          ['Last time you said you would leave on time twice a week.'],
        ],
        exits: [
          ['my manager', 'overtime', 'my team'],
          ['stop before', 'changed my mind'],
        ],
        conclusions: [],
      },
      'check-in.ask_for_load': {
        actions: [['From one to ten, how much are you carrying?', 'Any number will do.']],
        exits: [['seven', 'eight', 'nine'], ['rather not']],
        conclusions: [],
      },
      'check-in.leave_check': { actions: [['Thank you. That helps me.']], exits: [], conclusions: [] },
      engage_client_on_in_scope_topic: {
        actions: [
          ['Then the first thing is what you already said no to.'],
          ['Who would notice if you left at five?'],
          ['Fine, let us take that one instead.'],
        ],
        exits: [['done with that', 'settled'], ['end the session']],
        conclusions: [],
      },
      reflect_on_conversation_topics: {
        actions: [],
        exits: [],
        conclusions: [
          {
            hears: ['settled', 'done with that'],
            text: 'The evenings are settled. A choice lies before them and they keep away from it.',
          },
        ],
      },
    },
    answers: [],
    acknowledgements: [],
    redirects: [],
    asides: plainAsides,
  },
}

export const coachingScenario: Scenario = {
  ...sampleScenario,
  situation: { where: 'A coaching room', what: 'evenings that are all spent at work' },
  decision: {
    question: 'Stay or go?',
    options: [
      { id: 'stay', title: 'Stay' },
      { id: 'go', title: 'Go' },
    ],
  },
  npcs: [coach],
}

/**
 * Links the coaching fixture. The library contains two versions of the check-in graph, because the fixture calls each
 * of them.
 */
export function coachingGraph(): Graph {
  const library = [graphDocument('check-in@1'), graphDocument('check-in@2')]
  const linked = link(graphDocument('coaching@2'), { library, scenario: coachingScenario, npc: coach })
  if (!linked.ok) throw new Error(linked.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return linked.graph
}
