import { expect, it } from 'vitest'
import { earnedOptions } from '../../../sims/game/library/stand.ts'
import { runInLarkfield } from '../../support/game-views.ts'

it('[game-17] an option that was earned names the colleagues whose words opened it', () => {
  const run = runInLarkfield()
  const [fact] = run.facts
  if (!fact) throw new Error('nothing was heard')
  const options = [
    { id: 'now', title: 'Now' },
    { id: 'part', title: 'A part of it', opened: [fact.id, 'never-heard'] },
  ]
  expect(earnedOptions({ ...run, options }, (npc) => npc)).toEqual([
    { id: 'part', title: 'A part of it', names: [fact.npc] },
  ])
  expect(earnedOptions({ ...run, options: options.slice(0, 1) }, (npc) => npc)).toEqual([])
})
