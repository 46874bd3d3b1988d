import * as z from 'zod'
import type { BehaviorSet, Boundary, Migration } from '../../worker/core/graph/graph.ts'
import { tools } from './tool-schema.ts'
import { contentName, nameText, itemsOf, slug, text, version } from './shapes.ts'

/**
 * The schema of a context graph's document without its states. `readStates` reads the states one by one, because a
 * document may contain them as an object or as a list. Unknown keys are findings, so that a misspelt key doesn't go
 * unnoticed.
 */
export const graphSchema = z.strictObject({
  service_hierarchical_state_machine_id: slug().optional(),
  id: slug().optional(),
  version: version(),
  name: text(),
  description: text(),
  states: z.unknown(),
  new_user_initial_state: nameText(),
  returning_user_initial_state: nameText(),
  terminal_state: nameText(),
  references: references(),
  global_intra_state_navigation_guidelines: guidelines(),
  global_action_guidelines: guidelines(),
  global_boundary_constraints: boundaries(),
  topology_description: text().nullable().default(null),
  behaviors: behaviors(),
  tools: tools().optional(),
  content: z.record(contentName(), itemsOf(text())).readonly().default({}),
  limits: z
    .strictObject({ stall: z.int().min(1).default(20), exchanges: z.int().min(1).max(100).default(80) })
    .prefault({}),
  speaks_at_return: z.boolean().default(false),
  allows_recursion: z.boolean().default(false),
  migrations: migrations(),
})

/**
 * The other graphs that this graph may call. Each key is the name that this graph uses for one other graph; the value
 * is that graph's `[id, version]`.
 */
function references() {
  const reference = z.tuple([slug(), version()], {
    error: 'is no reference: [id, version]',
  })
  return z
    .record(
      nameText(),
      reference.transform(([id, pinned]) => ({ id, version: pinned })),
    )
    .readonly()
    .default({})
}

/**
 * A map from old state names to new ones, so that walks that began in an older version of the graph can continue. A
 * state of another graph is written `id@version/state`.
 */
function migrations() {
  const place = z
    .string()
    .regex(/^(?:[a-z0-9-]+@\d+\/)?[A-Za-z0-9_-]{1,64}$/, 'names a state: state or id@version/state')
  const migration = z
    .strictObject({
      from: version(),
      states: z.record(place, place).readonly().default({}),
      unknown: z.enum(['fail', 'restart', 'nearest-ancestor']).default('fail'),
    })
    .transform(({ from, states, unknown }): Migration => ({ from, nodes: states, unknown }))
  return itemsOf(migration).default([])
}

export function guidelines() {
  return itemsOf(text()).default([])
}

/**
 * The schema of the boundaries: what the actor must not do. Each boundary is a sentence, or an object with the sentence
 * and `hard: true`, which means that no behavior removes the boundary.
 */
export function boundaries() {
  const boundary = z.union(
    [
      text().transform((words): Boundary => ({ text: words, isHard: false })),
      z
        .strictObject({ text: text(), hard: z.boolean().default(false) })
        .transform(({ text: words, hard }): Boundary => ({ text: words, isHard: hard })),
    ],
    { error: 'is neither a sentence nor { text, hard }' },
  )
  return itemsOf(boundary).default([])
}

function behaviors(): z.ZodType<readonly BehaviorSet[]> {
  const triggers = itemsOf(text()).check(
    z.minLength(1, 'needs 1 to 50 triggers'),
    z.maxLength(50, 'needs 1 to 50 triggers'),
  )
  const behavior = z
    .strictObject({
      id: nameText(),
      version: z.int().min(1),
      conversation_triggers: triggers,
      mode: z.enum(['merge', 'overwrite']),
      navigation_guidelines: guidelines(),
      action_guidelines: guidelines(),
      boundary_constraints: boundaries(),
    })
    .transform((written): BehaviorSet => ({
      id: written.id,
      version: written.version,
      triggers: written.conversation_triggers,
      mode: written.mode,
      guidelines: {
        navigation: written.navigation_guidelines,
        action: written.action_guidelines,
        boundary: written.boundary_constraints,
      },
    }))
  return itemsOf(behavior).default([])
}
