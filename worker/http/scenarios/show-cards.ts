import { createFactory } from 'hono/factory'
import { ownScope } from '../../chain/runs/own-scope.ts'
import { libraryChanges } from '../../chain/scenarios/scenario-versions.ts'
import type { SimulationCard } from '../../wire/run.ts'
import type { DoorEnv } from '../bindings.ts'
import { refused } from '../errors.ts'

const factory = createFactory<DoorEnv>()

/**
 * `GET /scenarios.json`: returns what the game's library shows: the build's file with the published simulations, and
 * without those that are withdrawn ([game-15]). Each says so if no language model speaks.
 */
export const showCards = factory.createHandlers(async (c) => {
  const { ASSETS } = c.env
  if (!ASSETS) return refused(c, 'not-found')
  const file = await ASSETS.fetch(new URL('/scenarios.json', c.req.url))
  if (!file.ok) return refused(c, 'not-found')
  const built = await file.json<SimulationCard[]>()
  const chain = await ownScope(c.env, c.var.config.trust)
  const { cards, replaced } = chain ? await libraryChanges(chain) : { cards: [], replaced: new Set<string>() }
  const shown = [...built.filter(({ id }) => !replaced.has(id)), ...cards]
  const isWritten = c.var.config.speaker.kind === 'rehearsal'
  return c.json(isWritten ? shown.map((card) => ({ ...card, isWritten })) : shown)
})
