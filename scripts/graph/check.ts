import { fixFile } from './fix-file.ts'
import { openSource, type Source } from './open-source.ts'
import { prove, type Proved } from './prove.ts'
import { formatPlaced, type PlacedFinding } from './report.ts'
import { lengthOf } from './show-paths.ts'

export interface Checked {
  readonly lines: readonly string[]
  readonly findings: readonly PlacedFinding[]
}

/** A fix can bring another finding to light; this many rounds, and what is left is for the author. */
const ROUNDS = 5

/** Checks one file and says everything that is found, and the proof of each graph in it that is sound. */
export async function checkFile(file: string, { fix }: { fix: boolean }): Promise<Checked> {
  const fixed = fix ? await fixInRounds(file) : []
  const source = await openSource(file)
  const graphs = source.kind === 'unreadable' ? [] : prove(source)
  const findings = source.kind === 'unreadable' ? source.findings : graphs.flatMap((graph) => graph.findings)
  return {
    findings,
    lines: [
      ...fixed.map((what) => `${file}  fixed ${what}`),
      ...findings.map(formatPlaced),
      ...unreadLines(file, source, findings),
      ...graphs.flatMap((graph) => proofLine(file, graph)),
    ],
  }
}

async function fixInRounds(file: string): Promise<readonly string[]> {
  const done: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const source = await openSource(file)
    const some = source.kind === 'graph' ? await fixFile(source) : []
    if (some.length === 0) break
    done.push(...some)
  }
  return done
}

/** Where a graph is missing, a neighbour that cannot be read may be the one. */
function unreadLines(file: string, source: Source, findings: readonly PlacedFinding[]): readonly string[] {
  if (source.kind === 'unreadable' || !findings.some(({ code }) => code === 'G002')) return []
  return source.unread.map((name) => `${file}  beside it, ${name} cannot be read, and nothing can refer to it`)
}

function proofLine(file: string, { name, proof }: Proved): readonly string[] {
  if (!proof) return []
  const { states, shortest, longest } = proof
  return [
    `${file}  ${name} is sound: ${states} situations, shortest ${lengthOf(shortest)}, longest ${lengthOf(longest)}`,
  ]
}
