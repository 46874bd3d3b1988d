import type { ConversationObject } from '../session/session-object.ts'

/** The bindings the platform makes. The settings beside them are read by `readConfig`. */
export interface Bindings {
  readonly CONVERSATIONS: DurableObjectNamespace<ConversationObject>
}
