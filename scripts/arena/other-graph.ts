import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openFile, scenarioFiles, scenarioIds } from '../../sims/authoring/open-file.ts'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { readBackbone } from '../../sims/authoring/read-backbone.ts'
import { readYaml } from '../../sims/authoring/read-yaml.ts'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { backboneOf, graphFor, type GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Recorded } from './recorded.ts'
import { versionIn } from './sides.ts'

/** The graph that a recorded conversation is walked through, or why there is none. */
type OtherGraph = { readonly ok: true; readonly graph: Graph } | { readonly ok: false; readonly why: string }

type Conversation = Pick<Recorded, 'scenario' | 'npc' | 'seed'>

interface Shipped {
  readonly scenario: Scenario
  readonly library: GraphLibrary
}

/**
 * Returns the function that finds the other graph of a conversation.
 *
 * @param against a version of the colleagues' graphs (`2`, `one-to-one@2`), or the file of a backbone or a scenario; if
 * missing, the other graph is the one that the files in `folder` give for the conversation's scenario and colleague
 *
 * @param folder the folder of the simulations
 *
 * @throws if `against` is a file that can't be read; the message says what is wrong with the file
 */
export async function otherGraphs(
  against: string | undefined,
  folder: string,
): Promise<(of: Conversation) => Promise<OtherGraph>> {
  if (against === 'legacy')
    throw new RangeError('The count-based engine has no nodes to compare. Name a version or a file with --against.')
  const opened = new Map<string, Promise<Shipped | null>>()
  const shipped = async (id: string): Promise<Shipped | null> => {
    const files = await scenarioFiles(folder)
    // Most folders are named after the id of their simulation. If no folder has this name, all simulations are read to
    // find the id.
    const named = files.find((file) => path.basename(path.dirname(file)) === id)
    const file = named ?? (await scenarioIds(folder)).find((each) => each.id === id)?.file
    return file === undefined ? null : readSimulation(file)
  }
  const lookUp = async (id: string) => {
    const known = opened.get(id) ?? shipped(id)
    opened.set(id, known)
    return known
  }
  const version = versionIn(against ?? '')
  const given = against === undefined || version ? null : await readAgainst(against)

  return async (of) => {
    const found = given?.kind === 'scenario' ? given : await lookUp(of.scenario)
    if (!found) return { ok: false, why: `${folder} has no ${of.scenario}; name its file with --against` }
    const npc = found.scenario.npcs.find(({ id }) => id === of.npc)
    if (found.scenario.id !== of.scenario || !npc)
      return { ok: false, why: `${found.scenario.id} has no conversation with ${of.scenario}/${of.npc}` }
    if (given?.kind === 'backbone') return onBackbone(given.backbone, found, npc, of.seed)
    if (!version) return made(found, npc, of.seed)
    return ofVersion(version, found, npc, of.seed)
  }
}

/** @throws if the file is unreadable or has findings */
async function readAgainst(
  file: string,
): Promise<({ kind: 'scenario' } & Shipped) | { kind: 'backbone'; backbone: Backbone }> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) throw new RangeError(`--against is a version or a file, and there is no file ${file}.`)
  const yaml = readYaml(text, file)
  if (yaml.ok && typeof yaml.value === 'object' && yaml.value !== null && 'nodes' in yaml.value) {
    const read = readBackbone(text, file)
    if (!read.ok) throw new RangeError(read.findings.map(formatFinding).join('\n'))
    return { kind: 'backbone', backbone: read.backbone }
  }
  return { kind: 'scenario', ...(await readSimulation(file)) }
}

async function readSimulation(file: string): Promise<Shipped> {
  const source = await openFile(file)
  if (source.kind === 'unreadable') throw new RangeError(source.findings.map(formatFinding).join('\n'))
  if (source.kind === 'graph') throw new RangeError(`${file} is a context graph. Name the scenario that has it.`)
  return source
}

function onBackbone(backbone: Backbone, { scenario, library }: Shipped, npc: Npc, seed: number): OtherGraph {
  const present = backboneOf(scenario, npc, library.backbones)
  if (present?.id !== backbone.id) return { ok: false, why: `${npc.id} does not walk the backbone ${backbone.id}` }
  const backbones = library.backbones.map((each) => (each.id === backbone.id ? backbone : each))
  return made({ scenario, library: { ...library, backbones } }, npc, seed)
}

/**
 * Makes the given version of the colleague's graph. If `graph` is set and is not the id of the graph that the colleague
 * walks, returns the reason why there is no graph.
 */
function ofVersion(
  { graph, version }: NonNullable<ReturnType<typeof versionIn>>,
  { scenario, library }: Shipped,
  npc: Npc,
  seed: number,
): OtherGraph {
  const backbone = backboneOf(scenario, npc, library.backbones)
  const walked = typeof npc.walk === 'string' ? backbone?.id : npc.walk.graph
  if (graph !== null && graph !== walked) return { ok: false, why: `${npc.id} does not walk ${graph}` }
  if (typeof npc.walk !== 'string') return made({ scenario, library }, { ...npc, walk: { ...npc.walk, version } }, seed)
  if (backbone?.version === version) return made({ scenario, library }, npc, seed)
  const has = backbone ? `only version ${backbone.version} of ${backbone.id}` : 'no such backbone'
  return { ok: false, why: `the checkout has ${has}; name the file of another with --against` }
}

function made({ scenario, library }: Shipped, npc: Npc, seed: number): OtherGraph {
  const bound = graphFor(scenario, npc, library, seed)
  if (bound.ok) return bound
  const first = bound.findings.find(({ severity }) => severity === 'error')
  return { ok: false, why: `the other graph can't be made: ${first?.code} ${first?.message}` }
}
