import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readBackbone } from '../../sims/authoring/read-backbone.ts'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../sims/backbones')

function shipped(name: string): Backbone {
  const file = `${name}.yaml`
  const read = readBackbone(readFileSync(path.join(FOLDER, file), 'utf8'), file)
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return read.backbone
}

/** The backbones that the service is deployed with. */
export const SHIPPED_BACKBONES = ['technical', 'academic', 'expert', 'guide'].map(shipped)

/** The backbones that the service is deployed with, but without an opening line: the learner speaks first. */
export const [TECHNICAL, ACADEMIC, EXPERT, GUIDE] = SHIPPED_BACKBONES.map(withoutOpening) as [
  Backbone,
  Backbone,
  Backbone,
  Backbone,
]
export const BACKBONES: readonly Backbone[] = [TECHNICAL, ACADEMIC, EXPERT, GUIDE]

function withoutOpening({ opening: _, ...backbone }: Backbone): Backbone {
  return backbone
}

/** A library for tests. It contains the deployed backbones and no context graphs. */
export const SHIPPED_LIBRARY: GraphLibrary = { backbones: SHIPPED_BACKBONES, documents: [] }
