import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Account, debriefScenarioOf } from '../../worker/core/run/account.ts'
import { debriefOf, resultOf, type DecidedRun } from '../../worker/core/run/debrief.ts'
import { statedIn } from '../../worker/core/run/stated-in.ts'
import { runView, type RunRecord } from '../../worker/core/run/run-view.ts'
import { launchDecision } from '../support/rehearsal-conversation.ts'
import type { Command, NewEvent } from '../../worker/wire/messages.ts'

const scenario = launchDecision()
const { simulation } = scenario
if (!simulation) throw new Error('the launch decision is no simulation')
const deciding = simulation.facts.filter((fact) => fact.deciding)
const earning = scenario.decision.options.flatMap(({ needs }) => needs ?? [])

interface Heard {
  readonly fact: string
  readonly at: number
}

/** Returns a run in which the learner heard each of these facts in a separate turn and then decided at time 100. */
function decided(
  heard: readonly Heard[],
  evidence: readonly string[],
  { option = 'hold-back-medical', reason = 'Because.', unticked = [] }: Partial<RunRecord['decision'] & object> = {},
): DecidedRun {
  return runOf(playsOf(heard), { option, reason, evidence: [...evidence], unticked, at: 100 })
}

function playsOf(heard: readonly Heard[]): RunRecord['plays'] {
  const play = (npc: string): RunRecord['plays'][number] => ({
    npc,
    session: npc,
    endedAt: npc === 'maya' ? 90 : null,
    activeAt: 90,
    level: 'cooperative',
    completion: npc === 'maya' ? 'earned' : null,
    earned: npc === 'maya' ? ['size-the-risk'] : [],
    earnedAt: npc === 'maya' ? { 'size-the-risk': 90 } : {},
    facts: heard
      .filter(({ fact }) => simulation?.facts.find(({ id }) => id === fact)?.npc === npc)
      .map(({ fact, at }) => ({ fact, said: `Said ${fact}.`, turn: at, at })),
    paper: null,
    next: null,
  })
  return ['otto', 'maya', 'marcus', 'ines'].map(play)
}

function runOf(plays: RunRecord['plays'], decision: NonNullable<RunRecord['decision']>): DecidedRun {
  const standing: RunRecord = {
    id: 'ctx_run',
    scenario: scenario.id,
    version: scenario.version,
    startedAt: 1,
    nickname: 'Ada',
    class: { id: 'class', title: 'Mondays' },
    again: null,
    decision,
    plays,
  }
  const run = runView(standing, scenario)
  if (run.decision === null) throw new Error('undecided')
  return { ...run, decision: run.decision }
}

/** Returns the debrief of a run. @throws if the run has no debrief */
function debriefed(run: DecidedRun, accounts: readonly Account[] = []) {
  const debrief = debriefOf(scenario, run, accounts)
  if (debrief === null) throw new Error('no debrief')
  return debrief
}

const account = (npc: string, part: Partial<Account> = {}): Account => ({
  npc,
  scenario: debriefScenarioOf(scenario),
  events: [{ seq: 1, at: 5, type: 'turn-start', turn: 1, attempt: 1, cid: 'c', text: 'Hello?' }],
  engagement: [],
  walk: [],
  again: false,
  ...part,
})

