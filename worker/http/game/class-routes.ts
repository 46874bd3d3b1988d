import { Hono } from 'hono'
import type { DoorEnv } from '../bindings.ts'
import { configured, fromAllowedOrigin, limited } from '../doors.ts'
import { classDoor } from './class-door.ts'
import type { ClassEnv } from './class-env.ts'
import { exportClass, showClass } from './show-class.ts'
import { showInvitation } from './show-invitation.ts'
import { startClass } from './start-class.ts'

/** What is asked with the key of a class. */
const held = new Hono<ClassEnv>()
  .use('/api/class/*', configured, fromAllowedOrigin, limited('LIMIT_REQUESTS'), classDoor)
  .get('/api/class', ...showClass)
  .get('/api/class/export.csv', ...exportClass)

/** Classes: beginning one, being invited to it, and what its teacher sees. */
export const classRoutes = new Hono<DoorEnv>()
  .use('/api/classes/*', configured, fromAllowedOrigin)
  .post('/api/classes', limited('LIMIT_SESSIONS'), ...startClass)
  .get('/api/classes/:code', limited('LIMIT_REQUESTS'), ...showInvitation)
  .route('/', held)
