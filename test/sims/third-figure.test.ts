import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesSpoken } from '../../sims/authoring/texts.ts'
import { figuresIn, sameFigure } from '../../worker/core/text/words.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import { EVERY_LINE } from '../support/learner-lines.ts'
import { decidingIn, simulationFile } from '../support/play-run.ts'
import { npcOf } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'
import { oneIn, runs } from '../support/runs.ts'

const scenario = simulationFile('third-figure')
const { simulation } = scenario
const COLLEAGUES = ['kofi', 'dorota', 'gwen'] as const
const EVERYBODY = [...COLLEAGUES, 'otto'] as const

describe('the third figure, as it is written', () => {
  it('[rehearsal-22] cannot be decided from one page, and everybody is for another option, none of which is right', () => {
    const right = simulation.endings.find(({ verdict }) => verdict === 'right')
    const needed = simulation.facts.filter(({ id, deciding }) => deciding && right?.facts.includes(id))
    expect(COLLEAGUES.map((id) => needed.filter(({ npc }) => npc === id).length)).toEqual([2, 2, 2])
    const calls = COLLEAGUES.map((id) => npcOf(scenario, id).opinion?.rightCall)
    const others = scenario.decision.options.filter(({ id }) => id !== right?.option)
    expect(new Set(calls)).toEqual(new Set(others.map(({ title }) => title)))
  })

  it('[rehearsal-22] has Kofi and Gwen who have spoken, and says of Dorota alone that nobody has been to see her', () => {
    const linesOf = (id: string) => linesSpoken(npcOf(scenario, id), []).map(({ text }) => text)
    expect(linesOf('kofi').filter((line) => line.includes('showed Gwen'))).toHaveLength(1)
    expect(linesOf('otto').filter((line) => line.includes('Easter'))).toEqual([
      expect.stringMatching(/Nobody's been down to Dorota since Easter\.$/),
      expect.stringMatching(/nobody's been down since Easter\./),
    ])
  })
})

describe('the third figure, talked through', () => {
  it.each([
    ['kofi', ['nothing-to-compare', 'older-reason', 'spring-only', 'walking-stands']],
    ['dorota', ['box-thawed', 'never-warmed', 'reads-low', 'second-set']],
    ['gwen', ['file-closes', 'half', 'item-14', 'last-instalment', 'may-narrow', 'second-year']],
  ] as const)('[tier-19] %s tells what decides, and what it costs, to whoever only nods', (id, facts) => {
    const { told, path } = talkedThrough(id, ['Hi', 'ok'])
    expect(told).toEqual(facts)
    expect(facts).toEqual(expect.arrayContaining([...decidingIn('third-figure', id)]))
    expect(path).toEqual(['GROUND', 'ASK', 'ASK', 'ASK', 'ASK', 'ASK', 'CLOSE'])
  })

  it.each([
    ['kofi', ["What's wrong with figure three?", 'So it only falls in the spring wave, and not in the autumn one.']],
    ['dorota', ['What happened to the spring samples?', 'So 30 tubes thawed, and those are the ones in the figure.']],
    ['gwen', ['When is it due?', 'So it goes in by Friday or it starts again as a new submission.']],
  ] as const)('[tier-19] %s tells what decides to whoever is content with one answer', (id, [question, taken]) => {
    const { told, path } = talkedThrough(id, ['Hello', question, taken, 'Thanks', 'Thanks'])
    expect(path).toEqual(['GROUND', 'ASK', 'ASK', 'ASK', 'CLOSE'])
    expect(told).toEqual(expect.arrayContaining([...decidingIn('third-figure', id)]))
  })

  it('[tier-17] [tier-19] [rehearsal-28] whatever anybody says: what decides is heard, at most six sentences at a time, to the end', () => {
    const asked = scenario.npcs.flatMap(({ rehearsal }) => rehearsal.answers.map(({ asks }) => asks.at(-1) ?? ''))
    // Whoever takes their leave may go without it.
    const ownWords = asked.filter((text) => !readHints(text).goodbye)
    const line = fc.constantFrom(...EVERY_LINE, ...ownWords)
    const talk = fc.tuple(fc.constantFrom(...COLLEAGUES), fc.array(line, { minLength: 1, maxLength: 9 }))
    fc.assert(
      fc.property(talk, ([id, lines]) => {
        const { told, path, speeches } = talkedThrough(id, lines)
        expect(told).toEqual(expect.arrayContaining([...decidingIn('third-figure', id)]))
        expect(path.at(-1)).toBe('CLOSE')
        expect(path.length).toBeLessThanOrEqual(10)
        expect(speeches.filter((speech) => speech === '' || sentencesIn(speech) > 6)).toEqual([])
      }),
      // The same words to the end once left the box untold.
      {
        numRuns: runs('costly'),
        examples: [[['dorota', ['can i scan it with my phone']]], [['dorota', ['and for spring only']]]],
      },
    )
  }, 60_000)

  it.each(EVERYBODY)(
    '[rehearsal-9] %s answers every question that was foreseen, with figures of their own page alone',
    (id) => {
      const npc = npcOf(scenario, id)
      const page = pageOf(npc)
      const conversation = new WalkedConversation(scenario, npc).play(['Hi', 'ok'])
      // Each answer takes about as long as a whole turn, and a colleague has several hundred.
      for (const { asks, say } of oneIn(8, npc.rehearsal.answers)) {
        const [first = ''] = asks
        const speech = conversation.reply(`${first}?`)
        expect(speech, `${first} (${say[0]})`).not.toBe('')
        const strange = figuresIn(speech).filter((figure) => !page.some((written) => sameFigure(figure, written)))
        expect(strange, `${first}: ${speech}`).toEqual([])
      }
    },
    60_000,
  )

  it.each([
    ['kofi', 'Can we just leave out the spring samples?', /Bring me a reason that was true before I looked/],
    ['kofi', 'Why are the two waves so different?', /none of them does it/],
    ['kofi', 'Dorota said box 7 thawed, could that explain it?', /it'd look exactly like this/],
    ['kofi', 'Did you correct for multiple comparisons?', /One marker, one test/],
    ['kofi', "Can't you adjust for wave in the model?", /which of them to believe/],
    ['kofi', 'Is the whole paper wrong?', /one bad sentence in it/],
    ['kofi', 'Do you think Bram made it up?', /line by line/],
    ['dorota', 'Can we correct for the 30%?', /a different low|not the same/],
    ['dorota', 'Can it be done by Friday?', /6 weeks is the quickest/],
    ['dorota', 'Would a thaw make the marker go up or down?', /^A thaw makes this marker read low\./],
    ['dorota', "What's the difference between spring and autumn?", /Which freezer/],
    ['dorota', 'Is this in the methods section?', /true of the upper freezer, and not of this one/],
    ['dorota', "Why didn't you say something?", /in the log/],
    ['dorota', 'So the 30% drop is just the freezer?', /the same size/],
    ['kofi', 'What if its both, training and something else', /how much of which/],
    ['kofi', 'If the editor asks about spring, what do you do?', /^(?!.*I'm Kofi)/s],
    ['dorota', 'Was there an alarm?', /don't work Saturdays/],
    ['gwen', 'Can we get an extension?', /there(?: i|')s no other/],
    ['gwen', 'Did you know that box 7 thawed?', /item 14/],
    ['gwen', 'Would a thawed sample count as a deviation?', /Of course it would/],
    ['gwen', 'Would it go back to the reviewers?', /10 working days/],
    ['gwen', 'What about my job?', /second year/],
    ['gwen', 'If we narrow it, do we still get the money?', /half/i],
    ['gwen', 'Is it honest to send it as it is?', /not a crook/],
    ['otto', 'Why me?', /the password/],
    ['otto', "Who's Bram?", /before you/],
    ['otto', 'What if I decide nothing?', /the journal's computer stops taking it/],
  ] as const)('[rehearsal-7] %s is asked "%s"', (id, question, answer) => {
    expect(inTheMiddle(id, question)).toMatch(answer)
  })

  it.each(EVERYBODY)('[rehearsal-7] %s is asked "Are you a bot?", and says yes', (id) => {
    expect(inTheMiddle(id, 'Are you a bot?')).toMatch(/\b(?:yes|bot)\b.* a rehearsed part in a simulation/i)
  })

  it.each([
    ['kofi', 'What do the reviewers think?', 'gwen'],
    ['dorota', 'What is the confidence interval?', 'kofi'],
    ['gwen', 'How long was the door open?', 'dorota'],
  ] as const)('[rehearsal-15] %s sends "%s" on to %s', (id, question, to) => {
    const lines = npcOf(scenario, id).rehearsal.redirects.find(({ npc }) => npc === to)?.say ?? []
    expect(lines.filter((line) => inTheMiddle(id, question).includes(line))).toHaveLength(1)
  })

  it('[rehearsal-13] a goodbye that makes the point is not led in by the same point', () => {
    const lines = ['Hi', 'ok', 'ok', 'Thanks Kofi', 'And what about the walking?']
    const { exchanges } = new WalkedConversation(scenario, npcOf(scenario, 'kofi')).play(lines)
    expect(exchanges.at(-1)?.speech.match(/0\.11/g)).toHaveLength(1)
  })

  it.each(EVERYBODY)('[rehearsal-14] %s is thanked by name, and it is no small talk', (id) => {
    const name = npcOf(scenario, id).name.split(' ')[0]
    const conversation = new WalkedConversation(scenario, npcOf(scenario, id)).play(['Hi', 'ok'])
    expect(conversation.say(`Thank you ${name}`).report).toMatchObject({ node_satisfied: true, detour_detected: false })
  })
})

/** Plays a conversation until the colleague says goodbye. The learner repeats the last line as often as needed. */
function talkedThrough(id: string, lines: readonly string[]) {
  const conversation = new WalkedConversation(scenario, npcOf(scenario, id))
  while (!conversation.isOver) {
    // A last question is answered without a goodbye; whoever then asks nothing more hears it.
    const isClosing = conversation.path.at(-1) === 'CLOSE'
    conversation.say(isClosing ? 'ok' : (lines[conversation.path.length] ?? lines.at(-1) ?? ''))
  }
  const speeches = conversation.exchanges.map(({ speech }) => speech)
  return { speeches, told: conversation.factsSaid().toSorted(), path: conversation.path }
}

/** Returns the reply to a line that the learner says after the colleague stated the first fact. */
function inTheMiddle(id: string, line: string): string {
  return new WalkedConversation(scenario, npcOf(scenario, id)).play(['Hi', 'ok']).say(line).speech
}

function pageOf({ document }: Npc) {
  return [document?.title ?? '', ...(document?.lines ?? [])].flatMap(figuresIn)
}

function sentencesIn(speech: string): number {
  return speech.trim().split(/(?<=[.!?])["')]?\s+(?=["'A-Z0-9])/).length
}
