import { bodyLimit } from 'hono/body-limit'
import { createFactory } from 'hono/factory'
import * as z from 'zod'
import { graphDocuments, scenarios } from '../../build/scenarios.ts'
import type { Npc } from '../core/scenario/scenario.ts'
import type { Engine } from '../core/walk/engine.ts'
import { type Config, readConfig } from '../env.ts'
import { canCount } from '../session/begin.ts'
import type { Bindings } from './bindings.ts'
import { errorBody } from './errors.ts'

const id = z.string().regex(/^[a-z0-9-]{1,64}$/)
const requestSchema = z.object({
  scenario: id.optional(),
  npc: id.optional(),
  /** Somebody this colleague has met before: their conversation begins elsewhere where a graph says so (S0-32). */
  returning: z.boolean().default(false),
  engine: z.enum(['graph', 'legacy']).optional(),
})

const factory = createFactory<{ Bindings: Bindings }>()

/**
 * `POST /api/sessions {scenario?, npc?, returning?, engine?}`: begins a conversation and returns
 * `201 {session, scenario, npc}`. Without a scenario the first one is taken, without a colleague the scenario's first,
 * without an engine the deployment's. The session's id is a 256-bit capability made by the platform: whoever has it may
 * take part, and it cannot be guessed or made up.
 */
export const createSession = factory.createHandlers(
  bodyLimit({
    maxSize: 4096,
    onError: (c) => c.json(errorBody('give-up', 'too-long', 'This request is too large.'), 413),
  }),
  async (c) => {
    // Read here as well, so that a deployment that cannot speak says so before a conversation is begun.
    const config = readConfig({ ...c.env })
    const read = requestSchema.safeParse(await c.req.json().catch(() => null))
    if (!read.success)
      return c.json(errorBody('give-up', 'malformed', 'Send JSON with the ids of a scenario and a colleague.'), 400)
    const scenario = read.data.scenario ? scenarios.find((s) => s.id === read.data.scenario) : scenarios[0]
    if (!scenario) return c.json(errorBody('give-up', 'unknown-scenario', 'There is no such scenario.'), 404)
    const npc = read.data.npc ? scenario.npcs.find((n) => n.id === read.data.npc) : scenario.npcs[0]
    if (!npc) return c.json(errorBody('give-up', 'unknown-npc', 'The scenario has no such colleague.'), 404)

    const objectId = c.env.CONVERSATIONS.newUniqueId()
    const session = objectId.toString()
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    await c.env.CONVERSATIONS.get(objectId).begin({
      session,
      epoch: crypto.randomUUID(),
      scenario,
      npc: npc.id,
      documents: typeof npc.walk === 'string' ? [] : graphDocuments,
      engine: engineFor(npc, read.data.engine ?? config.engine, seed),
      seed,
      person: read.data.returning ? 'returning' : 'new',
    })
    return c.json({ session, scenario: scenario.id, npc: npc.id }, 201)
  },
)

/** Only a tier's conversations can be counted through; the seed's last bit divides them in two. */
function engineFor(npc: Npc, chosen: Config['engine'], seed: number): Engine {
  if (!canCount(npc) || chosen === 'graph') return 'graph'
  return chosen === 'legacy' || seed % 2 === 1 ? 'legacy' : 'graph'
}
