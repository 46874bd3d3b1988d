import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'
import { applyFixes } from '../../worker/core/graph/document/apply-fixes.ts'
import { type Finding, hasErrors } from '../../worker/core/graph/finding.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { SEVERITY } from '../../worker/core/graph/document/lints/found.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { anyDocument, OTHER } from '../support/any-document.ts'
import { baseData, defectLibrary } from '../support/graph-document.ts'
import { graphData, graphDocument } from '../support/graph-fixtures.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { mutated } from '../support/mutate-json.ts'
import { runs } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const library = [...defectLibrary(), ...['check-in@1', 'check-in@2'].map(graphDocument)]
const [visit, coaching, checkIn] = [baseData(), graphData('coaching@2'), graphData('check-in@2')]

/**
 * The documents to mutate. The largest graph, `coaching`, is in the list only once, because its check takes the
 * longest.
 */
const anyData = fc.constantFrom(visit, visit, visit, checkIn, checkIn, checkIn, coaching)

describe('documents that went wrong anywhere', () => {
  it.runIf(IS_LONG)(
    '[lint-5] they come to problems, to findings or to a graph that is proved, and never throw',
    () => {
      const came = { problems: 0, findings: 0, graph: 0 }
      fc.assert(
        fc.property(anyMutations, anyData, fc.boolean(), (mutations, data, isBound) => {
          came[comesTo(mutations.reduce(mutated, data), isBound)] += 1
        }),
        { numRuns: runs('usual') },
      )
      // Each of the three results must have occurred often. Otherwise the test would not prove what its name says.
      expect(Math.min(...Object.values(came))).toBeGreaterThan(runs('usual') / 25)
    },
    600_000,
  )

  it('[lint-5] documents of every shape are linted without a throw', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const findings = lintDocument(document, { library: [OTHER], npc: sampleNpc })
        expect(findings.every(({ code, severity }) => code in SEVERITY && severity !== undefined)).toBe(true)
        expect(link(document, { library: [OTHER], npc: null, scenario: null }).ok).toBeDefined()
      }),
      { numRuns: runs('usual') },
    )
  })
})

function comesTo(data: unknown, isBound: boolean): 'problems' | 'findings' | 'graph' {
  const parsed = parseGraph(data)
  if (!parsed.ok) {
    expect(parsed.findings.length).toBeGreaterThan(0)
    return 'problems'
  }
  const npc = isBound ? sampleNpc : null
  const findings = lintDocument(parsed.document, { library, npc })
  checkFixes(data, findings, npc)
  const linked = link(parsed.document, { library, npc, scenario: isBound ? sampleScenario : null })
  expect(linked.ok).toBe(!hasErrors(linked.findings))
  if (hasErrors(findings)) expect(linked.ok).toBe(false)
  return linked.ok && !hasErrors(verifyGraph(linked.graph).findings) ? 'graph' : 'findings'
}

/**
 * Applies the fixes that the findings propose. Checks that the data still parses and has no more findings of any kind
 * than before.
 */
function checkFixes(data: unknown, findings: readonly Finding[], npc: Npc | null): void {
  const fixed = parseGraph(applyFixes(data, findings))
  if (!fixed.ok) throw new Error(fixed.findings.map(({ message }) => message).join('\n'))
  const left = lintDocument(fixed.document, { library, npc })
  expect(left.filter(({ fix }) => fix)).toEqual([])
  for (const { code } of left) expect(countOf(code, left)).toBeLessThanOrEqual(countOf(code, findings))
}

function countOf(code: string, findings: readonly Finding[]): number {
  return findings.filter((finding) => finding.code === code).length
}

const anyValue = fc.oneof(
  fc.constantFrom(null, true, 0, 1, -1, 2.5, 1e9, '', ' ', 'close_visit', 'scale.ask_for_number', '__proto__', [], {}),
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.record({ relationship: fc.constantFrom('hostile', 'trusting'), not: fc.jsonValue() }),
  fc.jsonValue({ maxDepth: 2 }),
)

const anyMutations = fc.array(
  fc.record({
    how: fc.constantFrom('delete', 'duplicate', 'swap', 'swap', 'swap', 'rename', 'retype'),
    place: fc.nat(),
    other: fc.nat(),
    value: anyValue,
  }),
  { minLength: 1, maxLength: 2 },
)
