import { describe, expect, it } from 'vitest'
import { standOf } from '../../../sims/game/library/stand.ts'
import { nextStepOf, stepAfter } from '../../../sims/game/next-step.ts'
import type { PersonState, RunView } from '../../../worker/wire/run.ts'

const person = (npc: string, status: PersonState['status'] = 'new', next: string | null = null): PersonState => ({
  npc,
  status,
  level: 'neutral',
  completion: status === 'over' ? 'earned' : null,
  next: next === null ? null : { npc: next, why: 'They know.' },
})
const decision = { option: 'a', reason: 'So.', evidence: [], at: 1 }
const step = (people: PersonState[], decided: RunView['decision'] = null) =>
  nextStepOf({ people, decision: decided }, 'otto')

describe('the next step', () => {
  it('[page-16] is the guide, until the scene is set or the learner has talked with somebody else', () => {
    expect(step([person('maya'), person('otto')])).toEqual({ kind: 'guide', npc: 'otto', first: 'maya' })
    // The page opens the guide's conversation by itself, next to the briefing. So the guide is the next step until this
    // conversation is over.
    expect(step([person('maya'), person('otto', 'talking')])).toEqual({ kind: 'guide', npc: 'otto', first: 'maya' })
    expect(step([person('maya'), person('otto', 'over')])).toEqual({ kind: 'new', npc: 'maya' })
    expect(step([person('maya'), { ...person('otto', 'talking'), hasSpoken: true }])).toEqual({
      kind: 'new',
      npc: 'maya',
    })
  })

  it('[page-16] is the colleague of an open conversation, before any new one', () => {
    expect(step([person('maya', 'over', 'ines'), person('marcus', 'talking'), person('ines'), person('otto')])).toEqual(
      {
        kind: 'talking',
        npc: 'marcus',
      },
    )
  })

  it('[page-16] is the colleague somebody sent the learner to, in their words', () => {
    expect(step([person('marcus'), person('maya', 'over', 'ines'), person('ines'), person('otto')])).toEqual({
      kind: 'sent',
      npc: 'ines',
      by: 'maya',
      why: 'They know.',
    })
  })

  it('[page-16] is the first new colleague if none was named, even if the guide is not finished', () => {
    expect(step([person('maya', 'over'), person('marcus'), person('otto', 'talking')])).toEqual({
      kind: 'new',
      npc: 'marcus',
    })
  })

  it('[page-16] is the decision that the guide takes, if a colleague sent the learner to the guide', () => {
    const told = { kind: 'tell', npc: 'otto' }
    expect(step([person('maya', 'over', 'otto'), person('otto', 'over', 'maya')])).toEqual(told)
    expect(step([person('maya', 'over', 'otto'), person('otto')])).toEqual(told)
    expect(step([person('maya', 'over', 'otto'), person('ines'), person('otto', 'over')])).toEqual({
      kind: 'new',
      npc: 'ines',
    })
  })

  it('[page-16] is the decision when all were talked to, and then the debrief', () => {
    expect(step([person('maya', 'over'), person('otto')])).toEqual({ kind: 'decide' })
    expect(step([person('maya'), person('otto')], decision)).toEqual({ kind: 'debrief' })
  })
})

describe('the end of a conversation', () => {
  const after = (to: string, ...people: PersonState[]) => stepAfter({ people, decision: null }, 'otto', 'ines', to)
  const [maya, otto] = [person('maya', 'over'), person('otto', 'over')]

  it('[page-17] leads to the colleague it names, new or left in the middle', () => {
    expect(after('maya', person('maya'), person('ines', 'talking'), otto)).toEqual({ kind: 'new', npc: 'maya' })
    expect(after('otto', person('maya'), person('ines', 'over'), person('otto', 'talking'))).toEqual({
      kind: 'talking',
      npc: 'otto',
    })
  })

  it('[page-17] skips a colleague whose conversation is over, before the run knows of the end', () => {
    expect(after('otto', maya, person('ines', 'talking'), person('marcus'), otto)).toEqual({
      kind: 'new',
      npc: 'marcus',
    })
    expect(after('nobody', maya, person('ines', 'over'), otto)).toEqual({ kind: 'decide' })
  })

  it('[page-17] leads to the decision, if the last colleague sends the learner to the guide', () => {
    const told = { kind: 'tell', npc: 'otto' }
    expect(after('otto', maya, person('ines', 'talking'), otto)).toEqual(told)
    expect(after('otto', maya, person('ines', 'talking'), person('otto', 'talking'))).toEqual(told)
  })

  it('[page-17] leads to the debrief once it is decided', () => {
    expect(stepAfter({ people: [maya, otto], decision }, 'otto', 'maya', 'otto')).toEqual({ kind: 'debrief' })
  })
})

const view = (given: Partial<RunView>): RunView => ({
  id: 'ctx_a',
  scenario: 'launch-decision',
  version: 1,
  startedAt: 1,
  nickname: null,
  class: null,
  again: null,
  people: [],
  objectives: [],
  facts: [],
  documents: [],
  decision: null,
  ...given,
})

describe('where a run stands', () => {
  it('[page-13] names the colleague in conversation, and the guide only while there was no other', () => {
    expect(standOf(null, 'otto')).toEqual({ kind: 'unknown' })
    expect(standOf(view({ people: [person('maya'), person('otto')] }), 'otto')).toEqual({ kind: 'begun' })
    expect(standOf(view({ people: [person('maya'), person('otto', 'talking')] }), 'otto')).toEqual({
      kind: 'with',
      npc: 'otto',
    })
    expect(standOf(view({ people: [person('maya', 'over'), person('otto', 'talking')] }), 'otto')).toEqual({
      kind: 'begun',
    })
    expect(standOf(view({ people: [person('maya', 'talking'), person('otto', 'talking')] }), 'otto')).toEqual({
      kind: 'with',
      npc: 'maya',
    })
    expect(standOf(view({ people: [person('maya', 'talking')], decision }), 'otto')).toEqual({ kind: 'decided' })
  })
})
