import { TECHNICAL } from '../support/backbones.ts'
import { describe, expect, it } from 'vitest'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import { corpusCases, corpusFile, rowOf } from '../support/corpus/case.ts'
import { differences } from '../support/corpus/differences.ts'
import { SERVED } from '../support/corpus/implementation.ts'
import { LITERAL_READINGS } from '../support/corpus/literal-readings.ts'

const ROWS = [...rows('walker', 25), ...rows('machine', 12)]

/**
 * The cases for which there is no literal reading, each with the reason. A literal reading is an implementation that
 * takes one sentence of the source documents word for word.
 */
const WITHOUT_A_READING: Readonly<Record<string, string>> = {
  'machine-2b': 'what a graph’s own end does is in no document otherwise',
}

describe('the corpus', () => {
  it('[corpus-1] has a case for every row, and one name for each case', () => {
    const ids = corpusCases.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...new Set(corpusCases.map(rowOf))].toSorted()).toEqual(ROWS.toSorted())
  })

  it('[corpus-2] binds a backbone with the nodes and the limits of the one that is served', () => {
    const { backbone } = corpusFile('technical') as { readonly backbone: Backbone }
    const { id, tier, entry, terminal, policy } = TECHNICAL
    // These three are no part of the source documents.
    const { exchangeLimit: _limit, forks: _forks, leaving: _leaving, ...kept } = policy
    expect(backbone).toMatchObject({ id, tier, entry, terminal, policy: kept })
    expect(backbone.nodes.map(limitsOf)).toEqual(TECHNICAL.nodes.map(limitsOf))
  })

  it.each(corpusCases)('[corpus-2] $id: $about', (each) => {
    expect(differences(SERVED, each)).toEqual([])
  })
})

describe('what the source documents say by the letter', () => {
  const read = corpusCases.flatMap((each) => {
    const by = LITERAL_READINGS[each.id]
    return by ? [{ id: each.id, each, by }] : []
  })

  it.each(read)('[corpus-3] does not come out as $id says', ({ each, by }) => {
    expect(differences(by, each)).not.toEqual([])
  })

  it('[corpus-3] there is a reading for every case, but for the exceptions', () => {
    const unread = corpusCases.map(({ id }) => id).filter((id) => !LITERAL_READINGS[id])
    expect(unread.toSorted()).toEqual(Object.keys(WITHOUT_A_READING).toSorted())
    expect(Object.keys(LITERAL_READINGS).toSorted()).toEqual(read.map(({ id }) => id).toSorted())
  })

  it('[corpus-3] every row has one', () => {
    expect([...new Set(read.map(rowOf))].toSorted()).toEqual(ROWS.toSorted())
  })
})

function rows(table: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${table}-${index + 1}`)
}

function limitsOf({ id, kind, minTurns, maxTurns, turnPerItem, isGate, whenEmpty, exits }: Backbone['nodes'][number]) {
  return { id, kind, minTurns, maxTurns, turnPerItem, isGate, whenEmpty, exits }
}
