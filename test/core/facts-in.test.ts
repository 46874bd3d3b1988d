import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asQuestion } from '../../worker/core/run/brought-by.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import { tellsBetter } from '../../worker/core/run/wording.ts'
import type { ScenarioFact } from '../../worker/core/scenario/scenario.ts'
import { createReplySplitter } from '../../worker/core/reply/splitter.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { hostileText } from '../support/hostile-text.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'

const fact = (...heard: readonly (readonly string[])[]): ScenarioFact => ({
  id: 'f',
  npc: 'maya',
  text: 'In the words of an author.',
  heard,
  deciding: true,
})
const isHeard = (text: string, ...heard: readonly (readonly string[])[]) => factsIn([fact(...heard)], text).length === 1
const saidIn = (text: string, ...heard: readonly (readonly string[])[]) => factsIn([fact(...heard)], text)[0]?.said

describe('the question that brings a fact', () => {
  it.each([
    ['en', 'what if i send it to maya on saturday', 'What if I send it to Maya on Saturday?'],
    ['en', 'is tern the insurer', 'Is Tern the insurer?'],
    ['en', 'why dont u say whats wrong if its not me', "Why don't you say what's wrong if it's not me?"],
    ['es', 'qué dice maya del contrato?', '¿Qué dice Maya del contrato?'],
  ])('[class-6] is written as a sentence (%s)', (language, asked, question) => {
    expect(asQuestion(asked, { npcs: launchDecision().npcs, language })).toBe(question)
  })
})

describe('the wording of a fact', () => {
  it('[run-5] that refers back to what was said before it gives way to one that does not', () => {
    const gate = { ...fact(['31.0%']), text: 'In the pilot the gate filed 31.0% of the prompts under medical advice.' }
    const loose = 'It filed 31.0% of the prompts under medical advice.'
    const better = 'In the pilot the gate filed 31.0% of the prompts under medical.'
    expect(tellsBetter(gate, better, loose)).toBe(true)
    expect(tellsBetter(gate, better, loose.replace('It', 'Ines'))).toBe(false)
    expect(tellsBetter(gate, '31.0% of the prompts', loose)).toBe(false)
  })

  it("[debrief-4] with the fact's figure takes the place of one in more of its words, and never the other way", () => {
    const thaw = { ...fact(['freezer']), text: 'Box 7 thawed while a freezer stood open for 38 hours.' }
    const vague = 'Box 7 thawed: the freezer stood open for a whole weekend.'
    const told = '38 hours, the log says.'
    expect(tellsBetter(thaw, told, vague)).toBe(true)
    expect(tellsBetter(thaw, vague, told)).toBe(false)
  })
})

