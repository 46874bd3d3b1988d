import { expect, it } from 'vitest'
import { quotesOf } from '../../../sims/game/quotes.ts'

it('[page-40] facts that were told by the same words are one quotation', () => {
  const fact = (id: string, said: string, npc = 'maya', turn: number | null = 1) => ({ id, said, npc, turn, at: 1 })
  const facts = [fact('a', 'Two nurses stay.'), fact('b', 'It costs $6.'), fact('c', 'Two nurses stay.')]
  expect(quotesOf(facts).map(({ fact: { id }, others }) => [id, others.map((each) => each.id)])).toEqual([
    ['a', ['c']],
    ['b', []],
  ])
  expect(quotesOf([fact('a', 'Yes.'), fact('b', 'Yes.', 'ines'), fact('c', 'Yes.', 'maya', null)])).toHaveLength(3)
  expect(quotesOf([])).toEqual([])
  // Words within longer words of the same colleague stand with the longer ones.
  const longer = fact('d', 'Two nurses stay. They go at ten.')
  expect(quotesOf([...facts, longer]).map(({ fact: { id }, others }) => [id, others.map((each) => each.id)])).toEqual([
    ['d', ['a', 'c']],
    ['b', []],
  ])
})
