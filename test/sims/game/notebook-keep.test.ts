import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, sourcesOf } from '../../../sims/game/notebook/entries.ts'
import {
  documentMark,
  factMark,
  figureMark,
  forgetNotebook,
  keptNotebook,
  markSeen,
  readKept,
  toggled,
  toggleRing,
  writeKept,
} from '../../../sims/game/notebook/kept-notebook.ts'
import { calledName, peopleOf } from '../../../sims/game/people.ts'
import { wordsOf } from '../../../sims/game/notebook/search.ts'
import { textKeeper } from '../../../sims/game/text-keeper.ts'
import { hrefOf, readRoute } from '../../../sims/game/route.ts'
import type { Route } from '../../../sims/game/route.ts'
import { cardOfLarkfield, runInLarkfield } from '../../support/game-views.ts'

const run = runInLarkfield()
const people = peopleOf(cardOfLarkfield())
const nameOf = (npc: string) => people(npc).name
const shown = (question: string, npc: string | null = null) => {
  const { objectives, facts, documents } = entriesOf(run, { words: wordsOf(question), npc }, nameOf)
  return {
    objectives: objectives.map(({ id }) => id),
    facts: facts.map(({ id }) => id),
    documents: documents.map((document) => document.npc),
  }
}

describe('what of a notebook is shown', () => {
  it('[page-40] is everything at first: objectives, facts in the order they were heard, and documents', () => {
    expect(shown('')).toEqual({
      objectives: run.objectives.map(({ id }) => id),
      facts: run.facts.map(({ id }) => id),
      documents: run.documents.map(({ npc }) => npc),
    })
  })

  it('[page-46] is each entry that holds every word of the search, in its text or in its source’s name', () => {
    expect(shown('medical maya')).toEqual({
      objectives: [],
      facts: ['medical-rate', 'ceiling', 'full-medical-run'],
      documents: ['maya'],
    })
    expect(shown('nobody says this')).toEqual({ objectives: [], facts: [], documents: [] })
  })

  it('[page-48] is everything from one colleague, among those with an entry', () => {
    expect(sourcesOf(run)).toEqual(['maya', 'marcus', 'ines'])
    expect(shown('', 'marcus')).toEqual({ objectives: ['read-the-contract'], facts: ['credit'], documents: ['marcus'] })
    expect(shown('medical', 'ines')).toEqual({ objectives: [], facts: [], documents: ['ines'] })
    expect(sourcesOf({ ...run, facts: [], documents: [] })).toEqual([])
  })
})

describe('what this browser keeps of a notebook', () => {
  it('[page-45] every fact and document is new until it was seen', () => {
    const seen = (id = run.id) => [...keptNotebook(id).seen]
    expect(seen()).toEqual([])
    markSeen(run.id, [factMark('ceiling'), documentMark('maya')])
    expect(seen()).toEqual(['fact ceiling', 'document maya'])
    expect(seen('ctx_another')).toEqual([])
    forgetNotebook(run.id)
    expect(seen()).toEqual([])
  })

  it('[page-45] a ring is drawn and rubbed out again, each by itself', () => {
    toggleRing(run.id, figureMark('maya', 0, 1))
    toggleRing(run.id, figureMark('maya', 1, 0))
    toggleRing(run.id, figureMark('maya', 0, 1))
    expect([...keptNotebook(run.id).circled]).toEqual([figureMark('maya', 1, 0)])
    forgetNotebook(run.id)
  })

  it('[page-45] is read as it was written', () => {
    const set = fc.array(fc.string()).map((words) => new Set(words))
    fc.assert(
      fc.property(set, set, fc.string(), (seen, circled, note) => {
        expect(readKept(writeKept({ seen, circled, note }))).toEqual({ seen, circled, note })
      }),
    )
  })

  it('[page-45] drawing a ring twice removes it', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (words, word) => {
        const set = new Set(words)
        expect(toggled(toggled(set, word), word)).toEqual(set)
        expect(toggled(set, word).has(word)).toBe(!set.has(word))
      }),
    )
  })

  it('[page-45] any other stored text counts as empty', () => {
    const nothing = { seen: new Set(), circled: new Set(), note: '' }
    for (const text of [null, '', '{', 'null', '7', '[]', '{"seen":7,"circled":{}}', '{"seen":[1,null,{}]}'])
      expect(readKept(text)).toEqual(nothing)
    fc.assert(
      fc.property(fc.json(), (text) => {
        for (const kept of Object.values(readKept(text)) as ReadonlySet<unknown>[])
          for (const word of kept) expect(word).toBeTypeOf('string')
      }),
    )
  })

  it('[page-45] where storage is denied, the page remembers by itself', () => {
    const keeper = textKeeper('name|', () => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(keeper.read('ctx_a')).toBeNull()
    keeper.write('ctx_a', 'one')
    expect([keeper.read('ctx_a'), keeper.read('ctx_b')]).toEqual(['one', null])
    keeper.forget('ctx_a')
    expect(keeper.read('ctx_a')).toBeNull()
  })

  it('[page-45] [page-57] with full storage, the last text is read, and not the last one that fitted', () => {
    const stored = new Map<string, string>()
    let isFull = false
    const keeper = textKeeper('name|', () => ({
      getItem: (name) => stored.get(name) ?? null,
      setItem(name, text) {
        if (isFull) throw new DOMException('full', 'QuotaExceededError')
        stored.set(name, text)
      },
      removeItem: (name) => void stored.delete(name),
    }))
    keeper.write('ctx_a', 'Half a thought')
    isFull = true
    keeper.write('ctx_a', 'Half a thought, and more')
    expect(keeper.read('ctx_a')).toBe('Half a thought, and more')
    isFull = false
    keeper.write('ctx_a', 'Whole')
    stored.set('name|ctx_a', 'From another tab')
    expect(keeper.read('ctx_a')).toBe('From another tab')
  })
})

it('a colleague goes by their first name, one with a title by their whole one, a stranger by their id', () => {
  const person = (name: string) => ({ id: 'x', name, role: '', hue: 0 })
  expect(['Maya Patel', 'Otto', 'Dr. Obi', 'Prof Ruth Halloran'].map((name) => calledName(person(name)))).toEqual([
    'Maya',
    'Otto',
    'Dr. Obi',
    'Prof Ruth Halloran',
  ])
  expect(peopleOf(null)('maya').name).toBe('Maya')
})

describe('addresses within the notebook and the decision', () => {
  const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
  const route: fc.Arbitrary<Route> = fc.oneof(
    fc.record({ screen: fc.constant('notebook' as const), run: fc.constant('ctx_a'), document: id }),
    fc.record({ screen: fc.constant('notebook' as const), run: fc.constant('ctx_a'), fact: id }),
    fc.constant({ screen: 'notebook', run: 'ctx_a' } as const),
    fc.constant({ screen: 'decide', run: 'ctx_a', look: true } as const),
    fc.constant({ screen: 'decide', run: 'ctx_a' } as const),
  )

  it('[page-49] [page-61] lead back to where they were made', () => {
    fc.assert(
      fc.property(route, (given) => {
        expect(readRoute(hrefOf(given))).toEqual(given)
      }),
    )
  })

  it('[page-49] [page-61] that name nothing lead to the notebook and to the form', () => {
    for (const rest of ['', '/', '/document', '/document/', '/page/maya'])
      expect(readRoute(`#/run/ctx_a/notebook${rest}`)).toEqual({ screen: 'notebook', run: 'ctx_a' })
    expect(readRoute('#/run/ctx_a/decide/now')).toEqual({ screen: 'decide', run: 'ctx_a' })
  })
})
