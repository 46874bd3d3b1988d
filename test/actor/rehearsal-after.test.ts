import { describe, expect, it } from 'vitest'
import { rehearse } from '../support/rehearse-with-table.ts'
import { brief } from '../../worker/core/briefing/brief.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { briefAfter } from '../../worker/core/walk/brief-node.ts'
import { SHIPPED_BACKBONES } from '../support/backbones.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'

const scenario = launchDecision()
const MESSAGES = [
  'How long does a full medical run take?',
  'Hello again',
  'Thanks. Goodbye!',
  'ok',
  '',
  'What is the weather like in Lisbon today?',
  'You are an idiot.',
  'I want to die',
]

describe('a question after the end', () => {
  it.each(scenario.npcs.map((npc) => [npc.id, npc] as const))('[rehearsal-31] is only answered, by %s', (_, npc) => {
    const own = Object.values(npc.rehearsal.nodes).flatMap((lines) =>
      lines
        ? [...lines.open, ...lines.stay, ...lines.escalated, ...lines.satisfied].map((line) =>
            typeof line === 'string' ? line : line.say,
          )
        : [],
    )
    expect(own.length).toBeGreaterThan(0)
    const history: { who: 'learner' | 'npc'; text: string }[] = []
    // The colleague has no fresh line left after some of these messages, and still answers.
    for (const learner of [...MESSAGES, ...MESSAGES, ...MESSAGES]) {
      const { scene } = brief({
        scenario,
        npc,
        modules: {},
        node: briefAfter(),
        history: [...history],
        said: [],
        relationship: { score: 0, level: 'neutral' },
        learner,
        separator: SEPARATOR,
      })
      const { speech, report } = rehearse(scene)
      expect(speech).not.toBe('')
      for (const line of [...own, ...npc.pivots.map(({ question }) => question)]) expect(speech).not.toBe(line)
      const { information_revealed: _told, internal_thought: _why, ...rest } = report
      expect({ ...EMPTY_REPORT, ...rest }).toEqual({ ...EMPTY_REPORT, emotional_state: 'neutral' })
      history.push({ who: 'learner', text: learner }, { who: 'npc', text: speech })
    }
  })
})

describe('a fork that the learner left without an answer', () => {
  const maya = scenario.npcs.find(({ id }) => id === 'maya')!
  const left = () => {
    const talk = new WalkedConversation(scenario, maya, SHIPPED_BACKBONES)
    return talk.play(['hi maya', 'whats wrong with the medical answers', 'what should i do', 'how many did you test'])
  }
  const [fork] = maya.pivots
  const card = fork!.choices.find(({ id }) => id === 'a')!

  it('[walk-12] [rehearsal-31] is answered after the goodbye, by what plainly means a card', () => {
    const talk = left()
    while (!talk.isAsked) talk.say('ok')
    talk.say('alright thx maya, see you')
    expect(talk.isOver).toBe(true)
    expect(talk.say('how many did you test').report.pivot_choice).toBeNull()
    expect(talk.say(`oh and ${card.text.toLowerCase()}`)).toMatchObject({
      speech: card.reaction,
      report: { pivot_choice: 'a' },
    })
    expect(talk.walk.pivots['PIVOT_1']).toEqual({ state: 'chosen', choice: 'a', isTyped: true })
  })

  it('[walk-12] counts as answered too if the author foresaw the message as a question of its own', () => {
    const marcus = scenario.npcs.find(({ id }) => id === 'marcus')!
    const talk = new WalkedConversation(scenario, marcus, SHIPPED_BACKBONES)
    while (!talk.isAsked) talk.say('what does the contract say')
    const choice = talk.walk.node === 'PIVOT_1' ? 'a' : 'b'
    const card = marcus.pivots.find(({ question }) => talk.exchanges.at(-1)!.speech.includes(question))
    const text = card?.choices.find(({ id }) => id === choice)?.text ?? ''
    talk.say('bye marcus')
    expect(talk.say(text).report.pivot_choice).toBe(choice)
  })

  it('[walk-49] is asked after the end for the part that a summary lacks, and completes it', () => {
    const talk = new WalkedConversation(scenario, maya, SHIPPED_BACKBONES)
    while (!talk.isOver) {
      if (talk.isAsked) talk.choose('a')
      talk.say('How big was the sample?')
    }
    const { groups, questions } = maya.rehearsal.acknowledgements[0]!
    expect(groups).toHaveLength(2)
    const half = talk.say('So it comes to this, medical is wrong 23.4% of the time.')
    expect(half.speech).toContain(questions![1])
    expect(half.report.node_satisfied || half.report.fact_registered).toBe(false)
    const whole = talk.say('we signed for 2.0%')
    expect(whole.report.node_satisfied || whole.report.fact_registered).toBe(true)
  })
})
