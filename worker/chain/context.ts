/** Where the work of a context stands. `completed` and `cancelled` are for good. */
export type ContextStatus = 'active' | 'blocked' | 'completed' | 'cancelled'

/** When a context is completed because its children are. */
export type AutoComplete = 'never' | 'all-completed' | 'all-settled'

/** Free data of a context or a memory: any JSON object. */
export type FreeData = { readonly [key: string]: unknown }

/** One piece of work in the tree of a workflow. Times are milliseconds since 1970. */
export interface Context {
  readonly id: string
  readonly parentId: string | null
  /** Its own id at the root. */
  readonly rootId: string
  /** 0 at the root, at most 10. */
  readonly depth: number
  readonly purpose: string
  readonly description: string | null
  /** Whose work it is: an agent, a team, a colleague of a scenario. */
  readonly memorySpaceId: string
  /** Whom it is about; null for what is about nobody. */
  readonly userId: string | null
  /** Read off the children themselves, oldest first; the first thousand of them. */
  readonly childIds: readonly string[]
  readonly childCount: number
  /** Everybody who takes part, its own space first. */
  readonly participants: readonly string[]
  readonly conversationRef: ConversationRef | null
  readonly data: FreeData
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  readonly createdAt: number
  /** When its version was made. */
  readonly updatedAt: number
  readonly completedAt: number | null
  /** From 1, and one more with every change of status, purpose, description or data. */
  readonly version: number
  readonly updatedBy: string
}

export interface ConversationRef {
  readonly conversationId: string
  readonly messageIds: readonly string[]
}

/** What a context was, from when that version was made until the next one was. */
export interface ContextVersion {
  readonly version: number
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: FreeData
  readonly timestamp: number
  readonly updatedBy: string
}

/** A part of a list. `next` gets the one after it; null after the last. A part may be short, or empty, before the last. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export const MAX_CONTEXT_DEPTH = 10
