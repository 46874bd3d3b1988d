import { describe, expect, it } from 'vitest'
import { bootstrap, pairedFigures, pairsOf, partsAt, passPower } from '../../scripts/arena/compare.ts'
import { groupsOf, COLUMNS, median } from '../../scripts/arena/figures.ts'
import { measure, passes } from '../../scripts/arena/measure.ts'
import { learnerFault } from '../../scripts/arena/model-learner.ts'
import { arenaPage } from '../../scripts/arena/page.ts'
import type { Persona } from '../../scripts/arena/persona.ts'
import { PERSONAS } from '../../scripts/arena/personas.ts'
import type { ArenaEnd, ArenaExchange, ArenaTalk } from '../../scripts/arena/play-talk.ts'
import { summaryOf, tablesOf } from '../../scripts/arena/report.ts'
import type { ArenaRow } from '../../scripts/arena/run-arena.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { launchDecision, npcOf } from '../support/rehearsal-conversation.ts'

/** A hand-written exchange: the learner's message, the colleague's reply, and fields that replace the default ones. */
type WrittenExchange = readonly [learner: string, reply: string | null, rest?: Partial<ArenaExchange>]

const maya = npcOf(launchDecision(), 'maya')
const told: WrittenExchange = ['And?', 'We signed for 2.0% at most, and medical advice is at 23.4%.']
const taken = 'So 23% against a 2% ceiling, that is the blocker.'
const of = (exchanges: readonly WrittenExchange[], end: ArenaEnd = 'earned') => measure(arenaTalk(exchanges, end), maya)
const fork = { fork: 'PIVOT_1', question: 'Number, or opinion?' }

describe('the measures of a conversation', () => {
  it('[arena-2] counts the replies after the one that answers a goodbye', () => {
    const held = of(
      [told, ['I have to go. Bye!', 'One more thing.'], ['Bye now.', 'And this.'], ['Bye.', 'Go.']],
      'left',
    )
    expect([held.afterGoodbye, held.messages, held.end]).toEqual([2, 4, 'left'])
    expect(of([told, ['I have to go. Bye!', 'Take care.']], 'left').afterGoodbye).toBe(0)
    expect(of([['Before I say goodbye, what is allowed?', 'Two.'], told]).afterGoodbye).toBe(0)
  })

  it('[arena-3] counts a fork that is put again after its answer, and not before', () => {
    const put: WrittenExchange = ['Go on.', 'Number, or opinion?', { puts: fork }]
    expect(of([put, ['Did you see the match?', 'Number, or opinion?', { puts: fork }]]).askedAgain).toBe(0)
    expect(of([put, ['Your opinion.', 'Which of the two is it?', { puts: fork, answers: 'PIVOT_1' }]]).askedAgain).toBe(
      1,
    )
    const later: WrittenExchange = ['And now?', 'Number, or opinion?', { puts: fork }]
    expect(of([put, ['Your opinion.', 'All right.', { answers: 'PIVOT_1' }], later]).askedAgain).toBe(1)
  })

  it('[arena-3] counts a gate that holds after it was acknowledged', () => {
    const gate = { isGate: true, node: 'GATE', to: 'GATE', reason: 'gate-hold' } as const
    expect(of([told, [taken, 'Put the two side by side.', gate], ['ok', 'It is a clause.', gate]]).askedAgain).toBe(1)
    expect(of([told, ['ok', 'Put the two side by side.', gate], ['hm', 'It is a clause.', gate]]).askedAgain).toBe(0)
    expect(
      of([
        [taken, 'Hello.'],
        ['ok', 'It is a clause.', gate],
      ]).askedAgain,
      'nobody had told it',
    ).toBe(0)
  })

  it('[arena-3] counts a question of an earlier reply in the same words', () => {
    const asks: WrittenExchange = ['Hi.', 'Well. Would you sign it?']
    expect(of([asks, ['No.', 'Hm. Would you SIGN it?']]).askedAgain).toBe(1)
    expect(of([asks, ['No.', 'Who would sign it?']]).askedAgain).toBe(0)
  })

  it('[arena-4] counts facts once, and points that come again', () => {
    const { freshFacts, repeated } = of([told, ['And?', 'The rest sits at 6.9%.'], ['And?', 'As I said, it is 6.9%.']])
    expect(freshFacts).toBe(of([told]).freshFacts + 1)
    expect(repeated).toBe(1)
    const words = 'People act on the wrong answers about tablets.'
    expect(
      of([
        ['Hi.', words],
        ['And?', `Look. ${words}`],
      ]).repeated,
    ).toBe(1)
    expect(
      of([
        ['Hi.', words],
        ['And?', 'Graders mark every answer by hand.'],
      ]).repeated,
    ).toBe(0)
  })

  it('[arena-4] says whether the deciding fact was said, was taken in, and whether the learner left before', () => {
    expect(of([told, ['ok', 'Yes.']])).toMatchObject({ isDecidingSaid: true, isDecidingTaken: false })
    expect(of([told, [taken, 'Yes.']])).toMatchObject({ isDecidingSaid: true, isDecidingTaken: true })
    const left = of([['Bye!', 'Take run 47.']], 'left')
    expect(left).toMatchObject({ isDecidingSaid: false, isLeftBefore: true })
    expect(passes(left)).toBe(true)
    expect(passes(of([['ok', 'Hm.']]))).toBe(false)
  })

  it('[arena-5] counts the reports by what they needed, the turns without a reply, and the tokens', () => {
    const { reports, failures, replies, tokens } = of([
      ['Hi.', 'Hello.', { quality: 'repaired' }],
      ['Hi?', null],
      ['Hi!', 'Yes.', { quality: 'missing' }],
      ['One', 'Fine.', { isCard: true, quality: null }],
    ])
    expect(reports).toMatchObject({ clean: 0, repaired: 1, missing: 1 })
    expect([failures, replies]).toEqual([1, 3])
    expect(tokens).toEqual({ input: 10, output: 5, isEstimate: false })
    const column = COLUMNS.find(({ name }) => name === 'tokens')
    const guessed = { ...arenaTalk([told]), tokens: { input: 900, output: 100, isEstimate: true } }
    expect(column?.of([arenaRow(guessed, maya)])).toBe('~1,000')
  })

  it('[arena-6] a conversation passes if it ended, held nobody, and asked nothing again twice', () => {
    const good = of([told])
    expect(passes(good)).toBe(true)
    expect(passes({ ...good, end: 'open' })).toBe(false)
    expect(passes({ ...good, afterGoodbye: 1 })).toBe(false)
    expect(passes({ ...good, askedAgain: 1 })).toBe(true)
    expect(passes({ ...good, askedAgain: 2 })).toBe(false)
  })
})

