import { Hono } from 'hono'
import { configured, fromAllowedOrigin, limited } from '../doors.ts'
import { again } from './again.ts'
import { showDebrief } from './debrief.ts'
import { decide } from './decide.ts'
import { openTalk } from './open-talk.ts'
import { runDoor } from './run-door.ts'
import type { RunEnv } from './run-env.ts'
import { showRun } from './show-run.ts'

/** What is asked with the key of a run. The door has been passed by whoever comes to one of these routes. */
export const runRoutes = new Hono<RunEnv>()
  .use('/api/run/*', configured, fromAllowedOrigin, limited('LIMIT_REQUESTS'), runDoor)
  .get('/api/run', ...showRun)
  .post('/api/run/talk', ...openTalk)
  .post('/api/run/decision', ...decide)
  .get('/api/run/debrief', ...showDebrief)
  .post('/api/run/again', limited('LIMIT_SESSIONS'), ...again)
