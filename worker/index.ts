import { app } from './http/app.ts'
import { runRetention } from './retention.ts'

export { LedgerObject } from './budget/ledger-object.ts'
export { ErasureObject } from './chain/people/erasure-object.ts'
export { ConversationObject } from './session/session-object.ts'

export default {
  fetch: app.fetch,
  scheduled: ({ scheduledTime }, env) => runRetention(env, scheduledTime),
} satisfies ExportedHandler<Parameters<typeof app.fetch>[1] & object>
