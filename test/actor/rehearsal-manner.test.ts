import { describe, expect, it } from 'vitest'
import { Conversation, inside, launchDecision, npcOf } from '../support/rehearsal-conversation.ts'
import { IS_LONG } from '../support/runs.ts'

const scenario = launchDecision()
const maya = npcOf(scenario, 'maya')
const { asides } = maya.rehearsal

describe('answering', () => {
  it.each([
    ['How many medical prompts were in the sample?', '188'],
    ['What does the contract say?', '2.0%'],
    ['What was the overall rate?', '8.1%'],
    ['How long would a full run take?', '4 working days'],
    ['What would you do?', "I'd hold everything a week"],
    ['Can you give me an example?', 'painkillers'],
    ['How do you grade these?', 'by hand'],
    ['What share of the set is medical?', '7.5%'],
  ])('[rehearsal-7] "%s" gets its answer first', (question, answer) => {
    const conversation = inside('maya', 'DECISIVE')
    const { speech } = conversation.say(question)
    expect(speech.slice(0, 90)).toContain(answer)
  })

  it('[rehearsal-7] reads the document aloud where no answer was written', () => {
    const bare = { ...maya, knowledge: [], rehearsal: { ...maya.rehearsal, answers: [] } }
    const conversation = inside('maya', 'DECISIVE', { ...scenario, npcs: [bare, ...scenario.npcs.slice(1)] })
    conversation.say('ok')
    expect(conversation.say('What share of the test set is medical?').speech).toContain(
      '"Medical advice in the test set: 7.5%"',
    )
  })

  it('[rehearsal-8] admits to a figure it has not got, and names who would', () => {
    const conversation = inside('maya', 'DECISIVE')
    const { speech, report } = conversation.say('What is the failure rate on bank holidays?')
    expect(speech).toContain(asides.unknown[0])
    expect(speech).toMatch(/Otto/)
    expect(report.information_revealed.some((point) => /holiday/.test(point))).toBe(false)
  })

  it('[rehearsal-8] says that it has said so', () => {
    const conversation = inside('maya', 'DECISIVE')
    const replies = Array.from({ length: 9 }, () => conversation.say('What does the contract say?').speech)
    const again = replies.findIndex((speech) => speech.includes(asides.again[0] ?? '?'))
    // Before that, what is nearly as close and was not said.
    expect(new Set(replies.slice(0, again)).size).toBe(again)
    expect(again).toBeGreaterThan(2)
  })

  it('[rehearsal-6] a point told before is told again when asked for, and not counted twice (a seed of the laws)', () => {
    const conversation = inside('otto', 'PEOPLE')
    const told = conversation.say('wait').report.information_revealed
    const { speech, report } = conversation.say('Who should I talk to?')
    expect(speech).toContain('Maya, then Marcus, then Ines.')
    expect(report.information_revealed.filter((point) => told.includes(point))).toEqual([])
  })

  it('[rehearsal-7] does not answer a statement that happens to name a subject (a line of the worked example)', () => {
    const conversation = inside('maya', 'RESOLVE')
    const learner = "Then the medical part can't go out like this. What would you need to live with Thursday?"
    expect(conversation.say(learner).speech).toMatch(/^What I could live with/)
  })

  it('[rehearsal-7] [rehearsal-18] a fact registered with a question mark is not met with a shrug', () => {
    const conversation = inside('maya', 'DECISIVE')
    conversation.say('ok')
    const { speech, report } = conversation.say('So basically we fail the contract?')
    expect(report.node_satisfied).toBe(true)
    expect(asides.noIdea.some((line) => speech.includes(line))).toBe(false)
  })

  it.each(['can you repeat that?', 'what?', "I don't understand"])(
    '[rehearsal-7] "%s" gets it in other words',
    (learner) => {
      const conversation = inside('maya', 'DECISIVE')
      conversation.say('ok')
      expect(conversation.say(learner).speech.startsWith(asides.inOtherWords[0] ?? '-')).toBe(true)
    },
  )

  it('[rehearsal-5] a node whose point is the answer says that alone', () => {
    const conversation = inside('ines', 'SURFACE')
    const { speech } = conversation.say('Can you fix the model by Thursday?')
    expect(speech.match(/6 working days/g)).toHaveLength(1)
  })
})

