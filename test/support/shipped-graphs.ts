import { SHIPPED_BACKBONES } from './backbones.ts'
import { readFileSync } from 'node:fs'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'

/** A shipped scenario, a colleague whose conversation follows a context graph, and that graph. */
export interface Shipped {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly graph: Graph
}

/** Every context graph of `sims/graphs`. */
export const SHIPPED_DOCUMENTS: readonly GraphDocument[] = ['one-to-one@1', 'steady@1', 'week-three@1'].map(document)

const LIBRARY = { backbones: SHIPPED_BACKBONES, documents: SHIPPED_DOCUMENTS }

export const oneToOne: Shipped = shipped('one-to-one')
export const weekThree: Shipped = shipped('week-three')

function document(name: string): GraphDocument {
  const file = `sims/graphs/${name}.yaml`
  const reading = readGraph(text(file), file)
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  return reading.document
}

function shipped(name: string): Shipped {
  const file = `sims/${name}/scenario.yaml`
  const reading = readScenario(text(file), file, LIBRARY)
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  const { scenario } = reading
  const npc = scenario.npcs.find(({ walk }) => typeof walk === 'object')
  if (!npc) throw new Error(`nobody in ${name} walks a context graph`)
  const bound = graphFor(scenario, npc, LIBRARY)
  if (!bound.ok) throw new Error(bound.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return { scenario, npc, graph: bound.graph }
}

function text(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
}
