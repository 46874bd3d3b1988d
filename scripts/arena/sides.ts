import { readFile } from 'node:fs/promises'
import { readBackbone } from '../../sims/authoring/read-backbone.ts'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import { backboneOf, type GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Side } from './play-talk.ts'

/** What the arena compares the deployed graphs with. `legacy` is the count-based engine. */
export type Against =
  | { readonly kind: 'legacy' }
  /** A version of the context graph with the id `graph`. If `graph` is null, this version of every context graph. */
  | { readonly kind: 'version'; readonly graph: string | null; readonly version: number }
  | { readonly kind: 'backbone'; readonly backbone: Backbone }

/**
 * Reads what `--against` names: `legacy`, a version of a context graph (`2`, `one-to-one@2`), or a backbone's file.
 *
 * @throws RangeError if it names none of them
 */
export async function readAgainst(text: string): Promise<Against> {
  if (text === 'legacy') return { kind: 'legacy' }
  const version = versionIn(text)
  if (version) return { kind: 'version', ...version }
  if (!/\.ya?ml$/.test(text))
    throw new RangeError(
      `--against ${text} is no side. Give it legacy, a version of a context graph (2, or one-to-one@2), or the file of another version of a backbone.`,
    )
  const content = await readFile(text, 'utf8').catch(() => null)
  if (content === null) throw new RangeError(`--against ${text}: there is no such file.`)
  const read = readBackbone(content, text)
  if (read.ok) return { kind: 'backbone', backbone: read.backbone }
  const [finding] = read.findings
  throw new RangeError(`--against ${text} is no sound backbone: ${finding?.message ?? ''}`)
}

/** Reads a version of one context graph (`one-to-one@2`) or of all (`2`); null if the text is neither. */
export function versionIn(text: string): { readonly graph: string | null; readonly version: number } | null {
  const [, graph = null, version] = /^(?:([a-z0-9-]+)@)?([1-9]\d{0,8})$/.exec(text) ?? []
  return version === undefined ? null : { graph, version: Number(version) }
}

/** Returns the side of the deployed graphs and, unless `against` is null, the side to compare it with. */
export function sidesOf(library: GraphLibrary, against: Against | null): readonly Side[] {
  const deployed: Side = { name: 'graph', engine: 'graph', library, npcOf: (_, npc) => npc }
  return against === null ? [deployed] : [deployed, otherSide(library, against)]
}

function otherSide(library: GraphLibrary, against: Against): Side {
  if (against.kind === 'legacy') return { name: 'legacy', engine: 'legacy', library, npcOf: (_, npc) => npc }
  if (against.kind === 'version') {
    const { graph, version } = against
    return {
      name: `${graph ?? ''}@${version}`,
      engine: 'graph',
      library,
      npcOf: (_, npc) => otherVersion(library, npc, graph, version),
    }
  }
  const { backbone } = against
  return {
    name: `${backbone.id}@${backbone.version}`,
    engine: 'graph',
    library: { ...library, backbones: [backbone, ...library.backbones.filter(({ id }) => id !== backbone.id)] },
    npcOf: (scenario: Scenario, npc) => (backboneOf(scenario, npc, library.backbones)?.id === backbone.id ? npc : null),
  }
}

function otherVersion({ documents }: GraphLibrary, npc: Npc, graph: string | null, version: number): Npc | null {
  const { walk } = npc
  if (typeof walk === 'string' || (graph !== null && walk.graph !== graph)) return null
  const isThere = documents.some((document) => document.id === walk.graph && document.version === version)
  return isThere ? { ...npc, walk: { graph: walk.graph, version } } : null
}
