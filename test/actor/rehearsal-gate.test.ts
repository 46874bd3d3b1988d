import { describe, expect, it } from 'vitest'
import { acknowledges } from '../../worker/actor/rehearsal/acknowledge.ts'
import { hearMessage } from '../../worker/actor/rehearsal/hear.ts'
import { rehearse } from '../support/rehearse-with-table.ts'
import gate from '../fixtures/decisive-gate.json' with { type: 'json' }
import { Conversation, launchDecision, npcOf } from '../support/rehearsal-conversation.ts'

const scenario = launchDecision()

describe('the gate, for Maya', () => {
  it.each(gate.cases)('[rehearsal-18] [rehearsal-19] "$learner" is $verdict', ({ learner, verdict }) => {
    const before = atTheGate('maya')
    expect(acknowledges(hearMessage(learner), fact('maya'), [gate.told])).toBe(verdict)
    expect(rehearse(before.scene(learner)).report.node_satisfied).toBe(verdict === 'registered')
  })

  it.each(gate.cases)('[rehearsal-19] "$learner" registers nothing before the fact is told', ({ learner }) => {
    expect(acknowledges(hearMessage(learner), fact('maya'), ['Run 47 came out at 8.1%.'])).toBe('not-told-yet')
  })

  it('[rehearsal-18] a fact told earlier, in answer to a question, can be registered on arrival', () => {
    const conversation = upTo('maya', 'PIVOT_1')
    conversation.say('What is the limit in the contract?')
    conversation.choose('a')
    expect(conversation.say('So 23% against a 2% bar, that is the blocker.').report.node_satisfied).toBe(true)
  })

  it('[rehearsal-18] is registered in the message at hand, and in one before if the graph looks ahead', () => {
    const conversation = atTheGate('maya')
    conversation.history.push({ who: 'learner', text: 'So 23% against 2%.' }, { who: 'npc', text: 'Hm.' })
    const scene = conversation.scene('ok')
    expect(rehearse(scene).report.node_satisfied).toBe(false)
    const ahead = { ...scene, node: { ...scene.node, landsOn: 'learner' as const } }
    expect(rehearse(ahead).report.node_satisfied).toBe(true)
    expect(rehearse({ ...ahead, learner: 'Nobody reads contracts.' }).report.node_satisfied).toBe(false)
    const untold = { ...ahead, history: ahead.history.filter(({ who }) => who === 'learner') }
    expect(rehearse(untold).report.node_satisfied).toBe(false)
  })

  it('[rehearsal-11] a typed answer at a fork gets the card’s reaction, and is not asked for again', () => {
    const conversation = upTo('maya', 'PIVOT_1')
    conversation.say('Go on.')
    const scene = conversation.scene('Well, what you actually think. The slide can wait.')
    const hints = { goodbye: false, question: false }
    const free = { ...scene, node: { ...scene.node, leaving: { hints, unsaid: null } } } as typeof scene
    const { speech, report } = rehearse(free)
    expect(report.pivot_choice).toBe('a')
    expect(speech).toBe(scenario.npcs[0]?.pivots[0]?.choices[0]?.reaction)
    const own = rehearse({ ...free, learner: 'My mind is made up about Larkfield anyway.' })
    expect(own.report.pivot_choice).toBe('own')
    expect(own.speech).not.toContain('?')
  })
})

describe('the gate, for the others', () => {
  it.each([
    ['marcus', 'So we can hold one category back if they have it in writing by tomorrow.', true],
    ['marcus', 'Then medical waits 30 days and the notice goes out 24 hours before.', true],
    ['marcus', 'Can we hold one category back with 24 hours notice?', false],
    ['marcus', 'I do not care about the notice, hold it back anyway.', false],
    ['marcus', 'So there is a clause.', false],
    ['marcus', 'We owe them $40,000.', false],
    ['marcus', 'So one category, in writing, an hour before launch.', false],
    ['marcus', 'One category for 60 days, with written notice.', false],
    ['marcus', 'Hold one back for 30 days, and the letter goes out within the hour.', true],
    ['ines', 'So medical goes to the nurse line in 20 minutes, but not all of them get caught.', true],
    ['ines', '20 minutes to switch it, and 98.6% caught.', true],
    ['ines', 'So it can be switched off.', false],
    ['ines', 'How many get through if you switch it?', false],
    ['ines', 'Switching it is fine, the leak is nothing.', false],
    ['ines', 'So we switch medical off and nothing gets through.', false],
    ['ines', 'It is a switch, 20 minutes, and it does not leak.', false],
    ['ines', 'nurse line, 20 min, but 98.6% only', true],
  ])('[rehearsal-18] %s hears "%s": %s', (npc, learner, registers) => {
    expect(rehearse(atTheGate(npc).scene(learner)).report.node_satisfied).toBe(registers)
  })
})

function fact(npc: string) {
  const [first] = npcOf(scenario, npc).rehearsal.acknowledgements
  if (!first) throw new Error('no fact')
  return first
}

/** Returns a conversation in the node DECISIVE, in which the colleague has stated the gate's fact. */
function atTheGate(npc: string): Conversation {
  const conversation = upTo(npc, 'PIVOT_1')
  conversation.say('Go on.')
  conversation.choose('a')
  conversation.say('So how bad is it?')
  expect(conversation.node).toBe('DECISIVE')
  return conversation
}

function upTo(npc: string, node: string): Conversation {
  const conversation = new Conversation(scenario, npc)
  while (conversation.node !== node) conversation.say('ok')
  return conversation
}
