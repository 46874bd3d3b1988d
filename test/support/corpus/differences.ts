import { newer as secondVersion } from '../versioned-graphs.ts'
import { isDeepStrictEqual } from 'node:util'
import { pointerTo } from '../../../worker/core/graph/finding.ts'
import type { Graph } from '../../../worker/core/graph/graph.ts'
import type { Walk } from '../../../worker/core/walk/walk.ts'
import { edited } from '../graph-document.ts'
import type {
  CorpusCase,
  DocumentCase,
  GraphCase,
  GuidelinesCase,
  PromptCase,
  ReportCase,
  TakeOverCase,
  Then,
  WalkCase,
} from './case.ts'
import type { Implementation } from './implementation.ts'
import { beginCase, observed, playAct, type Played } from './play-walk.ts'
import { castOf, graphOf, makeGraph, sourceOf } from './subject.ts'

/** Plays a case and compares the outcome with what the case expects. Returns one message for each difference. */
export function differences(by: Implementation, played: CorpusCase): readonly string[] {
  switch (played.kind) {
    case 'walk':
      return inWalk(by, played)
    case 'graph':
      return inGraph(by, played)
    case 'document':
      return inDocument(by, played)
    case 'take-over':
      return inTakeOver(by, played)
    case 'guidelines':
      return inGuidelines(by, played)
    case 'prompt':
      return inPrompt(by, played)
    case 'report':
      return inReport(by, played)
  }
}

function inWalk(by: Implementation, played: WalkCase): readonly string[] {
  const graph = graphOf(by, played)
  let walk = beginCase(by, graph, played.from ?? {})
  return played.acts.flatMap((act, index) => {
    const next = playAct(by, graph, walk, act)
    walk = next.walk
    return inAct(act.then ?? {}, next).map((text) => `act ${index + 1}: ${text}`)
  })
}

function inAct({ walk, traced = [], untraced = [], ...then }: Then, played: Played): readonly string[] {
  const seen = observed(played)
  return [
    ...unlike('walk.', walk ?? {}, played.walk),
    ...unlike('', then, seen),
    ...traced.filter((type) => !seen.types.includes(type)).map((type) => `${type} is not traced`),
    ...untraced.filter((type) => seen.types.includes(type)).map((type) => `${type} is traced`),
  ]
}

function inGraph(by: Implementation, played: GraphCase): readonly string[] {
  const { ok, findings = [], without = [], order, nodes = {}, exits = {}, maps = {} } = played.then
  const made = makeGraph(by, played)
  const found = made.findings.map(({ code, severity, at }) => [code, severity, at])
  const said = [
    ...unlike('', { ok }, made),
    ...findings
      .filter((finding) => !found.some((other) => isDeepStrictEqual(other, finding)))
      .map((finding) => `${finding.join(' ')} is not among ${JSON.stringify(found)}`),
    ...without.filter((code) => found.some(([other]) => other === code)).map((code) => `${code} is found`),
  ]
  if (!made.ok) return said
  const { graph } = made
  return [
    ...said,
    ...(order ? unlike('', { order }, graph) : []),
    ...Object.entries(nodes).flatMap(([id, node]) => unlike(`${id}.`, node, graph.nodes[id] ?? {})),
    ...Object.entries(exits).flatMap(([id, ways]) => {
      const taken = graph.nodes[id]?.exits.map(({ to, returnTo }) => [to, returnTo])
      return unlike(`${id}.`, { exits: ways }, { exits: taken })
    }),
    ...Object.entries(maps).flatMap(([id, lines]) =>
      unlike(`${id}.`, { map: lines }, { map: graph.modules[id]?.topology.trimEnd().split('\n') }),
    ),
  ]
}

function inDocument(by: Implementation, played: DocumentCase): readonly string[] {
  const { document } = sourceOf(played) as { document: unknown }
  const read = by.parse(document)
  if ('problems' in played.then) {
    const paths = read.ok ? [] : read.findings.map(({ at }) => at)
    return unlike('', { problems: played.then.problems.map((path) => pointerTo(...path)) }, { problems: paths })
  }
  const again = by.parse(edited(document, played.then.same))
  if (!read.ok || !again.ok) return ['it cannot be read']
  return unlike('', { document: read.document }, again)
}

