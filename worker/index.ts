export { LedgerObject } from './budget/ledger-object.ts'
export { ConversationObject } from './session/session-object.ts'
export { app as default } from './http/app.ts'
