import type { ConversationRef, FreeData } from './context.ts'

/** Something that is remembered. Times are milliseconds since 1970. */
export interface MemoryRecord {
  readonly id: string
  readonly memorySpaceId: string
  /** Whom it is about; null for what is about nobody. */
  readonly userId: string | null
  readonly content: string
  readonly kind: MemoryKind
  /** From 0 to 100. */
  readonly importance: number
  readonly contextId: string | null
  /** The root of the workflow the context belongs to. */
  readonly rootId: string | null
  /** What the context was for. */
  readonly workflowPurpose: string | null
  readonly conversationRef: ConversationRef | null
  readonly metadata: FreeData
  readonly createdAt: number
}

/** What somebody said, what happened, what was noted on the way, or what a tool or a person of the tenant put there. */
export type MemoryKind = 'said' | 'event' | 'annotation' | 'note'

/** Something that is held to be so of a person. Of one key the newest holds; of two as new, the surer one. */
export interface PersonFact {
  readonly key: string
  readonly value: string
  /** Where it is from: `conversation <id>`, or what a tenant calls its source. */
  readonly source: string
  /** From 0 to 1. */
  readonly confidence: number
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
}
