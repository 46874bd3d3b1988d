import * as z from 'zod'
import type { Guard } from '../worker/core/graph/guard.ts'
import { name } from './graph-names.ts'
import { list } from './shapes.ts'

/** A condition as an author writes it: `relationship: cooperative`, `satisfied: state`, `all`, `any`, `not`. */
export const guardSchema: z.ZodType<Guard> = z
  .strictObject({
    relationship: z.enum(['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']).optional(),
    satisfied: name().optional(),
    all: z.lazy(() => list(guardSchema)).optional(),
    any: z.lazy(() => list(guardSchema)).optional(),
    not: z.lazy(() => guardSchema).optional(),
  })
  .transform((written, context): Guard => {
    const guards = guardsIn(written)
    const [only] = guards
    if (only && guards.length === 1) return only
    context.addIssue('is no condition: give exactly one of relationship, satisfied, all, any and not')
    return z.NEVER
  })

interface Written {
  readonly relationship?: Extract<Guard, { relationship: unknown }>['relationship']['atLeast'] | undefined
  readonly satisfied?: string | undefined
  readonly all?: readonly Guard[] | undefined
  readonly any?: readonly Guard[] | undefined
  readonly not?: Guard | undefined
}

function guardsIn({ relationship, satisfied, all, any, not }: Written): readonly Guard[] {
  return [
    ...(relationship === undefined ? [] : [{ relationship: { atLeast: relationship } }]),
    ...(satisfied === undefined ? [] : [{ satisfied }]),
    ...(all === undefined ? [] : [{ all }]),
    ...(any === undefined ? [] : [{ any }]),
    ...(not === undefined ? [] : [{ not }]),
  ]
}