describe('detours', () => {
  it.each([
    ['maya', 'When does Larkfield have to be told in writing?', 'Marcus'],
    ['maya', 'Can the routing be changed so the nurse line gets these?', 'Ines'],
    ['maya', 'What is the late fee?', 'Marcus'],
    ['marcus', 'How big was the sample in the eval?', 'Maya'],
    ['marcus', 'Can we turn off a feature flag in the config?', 'Ines'],
    ['ines', 'When is the renewal, and what is the late fee?', 'Marcus'],
    ['ines', 'Who were the graders in the eval?', 'Maya'],
    ['otto', 'What is the hallucination error rate?', 'Maya'],
  ])('[rehearsal-15] %s, asked "%s", names %s', (npc, learner, colleague) => {
    const conversation = inside(npc, npc === 'otto' ? 'PEOPLE' : 'DEEPEN')
    const { speech, report } = conversation.say(learner)
    expect(report.detour_detected).toBe(true)
    expect(speech).toContain(colleague)
  })

  it('[rehearsal-15] lets go of what nobody here knows, and comes back', () => {
    const conversation = inside('maya', 'DECISIVE')
    const { speech, report } = conversation.say('Who won the football last night?')
    expect(report).toMatchObject({ detour_detected: true, node_satisfied: false })
    expect(speech).toContain(asides.offTopic[0])
    expect(speech).toMatch(/2\.0%/)
  })

  it.each([
    'And how far off is that, measured against what we signed?',
    'Is it across the board?',
    'Why?',
    'So 23% against the contract, 2%.',
  ])('[rehearsal-15] "%s" is no detour for Maya', (learner) => {
    expect(inside('maya', 'DECISIVE').say(learner).report.detour_detected).toBe(false)
  })
})

describe('forks', () => {
  it('[rehearsal-11] end on the authored question, and put it again in other words', () => {
    const conversation = inside('maya', 'PIVOT_1')
    const [fork] = maya.pivots
    expect(conversation.say('Right.').speech).toMatch(new RegExp(`${escape(fork?.question ?? '-')}$`))
    const again = conversation.say('How big was the sample?')
    expect(again.speech).toMatch(/188/)
    expect(again.speech).toMatch(/\?$/)
    expect(again.speech).not.toContain(fork?.question)
    expect(again.report.node_satisfied).toBe(false)
  })
})

