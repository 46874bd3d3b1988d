import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { openSource } from '../graph/open-source.ts'
import { prove, type Proved } from '../graph/prove.ts'
import type { PlacedFinding } from '../graph/report.ts'
import { lengthOf } from '../graph/show-paths.ts'
import { whatToDo } from './what-to-do.ts'

export interface CheckedScenario {
  readonly file: string
  /** Null while the file has findings that keep it from being read. */
  readonly id: string | null
  readonly isSound: boolean
  readonly lines: readonly string[]
}

/** Checks one file: everything that is found, each with its place and what to do; and of what is sound, what was proved. */
export async function checkScenario(file: string): Promise<CheckedScenario> {
  const source = await openSource(file)
  if (source.kind === 'graph') {
    const text = `${file}:1:1 (the whole file)  is a context graph; npm run graph -- check looks at those`
    return { file, id: null, isSound: false, lines: [text] }
  }
  if (source.kind === 'unreadable')
    return { file, id: null, isSound: false, lines: source.findings.flatMap(findingLines) }
  const graphs = prove(source)
  const findings = graphs.flatMap((graph) => graph.findings)
  const isSound = findings.every(({ severity }) => severity !== 'error')
  const lines = findings.filter(({ severity }) => severity !== 'info').flatMap(findingLines)
  const { scenario } = source
  return { file, id: scenario.id, isSound, lines: isSound ? [...lines, ...summary(file, scenario, graphs)] : lines }
}

/** `sims/x/scenario.yaml:12:7 /npcs/0/next/npc  nobody here is called "bob"`, and below it what to do. */
function findingLines({ file, line, column, severity, code, at, message }: PlacedFinding): readonly string[] {
  const what = code === 'form' ? '' : `${severity} ${code} `
  const advice = whatToDo(message)
  return [`${file}:${line}:${column} ${what}${at === '' ? '/' : at}  ${message}`, ...(advice ? [`    ${advice}`] : [])]
}

function summary(file: string, scenario: Scenario, graphs: readonly Proved[]): readonly string[] {
  const { npcs, simulation } = scenario
  const facts = simulation?.facts ?? []
  const nodes = graphs.reduce((sum, { graph }) => sum + (graph?.order.length ?? 0), 0)
  const deciding = facts.filter((fact) => fact.deciding).length
  const wide = Math.max(...npcs.map(({ id }) => id.length))
  return [
    `${file}  ${scenario.id} is sound: ${count(npcs.length, 'person', 'people')}, ${nodes} nodes, ${
      simulation
        ? `${count(facts.length, 'fact', 'facts')}, ${deciding} of them deciding`
        : 'no decision to be played to'
    }`,
    ...graphs.flatMap(({ name, graph, proof }) => {
      if (!graph || !proof) return []
      const held = facts.filter(({ npc }) => npc === name).map(({ id }) => id)
      const proved = `${count(graph.order.length, 'node', 'nodes')}, shortest ${lengthOf(proof.shortest)}, longest ${lengthOf(proof.longest)}`
      return [`    ${name.padEnd(wide)}  ${proved}${held.length > 0 ? `; tells ${held.join(', ')}` : ''}`]
    }),
  ]
}

function count(n: number, one: string, more: string): string {
  return `${n} ${n === 1 ? one : more}`
}
