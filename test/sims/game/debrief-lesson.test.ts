import { describe, expect, it } from 'vitest'
import { adviceOf, practiceOf, turningFact } from '../../../sims/game/debrief/lesson.ts'
import { nextSimulation } from '../../../sims/game/library/stand.ts'
import type { Locale } from '../../../sims/game/texts/locale.ts'
import type { DebriefView, DecidingFact, SimulationCard } from '../../../worker/wire/run.ts'
import { launchCard, launchDebrief } from '../../support/game-debrief.ts'

type Verdict = DebriefView['ending']['verdict']

/** Returns the launch's debrief with these states of its facts, in their order, and an ending that names all of them. */
function debrief(verdict: Verdict, ...states: DecidingFact['state'][]): DebriefView {
  const told = launchDebrief()
  const facts = told.facts.map((fact, index) => ({ ...fact, state: states[index] ?? 'cited' }))
  return { ...told, facts, ending: { ...told.ending, verdict, facts: facts.map(({ id }) => id) } }
}

describe('the fact that mattered', () => {
  it('[after-18] is the first that was not used, or what the right decision rests on', () => {
    const of = (told: DebriefView) => turningFact(told)?.id
    expect(of(debrief('wrong', 'cited', 'ignored', 'missed'))).toBe('ceiling')
    expect(of(debrief('wrong'))).toBe('medical-rate')
    expect(of(debrief('right', 'missed', 'ignored', 'cited'))).toBe('credit')
    expect(of(debrief('right', 'missed', 'missed', 'missed', 'missed', 'missed'))).toBe('medical-rate')
    expect(turningFact({ ...debrief('wrong'), facts: [] })).toBeNull()
  })
})

describe('the advice', () => {
  it.each([
    ['wrong', ['ignored', 'missed'], { kind: 'use', npc: 'maya' }],
    ['wrong', ['cited', 'cited', 'missed'], { kind: 'ask', npc: 'marcus' }],
    ['defensible', ['cited', 'cited', 'cited', 'cited', 'missed'], { kind: 'meet', npc: 'ines' }],
    ['wrong', [], { kind: 'weigh' }],
    ['right', ['cited', 'cited', 'ignored', 'missed'], { kind: 'ask', npc: 'marcus' }],
    ['right', ['cited', 'cited', 'ignored'], { kind: 'use', npc: 'marcus' }],
    ['right', ['cited', 'cited', 'ignored', 'ignored', 'ignored'], { kind: 'use', npc: 'marcus' }],
  ] as const)('[after-18] after a %s decision with facts %s is %o', (verdict, states, advice) => {
    expect(adviceOf(debrief(verdict, ...states))).toMatchObject(advice)
  })

  it('[after-18] after the right decision on all facts is the conversation whose objective is open, if there is one', () => {
    const told = debrief('right')
    const met = told.run.objectives.map((objective) => ({ ...objective, state: 'met' as const }))
    expect(adviceOf(told)).toEqual({ kind: 'finish', npc: 'marcus' })
    expect(adviceOf({ ...told, run: { ...told.run, objectives: met } })).toEqual({ kind: 'vary' })
  })

  it('[after-18] names a fact that was heard and not used, and none that was not heard', () => {
    const told = debrief('right', 'cited', 'cited', 'ignored')
    expect(adviceOf(told)).toHaveProperty('text', told.facts[2]?.text)
    expect(adviceOf(debrief('right', 'cited', 'cited', 'missed'))).not.toHaveProperty('text')
  })

  it('[after-18] after the right decision names who has what the ending wanted', () => {
    const told = debrief('right')
    const wanting = (heard: string | null) => ({
      ...told,
      ending: { ...told.ending, wanting: { npc: 'maya', heard, text: 'It fell.' } },
    })
    expect(adviceOf(wanting('Ice melts.'))).toEqual({
      kind: 'mind',
      npc: 'maya',
      text: 'It fell.',
      heard: 'Ice melts.',
    })
    expect(adviceOf(wanting(null))).toEqual({ kind: 'find', npc: 'maya', text: 'It fell.' })
  })

  it('[after-18] names the next simulation in the library’s order that was not begun', () => {
    const card = (id: string, tier: 'TECHNICAL' | 'ACADEMIC' | 'EXPERT') => ({ ...launchCard(), id, tier })
    const cards = [card('hard', 'EXPERT'), card('easy', 'TECHNICAL'), card('medium', 'ACADEMIC')]
    const next = (scenario: string, ...begun: string[]) =>
      nextSimulation(
        'en',
        cards,
        scenario,
        begun.map((each) => ({ scenario: each })),
      )?.id
    expect(next('easy', 'easy')).toBe('medium')
    expect(next('easy', 'easy', 'medium')).toBe('hard')
    expect(next('medium', 'medium')).toBe('easy')
    expect(next('hard', 'hard')).toBe('easy')
    expect(next('hard', 'hard', 'easy')).toBe('medium')
    expect(next('hard', 'easy', 'medium', 'hard')).toBeUndefined()
    expect(next('gone')).toBe('easy')
  })

  it('[after-18] names only simulations that the library offers in the page’s language, and no translation of one begun', () => {
    const card = (id: string, language: string, translates: string | null = null) =>
      ({ ...launchCard(), id, language, translates }) satisfies SimulationCard
    const cards = [card('night', 'en'), card('noche', 'es', 'night'), card('launch', 'en'), card('cita', 'es-MX')]
    const next = (locale: Locale, scenario: string, ...begun: string[]) =>
      nextSimulation(
        locale,
        cards,
        scenario,
        begun.map((each) => ({ scenario: each })),
      )?.id
    expect(next('en', 'launch', 'launch')).toBe('night')
    expect(next('en', 'launch', 'launch', 'noche')).toBeUndefined()
    expect(next('es', 'launch', 'launch')).toBe('noche')
    expect(next('es', 'launch', 'launch', 'night')).toBe('cita')
    expect(next('es', 'night', 'night', 'cita')).toBe('launch')
  })
})

describe('the skills', () => {
  it('[after-3] have the facts that show them, and what the learner did with these', () => {
    const groups = practiceOf(debrief('wrong', 'cited', 'ignored', 'missed', 'missed', 'missed'))
    expect(groups.map(({ title, facts, state }) => [title, facts.map(({ id }) => id), state])).toEqual([
      ['Reading what an average hides', ['medical-rate'], 'shown'],
      ['Weighing a clause against a figure', ['ceiling', 'phasing'], 'partly'],
      [null, ['credit', 'gate'], 'open'],
    ])
  })
})