function inTakeOver(by: Implementation, played: TakeOverCase): readonly string[] {
  const graph = graphOf(by, played)
  const changed = graphOf(by, { graph: played.graph, change: [...(played.change ?? []), ...played.newer] })
  const newer = played.migration ? secondVersion(changed, played.migration) : changed
  const walk = walkedTo(by, graph, played.acts)
  const result = by.takeOver(walk, newer)
  const { hash } = result.outcome === 'moved' ? result.walk.graph : walk.graph
  const isPinnedTo = hash === graph.hash ? 'older' : hash === newer.hash ? 'newer' : 'neither'
  return [
    ...(graph.hash === newer.hash ? ['the newer graph is the older one'] : []),
    ...unlike('', played.then, { ...result, isPinnedTo }),
  ]
}

function inGuidelines(by: Implementation, played: GuidelinesCase): readonly string[] {
  const graph = graphOf(by, played)
  const node = graph.nodes[played.node]
  if (node?.kind !== 'speak' && node?.kind !== 'pivot' && node?.kind !== 'decide') return ['nobody is guided there']
  const { behavior } = played
  const begun = by.begin('graph', graph)
  const walk: Walk = { ...begun, behavior: behavior === null ? null : { activation: 'first', behavior, quiet: 0 } }
  const { navigation, action, boundary } = by.guidelines(graph, node, walk)
  return unlike('', played.then, { navigation, action, boundary: boundary.map(({ text }) => text) })
}

function inPrompt(by: Implementation, played: PromptCase): readonly string[] {
  const graph = graphOf(by, played)
  const last = played.acts.length - 1
  const walk = walkedTo(by, graph, played.acts.slice(0, last), played.from)
  const brief = playAct(by, graph, walk, played.acts[last] ?? {}).effects.find((effect) => effect.type === 'brief')
  if (brief?.type !== 'brief') return ['nobody is briefed']
  const { system, user } = by.brief({
    ...castOf(played),
    modules: graph.modules,
    node: brief.node,
    history: [],
    said: [],
    relationship: walk.relationship,
    learner: 'And what about that?',
    separator: '---END---',
  })
  const { then } = played
  return [
    ...Object.entries(then.system ?? {}).flatMap(([text, times]) => unlikeCount('system', system, text, times)),
    ...Object.entries(then.user ?? {}).flatMap(([text, times]) => unlikeCount('user', user, text, times)),
    ...Object.entries(then.listed ?? {}).flatMap(([heading, lines]) =>
      unlike(`${heading} `, { lists: lines }, { lists: listedUnder(user, heading) }),
    ),
  ]
}

function inReport(by: Implementation, { text, then }: ReportCase): readonly string[] {
  const read = by.readReport(text)
  return [...unlike('', { quality: then.quality }, read), ...unlike('report.', then.report, read.report)]
}

function walkedTo(by: Implementation, graph: Graph, acts: WalkCase['acts'], from: WalkCase['from'] = {}): Walk {
  return acts.reduce((walk, act) => playAct(by, graph, walk, act).walk, beginCase(by, graph, from))
}

/**
 * Compares the values of the keys that `wanted` has with the values in `seen`. Returns a message for each key with
 * another value.
 */
function unlike(prefix: string, wanted: object, seen: object): readonly string[] {
  return Object.entries(wanted).flatMap(([key, value]: [string, unknown]) => {
    const other: unknown = Reflect.get(seen, key)
    return isDeepStrictEqual(other, value)
      ? []
      : [`${prefix}${key} is ${JSON.stringify(other)}, not ${JSON.stringify(value)}`]
  })
}

function unlikeCount(prompt: string, text: string, part: string, times: number): readonly string[] {
  const count = text.split(part).length - 1
  return count === times ? [] : [`"${part}" stands ${count} times in the ${prompt} prompt, not ${times}`]
}

function listedUnder(text: string, heading: string): readonly string[] {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith(heading)) + 1
  if (first === 0) return []
  const after = lines.slice(first)
  const end = after.findIndex((line) => !line.startsWith('  • '))
  return after.slice(0, end < 0 ? after.length : end).map((line) => line.slice(4))
}
