import { createFactory } from 'hono/factory'
import { findClass } from '../../chain/classes/join-class.ts'
import { ownScope } from '../../chain/runs/own-scope.ts'
import type { ClassInvitation } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { refused } from '../errors.ts'
import { unknownClass } from './refuse-class.ts'

const factory = createFactory<DoorEnv>()

/** `GET /api/classes/<code>`: what a learner sees of a class before they join it. */
export const showInvitation = factory.createHandlers(async (c) => {
  const chain = await ownScope(c.env, c.var.config.trust)
  if (chain === null) return refused(c, 'not-found')
  const found = await findClass(chain, c.req.param('code') ?? '')
  if (found === null) return unknownClass(c)
  const { title, scenario } = found
  return c.json({ title, scenario } satisfies ClassInvitation)
})
