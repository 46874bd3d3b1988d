import { parseArgs } from 'node:util'
import { drawMermaid } from '../worker/core/graph/map/mermaid.ts'
import { topologyOf } from '../worker/core/graph/map/topology.ts'
import { fail } from './fail.ts'
import { checkFile } from '../sims/authoring/check-file.ts'
import { countsOf, formatFinding, isSound } from '../sims/authoring/finding.ts'
import { fileNamed, openFile } from '../sims/authoring/open-file.ts'
import { type GraphProof, pathLines, prove } from '../sims/authoring/prove.ts'
import { openPicture } from './graph/picture.ts'

const HELP = `Checks and draws context graphs and scenarios.

  npm run graph -- check FILE… [--fix]
  npm run graph -- draw FILE [--open] [--npc ID] [--path STATE,STATE,…]
  npm run graph -- paths FILE [--npc ID]
  npm run graph -- topology FILE

  check      everything that is found, with its place; and of what is sound, that every conversation ends, and when
  draw       a Mermaid flowchart, or with --open a picture in your browser
  paths      the shortest and the longest conversation, move by move
  topology   the map that an actor is told

  --fix      makes the changes that are safe to make unasked, in the file
  --open     shows the picture in your browser
  --npc      the colleague whose conversation is meant, in a scenario that has several
  --path     states a conversation went through, to be marked in the drawing

FILE is a file, the id of a simulation (open-day), or the id and version of a graph in sims/graphs (week-three@1).
A graph refers to the graphs in its folder; a scenario's colleagues walk those in its folder or in graphs beside it.`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      fix: { type: 'boolean' },
      npc: { type: 'string' },
      path: { type: 'string' },
      open: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command, ...named] = positionals
  if (values.help) return console.log(HELP)
  const files = await Promise.all(named.map(async (name) => fileNamed(name, 'sims')))
  const [file] = files
  if (command === undefined || file === undefined) return fail(HELP)
  if (command === 'check') return check(files, values.fix === true)
  if (files.length > 1) return fail(`${command} takes one file.`)
  const walked = values.path?.split(',').map((state) => state.trim()) ?? []
  if (command === 'draw') return draw(file, { npc: values.npc, path: walked, opens: values.open === true })
  if (command === 'paths') return paths(file, values.npc)
  if (command === 'topology') return topology(file)
  fail(`There is no "${command}".\n\n${HELP}`)
}

async function check(files: readonly string[], fix: boolean): Promise<void> {
  const findings = []
  for (const file of files) {
    // The files are checked one after the other, because a fix in one file can change the findings of the next file.
    const checked = await checkFile(file, { fix })
    for (const line of checked.lines) console.log(line)
    findings.push(...checked.findings)
  }
  console.log(`\n${countsOf(findings)}`)
  if (!isSound(findings)) process.exitCode = 1
}

async function draw(
  file: string,
  { npc, path, opens }: { npc: string | undefined; path: readonly string[]; opens: boolean },
): Promise<void> {
  const chosen = await choose(file, npc)
  if (!chosen?.graph) return
  const { name, graph } = chosen
  const unknown = path.filter((state) => !Object.hasOwn(graph.nodes, state))
  if (unknown.length > 0) console.error(`${file}  has no state ${unknown.join(', ')}`)
  if (opens) return console.log(openPicture(name, graph, path))
  process.stdout.write(drawMermaid(graph, path))
  // The remark goes to the error stream, so that the output stays a drawing that can be piped.
  console.error('\nThis is Mermaid, which GitHub and many editors draw. --open shows the picture in your browser.')
}

async function paths(file: string, npc: string | undefined): Promise<void> {
  const chosen = await choose(file, npc)
  if (!chosen) return
  const { graph, proof } = chosen
  if (!graph || !proof) return fail(chosen.findings.map(formatFinding).join('\n'))
  for (const line of pathLines('shortest', proof.shortest, graph)) console.log(line)
  console.log()
  for (const line of pathLines('longest', proof.longest, graph)) console.log(line)
}

async function topology(file: string): Promise<void> {
  const source = await openFile(file)
  if (source.kind === 'unreadable') return fail(source.findings.map(formatFinding).join('\n'))
  if (source.kind === 'scenario') return fail(`${file}  is a scenario; a topology is drawn of a context graph.`)
  process.stdout.write(topologyOf(source.document, source.library))
}

/** Returns the graph to show. If there is no such graph, prints the reason and returns undefined. */
async function choose(file: string, npc: string | undefined): Promise<GraphProof | undefined> {
  const source = await openFile(file)
  if (source.kind === 'unreadable') return fail(source.findings.map(formatFinding).join('\n'))
  const graphs = prove(source)
  const meant = npc === undefined || source.kind === 'graph' ? graphs : graphs.filter(({ name }) => name === npc)
  const [only, ...more] = meant
  if (!only || more.length > 0) {
    return fail(`${file}  has ${graphs.map(({ name }) => name).join(', ')}. Say which with --npc.`)
  }
  if (!only.graph) return fail(only.findings.map(formatFinding).join('\n'))
  return only
}

try {
  await main()
} catch (error) {
  // An error with a code comes from a wrong option, or from a file that can't be written. Its message tells what to do.
  if (!(error instanceof Error) || !('code' in error)) throw error
  fail(error.message)
}
