import { Hono } from 'hono'
import type { DoorEnv } from '../bindings.ts'
import { configured, fromAllowedOrigin, limited } from '../doors.ts'
import { onError, onNotFound } from '../errors.ts'
import { classRoutes } from './class-routes.ts'
import { checkResult } from './debrief.ts'
import { runRoutes } from './run-routes.ts'
import { postRun } from './start-run.ts'

/** The routes of the game's page. `app.ts` loads them with the first request for one of them. */
export const gameRoutes = new Hono<DoorEnv>()
  .use('/api/runs', configured, fromAllowedOrigin)
  .post('/api/runs', limited('LIMIT_SESSIONS'), ...postRun)
  .use('/api/results', configured, fromAllowedOrigin)
  .post('/api/results', limited('LIMIT_REQUESTS'), ...checkResult)
  .route('/', runRoutes)
  .route('/', classRoutes)
  .notFound(onNotFound)
  .onError(onError)
