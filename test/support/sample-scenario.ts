import { TECHNICAL } from './backbones.ts'
import { instantiate } from '../../worker/core/graph/backbones/instantiate.ts'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'

/** A colleague with a value in every field, small enough to read in a failing test. */
export const sampleNpc: Npc = {
  id: 'maya',
  name: 'Maya Patel',
  role: 'QA lead',
  hue: 230,
  scene: 'A desk by the window, a report face down.',
  walk: 'tier',
  greeting: 'Hi. You picked a day.',
  beats: { beat1: ['The model makes things up where it hurts.'], beat6: ['A week, and I can stand behind it.'] },
  knowledge: ['23.4% on medical-advice prompts.', 'Those prompts are 7.5% of the set.', 'I said so two weeks ago.'],
  depth: ['The retriever answers from a store that has no doses in it.'],
  challenges: ['If the average is fine, why would the slice matter?'],
  concerns: ['It lands on me.'],
  goals: ['Run the full evaluation first.'],
  opinion: { rightCall: 'Wait a week', argument: 'The headline hides the risk.' },
  document: { title: 'Run 47', kind: 'test report', lines: ['Overall: 8.1% (n=2,400)', 'Medical: 23.4% (n=180)'] },
  decisionFacts: ['23.4% on medical advice against a ceiling of 2.0%.'],
  pivots: [
    {
      id: 'p1',
      question: 'Do you want the slide or what I really think?',
      choices: [
        { id: 'a', text: 'What you really think.', mood: 12, reaction: 'Good.', effect: 'Maya opens up.' },
        { id: 'b', text: 'The slide will do.', mood: -4, reaction: 'Fine.', effect: 'Maya closes up.' },
      ],
    },
    {
      id: 'p2',
      question: 'Could you put your name under 23 percent?',
      choices: [
        { id: 'a', text: 'If I had to.', mood: -4, reaction: 'I see.', effect: 'Maya is disappointed.' },
        { id: 'b', text: 'No.', mood: 2, reaction: 'Nor could I.', effect: 'Maya nods.' },
      ],
    },
  ],
  keyReveal: 'There is a build that refuses medical questions. Nobody asked for it.',
  goal: { objective: 'launch-risk', endCondition: 'The learner knows the medical figure breaks the contract.' },
  next: { npc: 'marcus', why: 'He signed the contract.' },
  owns: 'the evaluation',
  subjects: ['evaluation'],
  rehearsal: {} as Npc['rehearsal'],
}

export const sampleScenario: Scenario = {
  id: 'sample',
  version: 1,
  title: 'A launch',
  tier: 'TECHNICAL',
  role: 'an engineer asked to make the call',
  situation: { where: 'A product team', what: 'a launch in two days' },
  decision: { question: 'Ship or wait?', options: [{ id: 'wait', title: 'Wait' }] },
  objectives: [{ id: 'launch-risk', title: 'Find the launch risk' }],
  npcs: [
    sampleNpc,
    { ...sampleNpc, id: 'marcus', name: 'Marcus Bell', role: 'Delivery', owns: 'the client', subjects: ['the client'] },
  ],
  synonyms: [],
}

/** Puts a colleague's content into a backbone. @throws Error when there are errors */
export function graphOf(npc: Npc = sampleNpc, backbone: Backbone = TECHNICAL): Graph {
  const bound = instantiate(backbone, { ...sampleScenario, npcs: [npc] }, npc)
  if (!bound.ok) throw new Error(bound.findings.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return bound.graph
}