describe('the deciding facts', () => {
  const stateOf = (run: DecidedRun, id: string) => debriefed(run).facts.find((fact) => fact.id === id)

  it('[debrief-7] are cited, ignored or missed, in the author’s order and words', () => {
    const run = decided(
      [
        { fact: 'medical-rate', at: 20 },
        { fact: 'ceiling', at: 30 },
      ],
      ['ceiling'],
    )
    // Maya's conversation is over. Marcus and Ines could still tell what they know, so the debrief does not.
    expect(debriefed(run).facts.map(({ id, text }) => ({ id, text }))).toEqual(
      deciding.map(({ id, npc, text }) => ({ id, text: npc === 'maya' ? text : null })),
    )
    expect(stateOf(run, 'ceiling')).toMatchObject({ state: 'cited', npc: 'maya', said: 'Said ceiling.', turn: 30 })
    expect(stateOf(run, 'medical-rate')).toMatchObject({ state: 'ignored', said: 'Said medical-rate.', turn: 20 })
    expect(stateOf(run, 'gate')).toMatchObject({ state: 'missed', said: null, turn: null })
  })

  it('[debrief-7] a fact heard only after the decision is missed', () => {
    const run = decided(
      [
        { fact: 'gate', at: 101 },
        { fact: 'ceiling', at: 100 },
      ],
      [],
    )
    expect(stateOf(run, 'gate')).toMatchObject({ state: 'missed', said: null })
    expect(stateOf(run, 'ceiling')).toMatchObject({ state: 'ignored' })
    // The learner heard the fact at time 101, after the decision. But the decision cites the fact, so the learner knew
    // it in time: the clocks of two machines may disagree.
    expect(stateOf(decided([{ fact: 'gate', at: 101 }], ['gate']), 'gate')).toMatchObject({ state: 'cited', turn: 101 })
    expect(stateOf(decided([{ fact: 'gate', at: 0 }], []), 'gate')).toMatchObject({ state: 'ignored', turn: 0 })
  })

  it.each([
    ['Medical answers fail at 23.4%.', 'medical-rate', 'cited'],
    ['We hold back one category for 30 days, as the contract lets us.', 'phasing', 'cited'],
    ['We make Friday at five, in the app and in the contract.', 'credit', 'ignored'],
    ['The 1.4% that leak get a name.', 'gate-catches', 'cited'],
    ['We use C.4, the letter goes today.', 'phasing', 'cited'],
    // The option says so already, and one word alone may mean anything.
    ['Medical questions go to the nurse line.', 'gate', 'ignored'],
    ['The contract is the contract.', 'ceiling', 'ignored'],
  ])('[debrief-7] are cited if the reason states them, without a tick too: %s', (reason, id, state) => {
    const heard = simulation.facts.map((fact) => ({ fact: fact.id, at: 20 }))
    expect(stateOf(decided(heard, [], { reason }), id)).toMatchObject({ state })
    expect(stateOf(decided([], [], { reason }), id)).toMatchObject({ state: 'missed' })
  })

  it('[debrief-7] are not cited if the learner unticked them, whatever the reason states', () => {
    const heard = [{ fact: 'medical-rate', at: 20 }]
    const reason = 'Medical answers fail at 23.4%.'
    expect(stateOf(decided(heard, [], { reason, unticked: ['medical-rate'] }), 'medical-rate')).toMatchObject({
      state: 'ignored',
    })
  })

  it('[after-18] name first what the right option cannot be earned without', () => {
    const { ending } = debriefed(decided([{ fact: 'phasing', at: 1 }], []))
    expect(ending.facts.slice(0, 2).toSorted()).toEqual(earning.toSorted())
  })

  it('[debrief-7] are stated in own words by two words of the fact, one of which is its own', () => {
    const fact = (id: string, text: string) => ({ id, npc: 'adaeze', text, heard: [['0.07']], deciding: true })
    const facts = [
      fact('taps', 'At the tap Ridge had 0.07 of chlorine left.'),
      fact('valve', 'At five the valve joins Ridge to the rest.'),
    ]
    const decision = { question: 'Who is told to boil?', options: [{ id: 'a', title: 'Tell Ridge to boil its water' }] }
    const stated = (reason: string) => [...statedIn(reason, facts, decision)]
    expect(stated('Because only Ridge had no chlorine.')).toEqual(['taps'])
    expect(stated('Ridge should boil its water. Chlorine is bad.')).toEqual([])
    // "Rest" goes with any subject.
    expect(stated('Ridge first, the rest later.')).toEqual([])
    expect(stated('Has Ridge got any chlorine?')).toEqual([])
    expect(stated('Is 0.07 what Ridge had of chlorine? I asked.')).toEqual([])
    expect(stated('')).toEqual([])
  })

  it('[debrief-7] are stated by a figure of their own beside one of their words, and by a time however it is said', () => {
    const fact = (id: string, text: string, terms: string[][]) => ({
      id,
      npc: 'ruth',
      text,
      heard: terms,
      deciding: true,
    })
    const facts = [
      fact('lab', 'The first laboratory reading comes after 18 hours, at nine in the evening.', [
        ['lab'],
        ['nine tonight'],
      ]),
      fact('duty', 'Notice is due at quarter to four.', [['notice'], ['quarter to four']]),
    ]
    const stated = (reason: string) => [...statedIn(reason, facts, { question: 'Who?', options: [] })]
    expect(stated('The lab only knows at nine tonight.')).toEqual(['lab'])
    expect(stated('The lab knows at 21:00.')).toEqual(['lab'])
    expect(stated('Eighteen hours for a reading is too long.')).toEqual(['lab'])
    expect(stated('The notice goes out by 03:45.')).toEqual(['duty'])
    expect(stated('The walk took 18 hours.')).toEqual([])
  })

  it('[debrief-23] show the skills that the author ties to them', () => {
    const { skills } = debriefed(decided([], []))
    expect(skills).toEqual(simulation.skills)
    const bare = {
      ...scenario,
      simulation: { ...simulation, skills: ['Patience', { title: 'Care', facts: ['way-out'] }] },
    }
    expect(debriefOf(bare, decided([], []), [])?.skills).toEqual([])
  })

  it('[debrief-21] keep their words until they were heard, even late, or in a run that began again', () => {
    expect(stateOf(decided([], []), 'gate')).toMatchObject({ npc: 'ines', text: null })
    expect(stateOf(decided([{ fact: 'gate', at: 101 }], []), 'gate')?.text).toMatch(/nurse line/)
    const again = { ...decided([], []), again: { npc: 'maya', pivot: 'PIVOT_1' } }
    expect(stateOf(again, 'gate')?.text).toMatch(/nurse line/)
  })

  it('[debrief-7] are listed once each and counted in the result, whatever was heard and attached', () => {
    const some = fc.subarray(simulation.facts.map(({ id }) => id))
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 200 }), (heard, attached, at) => {
        const evidence = attached.filter((id) => heard.includes(id))
        const run = decided(
          heard.map((fact) => ({ fact, at })),
          evidence,
        )
        const { facts } = debriefed(run)
        expect(facts.map(({ id }) => id)).toEqual(deciding.map(({ id }) => id))
        for (const { id, state, said } of facts) {
          const inTime = heard.includes(id) && (evidence.includes(id) || at <= 100)
          expect(state).toBe(!inTime ? 'missed' : evidence.includes(id) ? 'cited' : 'ignored')
          expect(said === null).toBe(!inTime)
        }
        const { facts: counts } = resultOf(scenario, debriefed(run), [])
        expect(counts).toEqual({
          deciding: deciding.length,
          heard: facts.filter(({ state }) => state !== 'missed').length,
          cited: facts.filter(({ state }) => state === 'cited').length,
        })
      }),
    )
  })
})

