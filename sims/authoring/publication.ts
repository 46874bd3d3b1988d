import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { type Finding, pointerTo } from '../../worker/core/graph/finding.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { readAssistant } from './assistant-schema.ts'
import { checkData } from './check-data.ts'
import { formError } from './finding.ts'
import { parseBackbone } from './parse-backbone.ts'
import { parseGraph } from './parse-graph.ts'
import { checkPlainData, hasKeys } from './plain-data.ts'

/**
 * A scenario on its way to a running server: the data of the author's files. A server without the files checks all of
 * it again.
 */
export interface PublicationData {
  readonly scenario: unknown
  /** The backbones and context graphs that the scenario's colleagues may walk. */
  readonly backbones: readonly unknown[]
  readonly graphs: readonly unknown[]
}

type PublicationReading =
  | { readonly ok: true; readonly scenario: Scenario; readonly library: GraphLibrary }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** The most backbones, and the most graphs, of one publication. */
const MOST_GRAPHS = 100

/**
 * Checks a publication as `npm run sim -- check` checks files, and proves every graph. Returns all findings. Each points
 * into the data: `/scenario/npcs/0`, `/graphs/1/states/greet`. Never throws.
 */
export function readPublication(data: unknown): PublicationReading {
  const strange = checkPlainData(data)
  if (strange.length > 0) return { ok: false, findings: strange }
  if (!hasKeys(data) || !hasKeys(data['scenario']) || !isList(data['backbones']) || !isList(data['graphs']))
    return { ok: false, findings: [formError([], 'is not { scenario, backbones: […], graphs: […] }')] }
  const backbones = data['backbones'].map(parseBackbone)
  const graphs = data['graphs'].map(parseGraph)
  const unread = [
    ...backbones.flatMap((read, at) => (read.ok ? [] : under('backbones', at, read.findings))),
    ...graphs.flatMap((read, at) => (read.ok ? [] : under('graphs', at, read.findings))),
  ]
  if (unread.length > 0) return { ok: false, findings: unread }
  const library: GraphLibrary = {
    backbones: backbones.flatMap((read) => (read.ok ? [read.backbone] : [])),
    documents: graphs.flatMap((read) => (read.ok ? [read.document] : [])),
  }
  const { scenario, findings } =
    'agents' in data['scenario'] ? checkAssistant(data['scenario'], library) : checkData(data['scenario'], library)
  if (scenario === null || findings.length > 0)
    return { ok: false, findings: findings.map((each) => ({ ...each, at: `/scenario${each.at}` })) }
  return { ok: true, scenario, library }
}

function checkAssistant(data: unknown, library: GraphLibrary): ReturnType<typeof checkData> {
  const read = readAssistant(data, library)
  return { scenario: read.ok ? read.scenario : null, findings: read.findings }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MOST_GRAPHS
}

function under(key: string, index: number, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => ({ ...each, at: pointerTo(key, index) + each.at }))
}
export { simulationCard } from './simulation-card.ts'
