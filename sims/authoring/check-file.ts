import { hasLines, needsModel, type Scenario } from '../../worker/core/scenario/scenario.ts'
import { amountOf, type FileFinding, formatFinding, linesWithAdvice, ofWholeFile } from './finding.ts'
import { fixFile } from './fix-file.ts'
import { type AuthoredFile, openFile } from './open-file.ts'
import { type GraphProof, lengthOf, prove } from './prove.ts'

export interface Checked {
  readonly lines: readonly string[]
  readonly findings: readonly FileFinding[]
}

/** The most rounds of fixing. A fix can reveal another finding, which the next round fixes. */
const ROUNDS = 5

/**
 * Checks one file. Returns all findings, and for each graph without errors a line about its shortest and longest path.
 */
export async function checkFile(file: string, { fix }: { fix: boolean }): Promise<Checked> {
  const fixed = fix ? await fixInRounds(file) : []
  const source = await openFile(file)
  const graphs = source.kind === 'unreadable' ? [] : prove(source)
  const findings = source.kind === 'unreadable' ? source.findings : graphs.flatMap((graph) => graph.findings)
  return {
    findings,
    lines: [
      ...fixed.map((what) => `${file}  fixed ${what}`),
      ...findings.map(formatFinding),
      ...unreadLines(file, source, findings),
      ...graphs.flatMap((graph) => proofLine(file, graph)),
    ],
  }
}

async function fixInRounds(file: string): Promise<readonly string[]> {
  const done: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const source = await openFile(file)
    const some = source.kind === 'graph' ? await fixFile(source) : []
    if (some.length === 0) break
    done.push(...some)
  }
  return done
}

/**
 * Returns a line for each unreadable file in the same folder, if the checked file refers to a graph that was not found:
 * an unreadable file may contain that graph.
 */
function unreadLines(file: string, source: AuthoredFile, findings: readonly FileFinding[]): readonly string[] {
  if (source.kind === 'unreadable' || !findings.some(({ code }) => code === 'G002')) return []
  return source.unread.map((name) => `${file}  beside it, ${name} cannot be read, and nothing can refer to it`)
}

function proofLine(file: string, { name, proof }: GraphProof): readonly string[] {
  if (!proof) return []
  const { states, shortest, longest } = proof
  return [
    `${file}  ${name} is sound: ${states} situations, shortest ${lengthOf(shortest)}, longest ${lengthOf(longest)}`,
  ]
}

export interface CheckedScenario {
  readonly file: string
  /** The id of the graph or scenario; null if the file could not be read. */
  readonly id: string | null
  readonly isSound: boolean
  readonly lines: readonly string[]
}

/**
 * Checks one scenario file. Returns all findings with positions and advice. For a scenario without errors, also returns
 * what the checks proved about its graphs.
 */
export async function checkScenario(file: string): Promise<CheckedScenario> {
  const source = await openFile(file)
  if (source.kind === 'graph') {
    const finding = ofWholeFile(file, 'is a context graph; npm run graph -- check looks at those')
    return { file, id: null, isSound: false, lines: linesWithAdvice(finding) }
  }
  if (source.kind === 'unreadable')
    return { file, id: null, isSound: false, lines: source.findings.flatMap(linesWithAdvice) }
  const graphs = prove(source)
  const findings = graphs.flatMap((graph) => graph.findings)
  const isSound = findings.every(({ severity }) => severity !== 'error')
  const lines = findings.filter(({ severity }) => severity !== 'info').flatMap(linesWithAdvice)
  const { scenario } = source
  return { file, id: scenario.id, isSound, lines: isSound ? [...lines, ...summary(file, scenario, graphs)] : lines }
}

function summary(file: string, scenario: Scenario, graphs: readonly GraphProof[]): readonly string[] {
  const { npcs, simulation } = scenario
  const facts = simulation?.facts ?? []
  const nodes = graphs.reduce((sum, { graph }) => sum + (graph?.order.length ?? 0), 0)
  const deciding = facts.filter((fact) => fact.deciding).length
  const wide = Math.max(...npcs.map(({ id }) => id.length))
  return [
    `${file}  ${scenario.id} is sound: ${amountOf(npcs.length, 'person', 'people')}, ${nodes} nodes, ${
      simulation ? `${amountOf(facts.length, 'fact')}, ${deciding} of them deciding` : 'no decision to be played to'
    }`,
    ...graphs.flatMap(({ name, graph, proof }) => {
      if (!graph || !proof) return []
      const held = facts.filter(({ npc }) => npc === name).map(({ id }) => id)
      const proved = `${amountOf(graph.order.length, 'node')}, shortest ${lengthOf(proof.shortest)}, longest ${lengthOf(proof.longest)}`
      return [`    ${name.padEnd(wide)}  ${proved}${held.length > 0 ? `; tells ${held.join(', ')}` : ''}`]
    }),
    ...(needsModel(scenario) ? [modelLine(scenario)] : []),
  ]
}

function modelLine({ id, npcs }: Scenario): string {
  const silent = npcs.filter((npc) => !hasLines(npc)).map((npc) => npc.id)
  return `    needs a language model: there are no rehearsal lines for ${silent.join(', ')} (npm run sim -- draft ${id})`
}