describe('the endings', () => {
  it('[debrief-14] tell what followed the choice, and how the others would have ended', () => {
    const endings = simulation.endings.map((each) => ({ ...each, after: [`After ${each.option}.`] }))
    const run = decided(
      earning.map((fact) => ({ fact, at: 20 })),
      [],
      { option: 'delay-a-week' },
    )
    const told = debriefOf({ ...scenario, simulation: { ...simulation, endings } }, run, [])
    const delay = endings.find(({ option }) => option === 'delay-a-week')
    expect(told?.ending).toEqual({
      option: 'delay-a-week',
      title: 'Hold everything back a week and test again',
      verdict: 'defensible',
      after: ['After delay-a-week.'],
      // The ending names more facts. The debrief shows only those that count as deciding.
      facts: delay?.facts.filter((id) => deciding.some((fact) => fact.id === id)),
    })
    expect(told?.ending.facts.length).toBeLessThan(delay?.facts.length ?? 0)
    expect(told?.others.map(({ option, after }) => [option, after])).toEqual([
      ['ship-as-is', ['After ship-as-is.']],
      ['hold-back-medical', ['After hold-back-medical.']],
    ])
  })

  it('[debrief-22] tell each learner the paragraphs that fit what they heard and cited', () => {
    const after = [
      'For all.',
      { when: { heard: ['gate'], cited: ['ceiling'] }, text: 'Did both.' },
      { when: { cited: ['credit'] }, text: 'Cited it.', otherwise: 'Did not cite it.' },
      { when: [{ heard: ['phasing'] }, { cited: ['ceiling'] }], text: 'Did one.' },
    ]
    const scenarioWith = {
      ...scenario,
      simulation: { ...simulation, endings: simulation.endings.map((each) => ({ ...each, after })) },
    }
    const told = (run: DecidedRun) => debriefOf(scenarioWith, run, [])?.ending.after
    const both = [
      { fact: 'gate', at: 20 },
      { fact: 'ceiling', at: 30 },
    ]
    expect(told(decided([], []))).toEqual(['For all.', 'Did not cite it.'])
    expect(told(decided(both, []))).toEqual(['For all.', 'Did not cite it.'])
    expect(told(decided(both, ['ceiling']))).toEqual(['For all.', 'Did both.', 'Did not cite it.', 'Did one.'])
    // Of two facts, the learner heard one only after the decision.
    const late = [
      { fact: 'gate', at: 101 },
      { fact: 'ceiling', at: 30 },
      { fact: 'credit', at: 40 },
    ]
    expect(told(decided(late, ['ceiling', 'credit']))).toEqual(['For all.', 'Cited it.', 'Did one.'])
    const wanting = (run: DecidedRun) => debriefOf(scenarioWith, run, [])?.ending.wanting
    expect(wanting(decided([], []))).toEqual({ npc: 'marcus', heard: null, text: 'Did not cite it.' })
    expect(wanting(decided(late, []))).toMatchObject({
      npc: 'marcus',
      heard: expect.stringContaining('$40,000'),
      text: 'Did not cite it.',
    })
    expect(wanting(decided(late, ['credit']))).toBeUndefined()
  })

  it('[debrief-21] leave out an option that was not earned, also where a colleague thinks it right', () => {
    const hidden = scenario.decision.options.find(({ id }) => id === 'hold-back-medical')
    const run = decided([], [], { option: 'delay-a-week' })
    const told = debriefed(run, [account('ines')])
    expect(told.run).toMatchObject({ more: true })
    expect(JSON.stringify(told)).not.toContain(hidden?.title)
    expect(told.talks[0]?.opinion).toBeNull()
    const earned = earning.map((fact) => ({ fact, at: 150 }))
    const later = debriefed(decided(earned, [], { option: 'delay-a-week' }), [account('ines')])
    expect(later.others.map(({ option }) => option)).toEqual(['ship-as-is', 'hold-back-medical'])
    expect(later.talks[0]?.opinion?.rightCall).toBe(hidden?.title)
    expect(later.run.more).toBeUndefined()
  })

  it('[debrief-14] are those of the played version if a conversation is pinned to it', () => {
    const old = { ...debriefScenarioOf(scenario), version: 7 }
    const { endings } = simulation
    const told = {
      ...old,
      simulation: { ...simulation, endings: endings.map((each) => ({ ...each, after: ['Old.'] })) },
    }
    const run = { ...decided([], []), version: 7 }
    expect(debriefOf(scenario, run, [account('maya', { scenario: told })])?.ending.after).toEqual(['Old.'])
    const both = [account('ines'), account('maya', { scenario: told })]
    expect(debriefOf(scenario, run, both)?.ending.after).toEqual(['Old.'])
    // Maya's conversation is the only one. It is pinned to the deployed version, so nothing of version 7 is left.
    expect(debriefOf(scenario, run, [account('maya')])?.ending.after[0]).toBe(endings[2]?.after[0])
  })

  it('[debrief-14] are those of another version if the played one has none for the choice', () => {
    const withoutIt = simulation.endings.filter(({ option }) => option !== 'hold-back-medical')
    const played = account('maya', {
      scenario: { ...debriefScenarioOf(scenario), simulation: { ...simulation, endings: withoutIt } },
    })
    const served = { ...debriefScenarioOf(scenario), version: 2 }
    const run = decided([], [])
    expect(debriefOf(served, run, [played])?.ending.option).toBe('hold-back-medical')
    // The deployed version has no ending for the choice either. Only the version of Ines's conversation has one.
    const neither = { ...served, version: 3, simulation: { ...simulation, endings: withoutIt } }
    expect(debriefOf(neither, run, [account('ines', { scenario: served }), played])?.ending.option).toBe(
      'hold-back-medical',
    )
    expect(debriefOf(neither, run, [played])).toBeNull()
  })

  it('[debrief-14] there is no debrief without one for the choice', () => {
    expect(debriefOf(scenario, decided([], [], { option: 'gone' }), [])).toBeNull()
    expect(debriefOf({ ...debriefScenarioOf(scenario), simulation: undefined }, decided([], []), [])).toBeNull()
  })
})