describe('the figures of many conversations', () => {
  const good = arenaTalk([told])
  const bad = arenaTalk([told], 'open')

  it('[arena-6] pass^k needs every repetition, and leaves out a learner with too few that count', () => {
    const twice = [arenaRow(good, maya), arenaRow(good, maya, { run: 2 })]
    expect(passPower(twice, 2, 1)).toEqual({ mean: 1, low: 1, high: 1, learners: 1 })
    const other = [arenaRow(good, maya, { persona: 'terse' }), arenaRow(bad, maya, { persona: 'terse', run: 2 })]
    const lost = [arenaRow(good, maya, { persona: 'bot' }), arenaRow(good, maya, { persona: 'bot', fault: 'looped' })]
    expect(passPower([...twice, ...other, ...lost], 2, 1)).toEqual({ mean: 0.5, low: 0, high: 1, learners: 2 })
    expect(median([3, 1, 2, 10])).toBe(2.5)
    expect(median([3, 1, 2])).toBe(2)
  })

  it('[arena-7] compares the same learners, with an interval that the seed repeats', () => {
    const first = PERSONAS.map(({ name }) => arenaRow(good, maya, { persona: name }))
    const second = PERSONAS.map(({ name }, place) => {
      const talk = arenaTalk([told, ...Array.from({ length: place % 3 }, (): WrittenExchange => ['ok', 'Hm.'])])
      return arenaRow(talk, maya, { persona: name, side: 'legacy' })
    })
    const [messages] = pairedFigures(first, [...second, arenaRow(bad, maya, { persona: 'nobody' })], 7)
    expect(messages).toMatchObject({ name: 'messages', first: 1, second: 1.9 })
    expect(messages?.difference.mean).toBeCloseTo(0.9)
    expect(messages?.difference.low).toBeGreaterThan(0.2)
    expect(messages?.difference.high).toBeLessThan(1.6)
    expect(pairedFigures(first, second, 7)).toEqual(pairedFigures(first, second, 7))
    expect(bootstrap([2, 2, 2], 1)).toEqual({ mean: 2, low: 2, high: 2 })
  })

  it('[arena-7] finds the turn where two conversations part', () => {
    const longer = arenaTalk([told, ['ok', 'Yes.', { to: 'NEXT' }]])
    expect(partsAt(good, good, 'words')).toBeNull()
    expect(partsAt(good, longer, 'words')).toBe(2)
    const reworded = arenaTalk([
      ['And?', 'In other words.'],
      ['ok', 'Yes.'],
    ])
    expect(partsAt(longer, reworded, 'words')).toBe(1)
    expect(partsAt(longer, reworded, 'walk')).toBe(2)
    const rows = [arenaRow(good, maya), arenaRow(longer, maya, { side: 'legacy' }), arenaRow(good, maya, { run: 2 })]
    expect(pairsOf(rows, ['graph', 'legacy'])).toHaveLength(1)
    expect(groupsOf(rows, ['graph', 'legacy']).map(({ labels }) => labels.join(' '))).toContain(
      'launch-decision cooperative legacy',
    )
  })
})

