import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { topologyOf } from '../../worker/core/graph/map/topology.ts'
import { parseTopology, type Topology } from '../../worker/core/graph/map/topology-parse.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { graphDocument } from '../support/graph-fixtures.ts'

const library = ['medical-check-in@1', 'therapy-session@1', 'safety-plan@1'].map(graphDocument)
const completed = [
  ['medical', graphDocument('medical-check-in@1')],
  ['therapy', graphDocument('therapy-session@1')],
] as const

describe('a published topology, completed', () => {
  it.each(completed)(
    '[document-29] of the %s kind holds every line that was listed, as it was listed',
    (name, document) => {
      const derived = new Set(linesIn(topologyOf(document, library)))
      const listed = linesIn(published(name))
      expect(listed.length).toBeGreaterThan(5)
      expect(listed.filter((line) => !derived.has(line))).toEqual([])
    },
  )

  it.each(completed)(
    '[document-29] of the %s kind has those lines in the states they were listed under',
    (name, document) => {
      const derived = parsed(topologyOf(document, library))
      for (const state of parsed(published(name)).states.filter(({ isDescribed }) => isDescribed)) {
        const own = derived.states.find((one) => one.name === state.name)
        expect(own?.type).toBe(state.type)
        // The exits that the source document lists must come first, in the document's order. More exits may follow
        // where the document ends its list with "...".
        expect(own?.exits.slice(0, state.exits.length)).toEqual(state.exits)
      }
    },
  )

  it.each(completed)('[document-29] of the %s kind lints without an error, links and proves', (_, document) => {
    expect(errorsOf(document)).toEqual([])
    const linked = link(document, { library, scenario: null, npc: null })
    if (!linked.ok) throw new Error('not linked')
    expect(verifyGraph(linked.graph).findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('[document-29] begins and ends the medical check-in where the source does', () => {
    const { newUser, returningUser, terminal } = parsed(published('medical'))
    const own = parsed(topologyOf(graphDocument('medical-check-in@1')))
    expect([newUser, returningUser, terminal]).toEqual([own.newUser, own.returningUser, own.terminal])
  })

  it('[document-29] has the exit of the therapy state that was shown from inside', () => {
    const derived = topologyOf(graphDocument('therapy-session@1'), library)
    expect(derived).toContain('(Have gathered sufficient additional information) -> [R] reflection_risk_stratification')
  })
})

function published(name: string): string {
  return readFileSync(new URL(`../fixtures/topology/${name}.txt`, import.meta.url), 'utf8')
}

function linesIn(topology: string): readonly string[] {
  return topology
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '...')
}

function parsed(text: string): Topology {
  const reading = parseTopology(text)
  if (!reading.ok) throw new Error(reading.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return reading.topology
}

function errorsOf(document: GraphDocument) {
  return lintDocument(document, { library, npc: null }).filter(({ severity }) => severity === 'error')
}