describe('the conversations', () => {
  it('[debrief-8] are those in which something was said, in the order of the scenario', () => {
    const accounts = [account('ines'), account('maya', { events: [] }), account('otto')]
    expect(debriefed(decided([], []), accounts).talks.map(({ npc }) => npc)).toEqual(['otto', 'ines'].toSorted(byOrder))
    expect(debriefed(decided([], [])).talks).toEqual([])
  })

  it('[debrief-12] allow a new run at the first moment of a fork, not at a later one', () => {
    const command: Command = { name: 'AI_PivotMoment', pivot: 'PIVOT_1', question: 'Which?', choices: [] }
    const events = [1, 2].map(
      (turn) => ({ type: 'command', seq: turn, at: turn, turn, id: `c${turn}`, command }) as const,
    )
    const [talk] = debriefed(decided([], []), [account('maya', { events, again: true })]).talks
    expect(talk?.pivots.map(({ again }) => again)).toEqual([true, false])
  })

  it.each([
    ['a card that was picked', [end({ choice: picked('a') })], { choice: { id: 'a', effect: 'E' }, said: null }],
    [
      'an answer that came to a card',
      [turn(5, 'The first one'), end({ turn: 5, choice: picked('a'), typed: 'card' })],
      { choice: { id: 'a', effect: 'E' }, typed: 'card', said: { turn: 5, text: 'The first one' } },
    ],
    [
      'an answer of their own, after another message',
      [turn(5, 'Wait'), turn(6, 'Neither'), end({ turn: 6, typed: 'own' })],
      { choice: null, typed: 'own', said: { turn: 6, text: 'Neither' } },
    ],
    [
      'an answer that came after the fork had passed',
      [turn(5, 'Hm'), end({ turn: 5 }), turn(6, 'Neither'), end({ turn: 6, typed: 'own' })],
      { choice: null, typed: 'own', said: { turn: 6, text: 'Neither' } },
    ],
    [
      'nothing that is no answer',
      [turn(5, 'Why?'), turn(6, 'Let me think.'), end({ turn: 6 }), turn(7, 'I see.')],
      { choice: null, said: null },
    ],
    ['nothing if nothing was said', [], { choice: null, said: null }],
  ])('[debrief-20] quote %s', (_, after, answer) => {
    const asked: NewEvent = {
      type: 'command',
      turn: 4,
      id: 'c',
      command: { name: 'AI_PivotMoment', pivot: 'PIVOT_1', question: 'Which?', choices: [] },
    }
    const events = [asked, ...after].map((event, place) => ({ seq: place + 1, at: place, ...event }))
    const [talk] = debriefed(decided([], []), [account('maya', { events })]).talks
    const [moment] = talk?.pivots ?? []
    expect(moment).toEqual({
      pivot: 'PIVOT_1',
      turn: 4,
      question: 'Which?',
      choices: [],
      again: expect.anything(),
      ...answer,
    })
    const line = talk?.transcript.find(({ id }) => id === `say-${moment?.said?.turn}`)
    expect(line?.text).toBe(moment?.said?.text)
  })

  const byOrder = (a: string, b: string) => placeOf(a) - placeOf(b)
  const placeOf = (npc: string) => scenario.npcs.findIndex(({ id }) => id === npc)
})

