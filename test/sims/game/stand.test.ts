import { expect, it } from 'vitest'
import { openersOf } from '../../../sims/game/library/stand.ts'
import { runInLarkfield } from '../../support/game-views.ts'

it('[game-17] an option that was earned names the colleagues whose words opened it', () => {
  const run = runInLarkfield()
  const [fact] = run.facts
  if (!fact) throw new Error('nothing was heard')
  const options = [
    { id: 'now', title: 'Now' },
    { id: 'part', title: 'A part of it', opened: [fact.id, 'never-heard'] },
  ]
  expect(openersOf({ ...run, options })).toEqual([fact.npc])
  expect(openersOf({ ...run, options: options.slice(0, 1) })).toEqual([])
})
