/** The status of a context. `completed` and `cancelled` are final. */
export type ContextStatus = 'active' | 'blocked' | 'completed' | 'cancelled'

/**
 * When a context is completed automatically: never, when all its children are completed, or when all its children are
 * completed or cancelled.
 */
export type AutoComplete = 'never' | 'all-completed' | 'all-settled'

/** Data of a tenant in a context or a memory: any JSON object. */
export type FreeData = { readonly [key: string]: unknown }

/** One piece of work in the tree of a workflow. Times are milliseconds since 1970. */
export interface Context {
  readonly id: string
  readonly parentId: string | null
  /** Id of the root; the root's own id if the context is the root. */
  readonly rootId: string
  /** Levels below the root: 0 for the root, at most 10. */
  readonly depth: number
  readonly purpose: string
  readonly description: string | null
  /** The agent, team or colleague that does the work. */
  readonly memorySpaceId: string
  /** The person whom the work is about; null if the work is about no person. */
  readonly userId: string | null
  /** The ids of the first thousand children, oldest first, read from the children's rows. */
  readonly childIds: readonly string[]
  readonly childCount: number
  /** The names of all participants. The first is the context's own memory space. */
  readonly participants: readonly string[]
  readonly conversationRef: ConversationRef | null
  readonly data: FreeData
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  readonly createdAt: number
  /** The time of the latest version. */
  readonly updatedAt: number
  readonly completedAt: number | null
  /** The version number. It starts at 1 and grows by one with every change of status, purpose, description or data. */
  readonly version: number
  readonly updatedBy: string
}

export interface ConversationRef {
  readonly conversationId: string
  readonly messageIds: readonly string[]
}

/** The state of a context at one version. The state is valid from `timestamp` until the next version. */
export interface ContextVersion {
  readonly version: number
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: FreeData
  readonly timestamp: number
  readonly updatedBy: string
}

/**
 * A page of a list. `next` is the cursor of the next page, null after the last. A page before the last may be short
 * or empty.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

export const MAX_CONTEXT_DEPTH = 10