describe('the result', () => {
  it('[debrief-16] holds names and numbers, and no words of the learner except the nickname', () => {
    const run = decided([{ fact: 'gate', at: 20 }], ['gate'])
    expect(resultOf(scenario, debriefed(run), playsOf([]))).toEqual({
      run: 'ctx_run',
      scenario: 'launch-decision',
      title: 'The launch decision',
      version: 1,
      nickname: 'Ada',
      class: 'Mondays',
      again: false,
      option: 'hold-back-medical',
      optionTitle: 'Ship on Thursday, with medical questions going to the nurse line',
      verdict: 'right',
      facts: { deciding: deciding.length, heard: 1, cited: 1 },
      objectives: { met: 1, of: 4 },
      startedAt: 1,
      decidedAt: 100,
    })
  })

  it('[debrief-16] does not change with what is heard and met after the decision', () => {
    const early = [{ fact: 'gate', at: 20 }]
    const late = simulation.facts.map(({ id }) => ({ fact: id, at: id === 'gate' ? 20 : 101 }))
    const met = (earnedAt: Record<string, number>) =>
      playsOf(late).map((play) => ({ ...play, endedAt: 102, earned: [objectiveOf(play.npc)], earnedAt }))
    const CITES_GATE = { option: 'hold-back-medical', reason: 'Because.', evidence: ['gate'], at: 100 }
    const result = (plays: RunRecord['plays']) => resultOf(scenario, debriefed(runOf(plays, CITES_GATE)), plays)
    const before = result(playsOf(early).map((play) => ({ ...play, endedAt: null, earned: [], earnedAt: {} })))
    const at = (time: number) => Object.fromEntries(scenario.npcs.map(({ goal }) => [goal.objective, time]))
    expect(before).toMatchObject({ facts: { heard: 1, cited: 1 }, objectives: { met: 0, of: 4 } })
    expect(result(met(at(101)))).toEqual(before)
    // In an older run, no time is stored for an objective. The debrief then uses the time at which the conversation
    // ended.
    expect(result(met({}))).toEqual(before)
    expect(result(met(at(100))).objectives).toEqual({ met: 4, of: 4 })
  })

  it('[debrief-19] names its run, and tells whether that began again from another', () => {
    const again = { ...decided([], []), again: { npc: 'maya', pivot: 'PIVOT_1' } }
    expect(resultOf(scenario, debriefed(again), [])).toMatchObject({ run: 'ctx_run', again: true })
  })

  const objectiveOf = (npc: string) => scenario.npcs.find(({ id }) => id === npc)?.goal.objective ?? ''
})

function turn(number: number, text: string): NewEvent {
  return { type: 'turn-start', turn: number, attempt: 1, cid: `c${number}`, text }
}

function end(about: Partial<Extract<NewEvent, { type: 'pivot-end' }>>): NewEvent {
  return { type: 'pivot-end', turn: 4, pivot: 'PIVOT_1', level: 'neutral', choice: null, ...about }
}

function picked(id: string) {
  return { cid: 'c', id, text: 'A', reaction: '', effect: 'E' }
}
