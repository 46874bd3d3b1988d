import * as z from 'zod'
import type { ToolSpec } from '../../worker/core/assistant/tools.ts'
import { itemsOf, text } from './shapes.ts'

const NAME = /^[a-z][a-z0-9_]{1,40}$/

/** The tools that an agent of an assistant, or a context graph, declares. */
export function tools() {
  return itemsOf(tool())
}

function tool() {
  const field = z.strictObject({ type: z.enum(['text', 'number', 'boolean']).default('text'), is: text() })
  return z
    .strictObject({
      name: z.string().regex(NAME, 'is no name of a tool: lower case letters, digits, underscores'),
      title: text().optional(),
      does: text(),
      takes: text(),
      fields: z
        .record(z.string().regex(NAME, 'is no name of a field: lower case letters, digits, underscores'), field)
        .readonly()
        .optional(),
      effect: z.enum(['reads', 'writes']),
      runs: z.enum(['page', 'deployment']).default('page'),
      cost: text().nullable().default(null),
      permission: z.boolean().default(true),
      safety: z.enum(['low', 'medium', 'high']).default('medium'),
    })
    .refine(({ effect, permission }) => effect === 'reads' || permission, {
      error: 'changes something, so it needs permission',
    })
    .transform(({ permission, title, fields, ...written }): ToolSpec => ({
      ...written,
      ...(title !== undefined && { title }),
      ...(fields && { fields }),
      needsPermission: permission,
    }))
}
