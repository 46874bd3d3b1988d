import type { Finding } from '../../finding.ts'
import { canonical } from '../../hash.ts'
import { topologyOf } from '../../map/topology.ts'
import { parseTopology, type Topology, type TopologyTarget } from '../../map/topology-parse.ts'
import { found } from './found.ts'
import type { Subject } from './subject.ts'
import { asTyped } from './prose.ts'

/** Reports an author's map that cannot be parsed or differs from the graph (G030). */
export function lintMap({ document, graphs }: Subject): readonly Finding[] {
  if (document.topologyDescription === null) return []
  const at = '/topology_description'
  const drawn = topologyOf(document, [...graphs.values()])
  const supplied = parseTopology(document.topologyDescription)
  const fix = { at, remove: true } as const
  if (!supplied.ok) {
    const [first] = supplied.problems
    return [
      found('G030', at, `Can not be read: line ${first?.line}: ${first?.message} Leave it out; it is derived.`, fix),
    ]
  }
  const derived = parseTopology(drawn)
  if (derived.ok && shown(supplied.topology) === shown(derived.topology)) return []
  return [found('G030', at, 'Shows another graph than this. Leave it out; it is derived.', fix)]
}

/**
 * Returns the content of a map as text, so that two maps can be compared. The text does not depend on the order of the
 * states. Three things are left out: the letters of called states, exits of a state to itself, and typographic
 * characters. `--fix` repairs the last two of these.
 */
function shown({ newUser, returningUser, terminal, states, hasMore }: Topology): string {
  const own = states.filter(({ isDescribed }) => isDescribed)
  const exits = own.map(({ name, type, exits, hasMore: more }): [string, unknown] => [
    name,
    {
      type,
      more,
      exits: exits
        .map(({ condition, to }) => ({ condition: condition && asTyped(condition), to: place(to) }))
        .filter(({ to }) => to !== name),
    },
  ])
  return canonical({ newUser, returningUser, terminal, hasMore, states: Object.fromEntries(exits) })
}

function place(to: TopologyTarget): string {
  return 'state' in to ? to.state : `${to.call} [returns to ${to.returnTo}]`
}