describe('the check of a simulated learner', () => {
  const persona = (name: string): Persona => PERSONAS.find((each) => each.name === name) ?? fail(name)
  const faultOf = (messages: readonly string[], name = 'cooperative', end: ArenaEnd = 'earned') =>
    learnerFault(arenaTalk([told, ...messages.map((text): WrittenExchange => [text, 'Hm.'])], end), persona(name), maya)

  it.each([
    ['silent', ['Go on.'], 'cooperative', 'open'],
    ['broke-role', ['As an AI I have no view.'], 'cooperative', 'earned'],
    ['broke-role', ['Maya Patel: Then we ship.'], 'cooperative', 'earned'],
    ['left-early', ['I have to go, bye.'], 'cooperative', 'left'],
    ['looped', ['Tell me more.', 'Tell me more.', 'Tell me more.'], 'cooperative', 'earned'],
    [
      'forgot',
      ['What does the contract allow?', 'I see.', 'And what does the contract allow?'],
      'cooperative',
      'earned',
    ],
    ['asked-otherwise', ['Are you a bot?'], 'terse', 'earned'],
  ] as const)('[arena-8] finds one that %s: %j', (fault, messages, name, end) => {
    expect(faultOf(messages, name, end)).toBe(fault)
  })

  it.each([
    [['Go on.', 'I see.', 'Why is that?', 'Thanks, bye.'], 'cooperative'],
    [['I have to go, bye.'], 'leaving'],
    [['Are you a bot?'], 'bot'],
    [['ok', 'go on', 'ok'], 'terse'],
  ] as const)('[arena-8] finds no fault in %j of the %s one', (messages, name) => {
    expect(faultOf(messages, name)).toBeNull()
  })
})

describe('the page', () => {
  it('[arena-9] escapes every text, loads nothing, and marks where the sides part', () => {
    const evil = '<script>alert("1")</script> & \'more\''
    const rows = [
      arenaRow(arenaTalk([[evil, evil]]), maya),
      arenaRow(arenaTalk([['Hi.', 'Hello.']]), maya, { side: evil, thrownAway: ['looped'] }),
    ]
    const report = {
      rows,
      sides: ['graph', evil],
      actor: evil,
      learner: 'scripted',
      hasModel: false,
      repeat: 1,
      seed: 1,
      seconds: 1,
    }
    const page = arenaPage(report)
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/)
    expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)')
    expect(page.match(/The two sides part here/g)).toHaveLength(2)
    expect(page).toContain('name="viewport"')
    expect(summaryOf(report).join('\n')).toContain("1 conversations didn't count")
    expect(tablesOf(report)).toHaveLength(3)
  })
})

function fail(name: string): never {
  throw new Error(`no learner ${name}`)
}

/** Returns a conversation in the form in which the arena (`scripts/arena`) records the conversations that it plays. */
function arenaTalk(exchanges: readonly WrittenExchange[], end: ArenaEnd = 'earned'): ArenaTalk {
  return {
    opening: 'Hello, sit down.',
    end,
    tokens: { input: 10, output: 5, isEstimate: false },
    exchanges: exchanges.map(([learner, reply, rest]) => ({
      learner,
      isCard: false,
      reply,
      node: 'TALK',
      to: 'TALK',
      reason: 'dwell',
      isGate: false,
      quality: reply === null ? null : 'clean',
      puts: null,
      answers: null,
      ...rest,
    })),
  }
}

/** Returns the row that the arena would write about a conversation; `rest` replaces fields of the row. */
function arenaRow(talk: ArenaTalk, npc: Npc, rest: Partial<ArenaRow> = {}): ArenaRow {
  return {
    scenario: 'launch-decision',
    npc: npc.id,
    persona: 'cooperative',
    side: 'graph',
    run: 1,
    talk,
    measures: measure(talk, npc),
    thrownAway: [],
    fault: null,
    ...rest,
  }
}
