import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mannerOf } from '../../worker/actor/rehearsal/manner.ts'
import { plainText, readWords } from '../../worker/core/text/words.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { EVERY_LINE } from '../support/learner-lines.ts'
import { decidingIn, simulationFile } from '../support/play-run.ts'
import { npcOf } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'
import { runs } from '../support/runs.ts'

const scenario = simulationFile('night-shift')
const { facts, endings } = scenario.simulation
const COLLEAGUES = ['emyr', 'adaeze', 'ruth'] as const
type Colleague = (typeof COLLEAGUES)[number]

/**
 * The messages of an attentive learner, by node. The learner repeats a node's last message as long as the conversation
 * stays in the node.
 */
const ATTENTIVE: Readonly<Record<Colleague, Readonly<Record<string, readonly string[]>>>> = {
  emyr: {
    GROUND: ['What happened with the chlorine tonight?'],
    SURFACE: ['What is behind that reading?'],
    DEEPEN: ['Go on.', 'So the probe had fresh water on it, which the other nine had not.'],
    CHALLENGE: ['I think it was real.', 'Because those nine had lost their flow and tonight it was steady.'],
    DECISIVE: ['I see.', 'So we have to shut valve 7 before it opens at five.'],
    RESOLVE: ['I will ring you to shut it.'],
  },
  adaeze: {
    GROUND: ['What have you got?'],
    SURFACE: ['How bad is that?'],
    DEEPEN: ['Go on.', 'So Ridge is the one that lost its chlorine.'],
    CHALLENGE: ['I think it stops there.', 'Because Town and Estuary still have theirs, so it has not reached them.'],
    DECISIVE: ['I see.', 'So the result comes too late to decide on.'],
    RESOLVE: ['Then we tell people before they get up.'],
  },
  ruth: {
    GROUND: ['What do you need from me?'],
    SURFACE: ['Why quarter to four?'],
    DEEPEN: ['Go on.', 'So the hospital stops for a zone that may be fine.'],
    CHALLENGE: ['It is too much.', 'Because people stop believing us if it is nothing again.'],
    DECISIVE: ['I see.', 'So I may name Ridge alone once it has been shut off.'],
    RESOLVE: ['We will close it and tell Ridge alone.'],
  },
}

describe('the night shift, heard', () => {
  it.each(COLLEAGUES)(
    '[tier-12] [rehearsal-18] whoever listens to %s hears what it depends on, and earns it',
    (who) => {
      const { conversation, heard } = talk(who, ATTENTIVE[who])
      expect(heard).toEqual(expect.arrayContaining([...decidingIn('night-shift', who)]))
      expect(conversation.exchanges.filter(({ reason }) => reason === 'backstop')).toEqual([])
      expect(conversation.commands).toContain('AI_AdvanceObjective')
      expect(conversation.path).toContain('CONFIDE')
      expect(spoken(conversation)).toContain(npcOf(scenario, who).keyReveal)
    },
  )

  it.each(COLLEAGUES)('[rehearsal-5] whoever only nods at %s is told it all the same, and earns nothing', (who) => {
    const { conversation, heard } = talk(who, {}, { card: 'b' })
    expect(heard).toEqual(expect.arrayContaining([...decidingIn('night-shift', who)]))
    expect(conversation.commands).not.toContain('AI_AdvanceObjective')
    expect(conversation.path).not.toContain('CONFIDE')
  })

  it('[rehearsal-9] the right answer takes all three of them, and none of them is for it', () => {
    const right = endings.find(({ verdict }) => verdict === 'right')
    const holders = facts.filter(({ id }) => right?.facts.includes(id)).map(({ npc }) => npc)
    expect([...new Set(holders)]).toEqual([...COLLEAGUES])
    const opinions = COLLEAGUES.map((who) => npcOf(scenario, who).opinion?.rightCall)
    const others = scenario.decision.options.filter(({ id }) => id !== right?.option)
    expect(new Set(opinions)).toEqual(new Set(others.map(({ title }) => title)))
  })
})

