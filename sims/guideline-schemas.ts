import * as z from 'zod'
import type { BehaviorSet } from '../worker/core/graph/behavior.ts'
import type { Boundary } from '../worker/core/graph/guidelines.ts'
import { name } from './graph-names.ts'
import { list, text } from './shapes.ts'

export function guidelines() {
  return list(text()).default([])
}

/** A boundary as a sentence, or with the mark that no behavior takes it away (B0-12). */
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
  return list(boundary).default([])
}

/** Instructions for what its author foresaw, with 1 to 50 triggers (S0-3). */
export function behaviors(): z.ZodType<readonly BehaviorSet[]> {
  const triggers = list(text()).check(
    z.minLength(1, 'needs 1 to 50 triggers'),
    z.maxLength(50, 'needs 1 to 50 triggers'),
  )
  const behavior = z
    .strictObject({
      id: name(),
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
  return list(behavior).default([])
}