describe('a fact is heard', () => {
  it.each([
    ['2.0%', 'We signed for 2.0% at most.'],
    ['2.0%', 'At most 2.0 %, they say.'],
    ['2.0%', 'At most 2.0\u00a0%.'],
    ['2.0%', 'Up to 2.0 percent, or 2.0 per cent.'],
    ['2.0 percent', 'Up to 2.0%.'],
    ['2.0%', 'Between 1.0%–2.0%'],
    ['2.0%', '**2.0**% it is'],
    ['23.4%', 'You are at 23.4\u200b%.'],
    ['3,000', 'All 3000 prompts.'],
    ['3000', 'All 3,000 prompts.'],
    ['3,000', 'All 3\u202f000 prompts.'],
    ['1,234,567', 'It was 1234567, or so.'],
    ['$40,000', 'It costs us $40,000.'],
    ['$40,000', 'It costs us US$40000 a week.'],
    ['$40,000', 'It costs us $ 40,000.'],
    ['40 thousand', 'That is 40 THOUSAND a week'],
    ['C.4', 'Read C.4. Then sleep on it.'],
    ['C.4', '(C.4)'],
    ['30 days', 'Thirty? 30\n days.'],
    ["don't sign", 'I don’t sign that.'],
    ['the "gate"', 'Ask for the “gate”.'],
    ['4-day', 'A 4‑day run'],
    ['18', 'Eighteen is 18.'],
    ['18', '18'],
    ['2.0%', 'Two percent.'],
    ['20 minutes', 'It is a 20 minute config change.'],
    ['20 minutes', 'Das sind zwanzig Minuten.'],
    ['$40,000', 'Son 40.000 dólares.'],
    ['$40,000', 'It costs forty thousand dollars.'],
    ['$40,000', 'It costs us 40k dollars.'],
    ['$40,000', 'It costs 40 thousand dollars.'],
    ['$1,500,000', 'It costs 1.5 million dollars.'],
    ['23.4%', 'Das sind 23,4 Prozent.'],
    ['3,000', 'Three thousand prompts.'],
    ['6 working days', 'It takes six business days.'],
    ['60 days', 'sesenta días'],
    ['ＩＮＥＳ', 'Ines knows.'],
    ['año', 'Un an\u0303o más.'],
  ])('[debrief-1] %s in %j', (term, text) => {
    expect(isHeard(text, [term])).toBe(true)
  })

  it.each([
    ['2.0%', 'We are at 12.0%.'],
    ['2.0%', 'Version 1.2.0% of it'],
    ['2%', 'It is 2 percentage points more.'],
    ['3,000', 'That makes 13,000 prompts, or 3,0001.'],
    ['3,000', 'It was 3,000,000.'],
    ['$40,000', 'It was $140,000, then $400,000.'],
    ['30', 'At 30.5 it fails, at 4.30 too.'],
    ['30', 'Zu 30,5 Grad.'],
    ['C.4', 'Read C.40, and AC.4.'],
    ['ten', 'Often it is the tenth, in Tenby.'],
    ['ano', 'Un an\u0303o.'],
    ['3000', 'In 3 000 rooms, so to say'],
    ['one category', 'one. Category two.'],
    ['', 'anything'],
    ['*', 'any*thing'],
  ])('[debrief-1] but not %s in %j', (term, text) => {
    expect(isHeard(text, [term])).toBe(false)
  })

  it('[debrief-1] if a term of each group is anywhere in the text; one without terms never is', () => {
    const heard = [['30 days', 'C.4'], ['category']] as const
    expect(isHeard('C.4 is short. It is about one category.', ...heard)).toBe(true)
    expect(isHeard('C.4 is short.', ...heard)).toBe(false)
    expect(isHeard('C.4 is short.')).toBe(false)
    expect(factsIn([], 'C.4')).toEqual([])
  })

  it('[debrief-1] independently of others, and listed in the scenario’s order', () => {
    const some = [
      { ...fact(['b']), id: 'one' },
      { ...fact(['no']), id: 'two' },
      { ...fact(['a']), id: 'three' },
    ]
    expect(factsIn(some, 'A! Then b.')).toEqual([
      { fact: 'one', said: 'Then b.' },
      { fact: 'three', said: 'A!' },
    ])
  })
})

describe('a fact that the report names', () => {
  const named = (text: string, sentence: string, ...names: readonly string[]) =>
    factsIn([{ ...fact(['in these words only']), text: sentence }], text, names).length === 1

  it('[debrief-1] counts if the reply has one of its figures, or most of its words', () => {
    const gate = 'In the pilot the gate caught 98.6% of the medical prompts.'
    expect(named('It stopped 98.6 percent of them.', gate, 'f')).toBe(true)
    expect(named('It stopped nearly all of them.', gate, 'f')).toBe(false)
    expect(named('It stopped 98.6 percent of them.', gate)).toBe(false)
    expect(named('It stopped 98.6 percent of them.', gate, 'g')).toBe(false)
    const exit = 'If a ceiling is broken, Larkfield may walk away.'
    expect(named('Break the ceiling and Larkfield can just walk away.', exit, 'f')).toBe(true)
    expect(named('They may leave.', exit, 'f')).toBe(false)
  })
})

describe('the quotation of a fact', () => {
  it.each([
    ['Morning. We are at 23.4% there, and it hurts. Coffee?', 'We are at 23.4% there, and it hurts.'],
    ['It is in C.4. So 23.4%, right? “Right,” I said.', 'So 23.4%, right?'],
    ['"It is 23.4%." He left.', '"It is 23.4%."'],
    ['Il a dit 23.4%. Étrange.', 'Il a dit 23.4%.'],
    ['¡Es 23.4%! ¿No? Sí.', '¡Es 23.4%!'],
    ['- first\n- 23.4% of them\n- last', '- 23.4% of them'],
    ['23.4%', '23.4%'],
    ['Medical advice: 23.4% (n=180)', 'Medical advice: 23.4% (n=180)'],
  ])('[debrief-2] of %j is %j', (text, said) => {
    expect(saidIn(text, ['23.4%'])).toBe(said)
  })

  it('[debrief-2] has the shortest stretch that tells all of it, and marks what it leaves out', () => {
    const heard = [['C.4'], ['category']] as const
    expect(saidIn('C.4 again. No. Hm. Read C.4. Slowly. One category may wait. Bye.', ...heard)).toBe(
      'Read C.4. … One category may wait.',
    )
    expect(saidIn('A category. Then C.4. And C.4 holds back one category. Bye.', ...heard)).toBe(
      'And C.4 holds back one category.',
    )
    expect(saidIn('It takes 30\n\ndays. Fine.', ['30 days'])).toBe('It takes 30\n\ndays. Fine.')
  })

  it('[debrief-2] is cut if it is long, and never within a character', () => {
    const said = saidIn(`It is 23.4% ${'😀'.repeat(400)}.`, ['23.4%']) ?? ''
    expect(said.length).toBeLessThanOrEqual(400)
    expect(said.isWellFormed()).toBe(true)
    expect(said).toMatch(/^It is 23\.4% .*…$/u)
  })
})