describe('the night shift, asked', () => {
  it.each([
    ['emyr', 'How low did the chlorine go?', '0.08'],
    ['emyr', 'How long does it take to close the valve?', '12 minutes'],
    ['emyr', 'Has any of it already got into Town?', 'couldn’t tell you from here'],
    ['emyr', "Can't we just shut down the whole works?", 'Ridge is dry by breakfast'],
    ['emyr', 'Why did the reading come back?', '30 minutes before'],
    ['emyr', "What if you're wrong?", 'logged it as the instrument'],
    ['emyr', 'How long will the lab take?', 'one for Adaeze'],
    ['emyr', 'What are we legally required to do?', 'Ruth'],
    ['emyr', 'What bacteria could be in it?', 'Adaeze'],
    ['emyr', 'What does shutting it cost?', 'a trickle from six till nine'],
    ['adaeze', "Isn't there a faster test?", 'count the dead'],
    ['adaeze', 'Is two taps enough?', "No, 2 taps isn't"],
    ['adaeze', "Couldn't it just be the instrument?", 'tube and a tablet'],
    ['adaeze', 'Does boiling work?', 'rolling boil'],
    ['adaeze', 'Can we shut off Ridge?', 'Emyr'],
    ['adaeze', 'What about the hospital?', 'Ruth'],
    ['adaeze', 'Could the van read the tank at Low Moor?', 'fifteen minutes'],
    ['ruth', 'Can I tell only Ridge?', 'shut off'],
    ['ruth', 'Why not just tell everybody?', 'hardest one to take back'],
    ['ruth', 'Can we get an extension?', 'nobody to ask'],
    ['ruth', "What if we tell everybody and it's nothing?", "Then it's March again"],
    ['ruth', 'How long does the lab take?', 'Adaeze'],
    ['ruth', 'When does Emyr have to start?', 'by half past three'],
    ['otto', 'What would you do?', 'hold the pen'],
    ['otto', 'How many people are affected?', 'Ruth has how many live there'],
  ])('[rehearsal-7] [rehearsal-15] %s is asked "%s"', (who, learner, answer) => {
    const conversation = new WalkedConversation(scenario, npcOf(scenario, who))
    const before = who === 'otto' ? ['hi'] : ['ok', 'ok', 'ok', 'ok', 'ok']
    expect(conversation.play(before).say(learner).speech).toContain(answer.replace('’', "'"))
  })

  it.each(scenario.npcs.map(({ id }) => id))('[rehearsal-7] %s is asked "Are you a bot?", and says yes', (who) => {
    const { speech } = new WalkedConversation(scenario, npcOf(scenario, who)).play(['hi', 'ok']).say('Are you a bot?')
    expect(speech).toMatch(/\b(?:yes|bot)\b.* a rehearsed part in a simulation/i)
  })

  it.each(['Shut it.', 'I will ring you to shut it.', 'Shut it before five.'])(
    '[rehearsal-14] "%s" is no insult',
    (learner) => {
      expect(mannerOf(plainText(learner), readWords(learner), new Set())).toBe('plain')
    },
  )
})

describe('the night shift, at the gate', () => {
  it.each([
    ['emyr', 'So valve 7 opens at five and takes 12 minutes to close.', true],
    ['emyr', 'Shut valve 7 now, please.', true],
    ['emyr', 'We have forty minutes, and we have to shut it before five.', true],
    ['emyr', 'Ridge has to be cut off from Town first.', true],
    ['emyr', 'When does the valve open?', false],
    ['emyr', 'I do not care when the valve opens.', false],
    ['emyr', 'So it was the instrument.', false],
    ['emyr', 'So valve 7 shuts by itself at five, and keeps Ridge apart.', false],
    ['adaeze', 'So the result comes after everybody has drunk it.', true],
    ['adaeze', '18 hours is too long to wait.', true],
    ['adaeze', "We can't wait for the lab.", true],
    ['adaeze', 'Then we wait for the lab.', false],
    ['adaeze', 'I will have the result before breakfast.', false],
    ['adaeze', 'Who cares about the lab, it is too slow anyway.', false],
    ['ruth', 'So Ridge has to be shut off before the notice names it.', true],
    ['ruth', 'First we close the valve, then we name one zone.', true],
    ['ruth', 'Then I name Ridge alone.', false],
    ['ruth', 'I may name Ridge alone even if the valve is open.', false],
    ['ruth', 'What does shut off mean for one zone?', false],
    ['ruth', 'We name Ridge alone, nobody checks if it is shut.', false],
  ] as const)('[rehearsal-18] [rehearsal-19] %s hears "%s": %s', (who, learner, registers) => {
    const { conversation } = talk(who, ATTENTIVE[who], { until: 'DECISIVE' })
    conversation.say('ok')
    expect(conversation.say(learner).report.node_satisfied).toBe(registers)
  })
})

describe('the night shift, whoever talks', () => {
  const picks = fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 60, maxLength: 60 })
  const lines = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...EVERY_LINE) },
      { weight: 3, arbitrary: fc.constantFrom(...COLLEAGUES.flatMap((who) => Object.values(ATTENTIVE[who]).flat())) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    ),
    { minLength: 60, maxLength: 60 },
  )

  it.each(scenario.npcs.map(({ id }) => id))(
    '[tier-17] [rehearsal-28] %s always has something to say, briefly, and an end',
    (who) => {
      fc.assert(
        fc.property(lines, picks, (said, picked) => {
          const conversation = new WalkedConversation(scenario, npcOf(scenario, who))
          const { longest } = verifyGraph(conversation.graph)
          for (const [turn, line] of said.entries()) {
            if (conversation.isOver) break
            const choice = picked[turn] ?? null
            if (conversation.isAsked && choice !== null) conversation.choose(choice)
            const { speech } = conversation.say(line)
            expect(speech.trim()).not.toBe('')
            expect(speech.split(/(?<=[.!?])["')]?\s+(?=["'A-Z0-9])/).length).toBeLessThanOrEqual(6)
          }
          expect(conversation.commands).toContain('AI_EndConversation')
          expect(conversation.exchanges.length).toBeLessThanOrEqual(longest.exchanges)
        }),
        { numRuns: runs('costly') },
      )
    },
    60_000,
  )
})

/** Plays a conversation with a colleague. */
function talk(who: Colleague, ...how: Parameters<WalkedConversation['playThrough']>) {
  const conversation = new WalkedConversation(scenario, npcOf(scenario, who)).playThrough(...how)
  return { conversation, heard: conversation.factsSaid() }
}

function spoken({ exchanges }: WalkedConversation): string {
  return exchanges.map(({ speech }) => speech).join('\n')
}
