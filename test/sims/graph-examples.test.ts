import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'

const PAGE = readFileSync(new URL('../../docs/reference/graphs.md', import.meta.url), 'utf8')
const [least = '', larger = '', walked = ''] = [...PAGE.matchAll(/^```yaml\n(.*?)^```/gms)].map(
  ([, block = '']) => block,
)

const EMERGENCY = `id: emergency
version: 1
name: Emergency
description: They may lose their home this week. It hears by when.
states:
  stabilise:
    type: action
    objective: Hear by when they have to be out
    actions: [Ask by which day they have to be out, Ask whether they have it in writing]
    intra_state_navigation_guidelines: [The day first, The letter next, Then back]
    exit_conditions:
      - { description: They named the day, next_state: done }
      - { description: They want to stop, next_state: done, safety: true }
  done:
    type: action
    objective: Close
    actions: [Say that the day is written down]
new_user_initial_state: stabilise
returning_user_initial_state: stabilise
terminal_state: done
`

describe('the examples of docs/reference/graphs.md', () => {
  it.each([
    ['the least there can be', least, ['G027']],
    ['the larger one', larger, []],
  ])('[document-32] %s is read, has no finding of more than a warning, and is proved', (_, text, codes) => {
    const document = read(text)
    const library = [document, read(EMERGENCY)]
    expect(lintDocument(document, { library, npc: null }).map(({ code }) => code)).toEqual(codes)
    const linked = link(document, { library, scenario: null, npc: null })
    expect(linked.ok && verifyGraph(linked.graph).findings).toEqual([])
  })

  it('[document-32] has lines for states of the larger one, as many as there are actions and exits to choose', () => {
    const { states } = read(larger)
    const { rehearsal } = parse(walked) as { rehearsal: { states: Record<string, { actions?: []; exits?: [] }> } }
    for (const [name, lines] of Object.entries(rehearsal.states)) {
      const state = [...states, ...read(EMERGENCY).states].find((one) => one.name === name.replace(/^.*\./, ''))
      expect(state?.name).toBe(name.replace(/^.*\./, ''))
      if (state?.type !== 'action') continue
      expect(lines.actions).toHaveLength(state.actions.length)
      expect(lines.exits?.length ?? 0).toBeLessThanOrEqual(state.exits.filter(({ isGuarded }) => !isGuarded).length)
    }
  })
})

function read(text: string): GraphDocument {
  const reading = readGraph(text, 'docs/reference/graphs.md')
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  return reading.document
}