describe('for any text', () => {
  const words = fc.constantFrom('C.4', '23.4%', '2.0%', 'category', 'no', '.', '!', '\n', '"', '3,000', '…', '‘', 'Ö')
  const spoken = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))
  const facts = [fact(['C.4']), { ...fact(['23.4%'], ['category', '3000']), id: 'g' }]

  it('[debrief-2] a quotation occurs in it and tells the fact by itself', () => {
    fc.assert(
      fc.property(spoken, (text) => {
        for (const { fact: id, said } of factsIn(facts, text)) {
          expect(said.length).toBeLessThanOrEqual(400)
          const squeezed = (each: string) => each.replace(/\s+/g, ' ')
          for (const part of said.split('…')) expect(squeezed(text)).toContain(squeezed(part).trim())
          expect(factsIn(facts, said).map((each) => each.fact)).toContain(id)
        }
      }),
    )
  })

  it('[debrief-1] case, kinds of quotes and of blanks make no difference', () => {
    fc.assert(
      fc.property(spoken, (text) => {
        const ids = (each: string) => factsIn(facts, each).map(({ fact: id }) => id)
        expect(ids(text.toUpperCase())).toEqual(ids(text))
        expect(ids(text.replaceAll(' ', ' \u00a0'))).toEqual(ids(text))
      }),
    )
  })

  it('[debrief-1] further words remove no fact, unless they continue its last word', () => {
    fc.assert(
      fc.property(spoken, spoken, (text, more) => {
        const both = factsIn(facts, `${text} | ${more}`).map(({ fact: id }) => id)
        expect(both).toEqual(expect.arrayContaining(factsIn(facts, text).map(({ fact: id }) => id)))
      }),
    )
  })

  it('[debrief-1] the chunks of a reply make no difference', () => {
    fc.assert(
      fc.property(spoken, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        const heardIn = (pieces: readonly string[]) => {
          const splitter = createReplySplitter()
          for (const piece of pieces) splitter.feed(piece)
          return factsIn(facts, splitter.end().speech)
        }
        const whole = `${text}\n${SEPARATOR}\n{"internal_thought": "C.4"}`
        const pieces: string[] = []
        for (let at = 0; at < whole.length; at += pieces.at(-1)?.length ?? 0)
          pieces.push(whole.slice(at, at + (sizes[pieces.length % sizes.length] ?? 1)))
        expect(heardIn(pieces)).toEqual(heardIn([whole]))
      }),
    )
  })

  it('[debrief-1] hostile texts are read like any others', () => {
    const { facts: shipped } = launchDecision().simulation ?? { facts: [] }
    expect(shipped.length).toBeGreaterThan(5)
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const { said } of factsIn(shipped, `${text} 23.4% ${SEPARATOR}`))
          expect(said.length).toBeLessThanOrEqual(400)
      }),
    )
  })

  it.each([
    ['blanks', ' '.repeat(200_000)],
    ['full stops', '. '.repeat(100_000)],
    ['one end and many blanks', `a.${' '.repeat(200_000)}b`],
    ['lines', '\n'.repeat(200_000)],
    ['almost a term', '23.4'.repeat(50_000)],
    ['commas', '1,000'.repeat(40_000)],
    ['quotes', `."`.repeat(100_000)],
    ['a fact again and again', 'C.4. 23.4% category! '.repeat(10_000)],
  ])('[debrief-1] factsIn takes linear time: %s', (_, text) => {
    // The text is very long. If the work grew with the square of the text's length, the test would exceed its time
    // limit.
    expect(factsIn(facts, text).length).toBeLessThanOrEqual(2)
  })
})