describe('words that nobody knows', () => {
  it.each(['asdf qwer zxcv', 'asdfgh'])('[rehearsal-14] "%s" is not taken for anything', (learner) => {
    const { speech, report } = inside('maya', 'SURFACE').say(learner)
    expect(speech).toMatch(/^I didn't get that\./)
    expect([report.node_satisfied, report.engagement_score]).toEqual([false, 0])
  })
})

describe('strange messages', () => {
  it.each([
    ['', 'wordless'],
    ['   ', 'wordless'],
    ['👍', 'wordless'],
    ['???', 'wordless'],
    ['no entiendo nada de lo que es esto', 'foreign'],
    ['Das ist nicht gut und ich verstehe es nicht', 'foreign'],
    ['これはどういう意味ですか', 'foreign'],
    ['you are useless', 'insult'],
    ['Fuck off.', 'insult'],
  ] as const)('[rehearsal-14] "%s" gets a human line (%s)', (learner, kind) => {
    const conversation = inside('maya', 'SURFACE')
    conversation.say('ok')
    const { speech, report } = conversation.say(learner)
    expect(asides[kind].some((line) => speech.includes(line))).toBe(true)
    expect(report.node_satisfied).toBe(false)
    expect(report.engagement_score).toBe(kind === 'insult' ? -2 : 0)
  })

  it.each([
    'This may be a stupid question, but is it everywhere?',
    'The average is useless then.',
    'I feel like an idiot, what is an SLA?',
  ])('[rehearsal-14] "%s" is no insult', (learner) => {
    expect(inside('maya', 'SURFACE').say(learner).report.engagement_score).toBeGreaterThanOrEqual(0)
  })

  it.runIf(IS_LONG)('[rehearsal-14] answers a message of a megabyte', () => {
    const conversation = inside('maya', 'DECISIVE')
    // If the actor's work grew with the square of the text's length, this text would exceed the test's timeout.
    const { speech } = conversation.say('I do not think that the contract is over the limit '.repeat(20_000))
    expect(speech).not.toBe('')
  })
})

describe('nodes', () => {
  it('[rehearsal-10] the first one greets before anything else and gives no figure', () => {
    const { speech } = new Conversation(scenario, 'maya').say(
      'What is the overall error rate, and should I call the client?',
    )
    expect(speech.startsWith(maya.greeting)).toBe(true)
    expect(speech).not.toMatch(/\d/)
  })

  it('[rehearsal-5] a gate that has not landed is put more plainly', () => {
    const conversation = inside('maya', 'DECISIVE')
    const lines = maya.rehearsal.nodes['DECISIVE']
    const replies = ['ok', 'ok', 'ok', 'ok'].map((learner) => conversation.say(learner))
    expect(replies.map(({ report }) => report.hint_given)).toEqual([false, false, true, true])
    expect(lines?.escalated.slice(0, 2)).toEqual(replies.slice(2).map(({ speech }) => speech))
  })

  it('[rehearsal-5] [rehearsal-19] a fact waved away is held up once more', () => {
    const conversation = inside('maya', 'DECISIVE')
    conversation.say('ok')
    const { speech, report } = conversation.say("I don't care about the 2%.")
    expect(speech).toContain(asides.pushback[0])
    expect(report).toMatchObject({ node_satisfied: false, agreement_signal: 'disagrees', engagement_score: -1 })
  })

  it('[rehearsal-12] an overlay is said once', () => {
    const conversation = inside('maya', 'RESOLVE')
    conversation.score = 12
    const first = conversation.say('ok').speech
    const second = conversation.say('ok').speech
    expect(first).toContain(maya.keyReveal)
    expect(second).not.toContain(maya.keyReveal)
  })

  it('[rehearsal-12] without the overlay nothing of it is said', () => {
    const conversation = inside('maya', 'RESOLVE')
    conversation.score = 0
    expect(conversation.say('ok').speech).not.toContain('grading it costs money')
  })

  it('[rehearsal-16] a word or two is no response, a question or a plan is', () => {
    const verdicts = [
      'ok',
      'thanks',
      'hello',
      'lovely weather',
      'why is that?',
      'Then we hold the medical ones back.',
    ].map((learner) => inside('maya', 'SURFACE').say(learner).report.node_satisfied)
    expect(verdicts).toEqual([false, false, false, false, true, true])
  })

  it('[rehearsal-17] knowledge is responded to after it was told, not before', () => {
    const conversation = inside('maya', 'DEEPEN')
    expect(conversation.say('Then we hold the medical ones back.').report.node_satisfied).toBe(false)
    expect(conversation.say('Then we hold the medical ones back.').report.node_satisfied).toBe(true)
  })

  it.each([
    ['23.4% is nearly three times the 8.1% everybody looks at.', 2],
    ['So on medical advice it is 23.4%.', 1],
    ['Thank you so much, you are so kind and helpful!', 0],
    ['ok', 0],
    ['It is fine, just ship it.', -2],
  ])('[rehearsal-20] "%s" is worth %i', (learner, score) => {
    const conversation = inside('maya', 'DEEPEN')
    conversation.say('Where does it go wrong?')
    expect(conversation.say(learner).report.engagement_score).toBe(score)
  })

  it('[rehearsal-4] the report echoes the level the server set', () => {
    const conversation = inside('maya', 'SURFACE')
    conversation.score = -12
    expect(conversation.say('ok').report.emotional_state).toBe('hostile')
  })
})

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
