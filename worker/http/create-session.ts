import { bodyLimit } from 'hono/body-limit'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { scenarios } from '../../build/scenarios.ts'
import { readConfig } from '../env.ts'
import type { Bindings } from './bindings.ts'
import { errorBody } from './errors.ts'

const id = z.string().regex(/^[a-z0-9-]{1,64}$/)
const requestSchema = z.object({ scenario: id.optional(), npc: id.optional() })

const factory = createFactory<{ Bindings: Bindings }>()

/**
 * `POST /api/sessions {scenario?, npc?}`: begins a conversation and returns `201 {session, scenario, npc}`. Without a
 * scenario the first one is taken, without a colleague the scenario's first. The session's id is a 256-bit capability
 * made by the platform: whoever has it may take part, and it cannot be guessed or made up.
 */
export const createSession = factory.createHandlers(
  bodyLimit({
    maxSize: 4096,
    onError: (c) => c.json(errorBody('give-up', 'too-long', 'This request is too large.'), 413),
  }),
  async (c) => {
    // Read here as well, so that a deployment that cannot speak says so before a conversation is begun.
    readConfig({ ...c.env })
    const read = requestSchema.safeParse(await c.req.json().catch(() => null))
    if (!read.success)
      return c.json(errorBody('give-up', 'malformed', 'Send JSON with the ids of a scenario and a colleague.'), 400)
    const scenario = read.data.scenario ? scenarios.find((s) => s.id === read.data.scenario) : scenarios[0]
    if (!scenario) return c.json(errorBody('give-up', 'unknown-scenario', 'There is no such scenario.'), 404)
    const npc = read.data.npc ? scenario.npcs.find((n) => n.id === read.data.npc) : scenario.npcs[0]
    if (!npc) return c.json(errorBody('give-up', 'unknown-npc', 'The scenario has no such colleague.'), 404)

    const objectId = c.env.CONVERSATIONS.newUniqueId()
    const session = objectId.toString()
    const opening = { session, epoch: crypto.randomUUID(), scenario, npc: npc.id }
    await c.env.CONVERSATIONS.get(objectId).begin(opening)
    return c.json({ session, scenario: scenario.id, npc: npc.id }, 201)
  },
)
