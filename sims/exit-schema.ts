import * as z from 'zod'
import type { ExitDocument } from '../worker/core/graph/document/document.ts'
import { target } from './graph-names.ts'
import { guardSchema } from './guard-schema.ts'
import { list, text } from './shapes.ts'

/** The ways out of an action state or a decision. With a condition, or marked as guarded, one is the walker's. */
export function exits() {
  const exit = z
    .strictObject({
      description: text(),
      next_state: target(),
      safety: z.boolean().default(false),
      when: guardSchema.nullable().default(null),
      guarded: z.boolean().optional(),
    })
    .transform((written, context): ExitDocument => {
      const { description, next_state, safety, when, guarded } = written
      if (when !== null && guarded === false) {
        context.addIssue({
          code: 'custom',
          path: ['guarded'],
          message: 'is false, but an exit with a condition is guarded',
        })
      }
      const isGuarded = guarded ?? when !== null
      if (isGuarded && safety) {
        context.addIssue({
          code: 'custom',
          path: ['safety'],
          message: 'is for an exit that is chosen, not for a guarded one',
        })
      }
      return { description, nextState: next_state, isSafety: safety, when, isGuarded }
    })
  return list(exit).default([])
}
