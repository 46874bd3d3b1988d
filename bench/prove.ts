import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readGraphFiles } from '../scripts/build-scenarios.ts'
import { formatFinding } from '../sims/authoring/finding.ts'
import { readBackbones } from '../sims/authoring/read-backbone.ts'
import { readScenario } from '../sims/authoring/read-scenario.ts'
import { graphFor } from '../worker/core/graph/graph-for.ts'
import type { Instantiated } from '../worker/core/graph/backbones/instantiate.ts'
import { link } from '../worker/core/graph/document/link.ts'
import { verifyGraph } from '../worker/core/graph/proof/verify.ts'
import { step } from '../worker/core/walk/step.ts'

// Measures how long `verifyGraph` takes for every graph: that of each colleague in each scenario, and each context
// graph.

const root = join(import.meta.dirname, '..')
const { documents, findings: faults } = await readGraphFiles(root)
const { backbones, findings: others } = await readBackbones(join(root, 'sims/backbones'))
const library = { documents, backbones }
const findings = [...faults, ...others]
if (findings.length > 0) throw new Error(findings.map(formatFinding).join('\n'))

console.log(row('graph', ['nodes', 'situations', 'shortest', 'longest', 'findings', 'ms']))
for (const file of readdirSync(join(root, 'sims')).map((name) => `sims/${name}/scenario.yaml`)) {
  if (!existsSync(join(root, file))) continue
  const reading = readScenario(readFileSync(join(root, file), 'utf8'), file, library)
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  const { scenario } = reading
  for (const npc of scenario.npcs) prove(`${scenario.id}/${npc.id}`, graphFor(scenario, npc, library))
}
for (const document of documents)
  prove(`${document.id}@${document.version}`, link(document, { library: documents, scenario: null, npc: null }))

/**
 * Verifies a graph twice, the first time as a warm-up. Prints the results of the second verification and how long it
 * took.
 */
function prove(name: string, bound: Instantiated) {
  if (!bound.ok)
    throw new Error(`${name}: ${bound.findings.map(({ code, message }) => `${code} ${message}`).join(' ')}`)
  verifyGraph(bound.graph, step)
  const from = performance.now()
  const proof = verifyGraph(bound.graph, step)
  const ms = performance.now() - from
  const { states, shortest, longest } = proof
  const cells = [
    bound.graph.order.length,
    states,
    shortest.exchanges,
    longest.exchanges,
    proof.findings.length,
    ms.toFixed(1),
  ]
  console.log(row(name, cells.map(String)))
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(36) + cells.map((cell) => cell.padStart(11)).join('')
}
