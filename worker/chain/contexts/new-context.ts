import { type AutoComplete, type ContextStatus, type ConversationRef, type Data, MAX_DEPTH } from '../context.ts'
import { isTerminal } from './transitions.ts'

/** A context as it begins: at version 1, with nobody but its own space taking part. */
export interface NewContext {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
  readonly purpose: string
  readonly description: string | null
  readonly space: string
  readonly userId: string | null
  readonly conversationRef: ConversationRef | null
  readonly data: Data
  readonly status: ContextStatus
  readonly autoComplete: AutoComplete
  /** The context whose completion makes it active. */
  readonly waitsFor: string | null
}

/** What somebody says of a context that they create. */
interface Told {
  readonly purpose: string
  readonly memorySpaceId: string
  readonly description?: string | undefined
  readonly userId?: string | undefined
  readonly conversationRef?: ConversationRef | undefined
  readonly data: Data
  readonly autoComplete?: AutoComplete | undefined
}

/** Where a context begins. */
export interface Place {
  readonly parentId: string
  readonly rootId: string
  readonly depth: number
}

/** A context that begins under another, or as a root of its own (S2-4, B2-1). */
export function newContext(id: string, told: Told, place: Place | null): NewContext {
  return {
    id,
    parentId: place?.parentId ?? null,
    rootId: place?.rootId ?? id,
    depth: place?.depth ?? 0,
    purpose: told.purpose,
    description: told.description ?? null,
    space: told.memorySpaceId,
    userId: told.userId ?? null,
    conversationRef: told.conversationRef ?? null,
    data: told.data,
    status: 'active',
    autoComplete: told.autoComplete ?? 'never',
    waitsFor: null,
  }
}

/** The place under a context. */
export function under(parent: { readonly id: string; readonly rootId: string; readonly depth: number }): Place {
  return { parentId: parent.id, rootId: parent.rootId, depth: parent.depth + 1 }
}

/** The same context, blocked until another one is completed (B2-11). */
export function waiting(context: NewContext, before: NewContext): NewContext {
  return { ...context, status: 'blocked', waitsFor: before.id }
}

/** Why a context takes no child (S2-21, B2-4), or null. */
export function whyNoChild(
  parent: { readonly status: ContextStatus; readonly depth: number },
  underTerminal: boolean,
): 'PARENT_TERMINAL' | 'MAX_DEPTH' | null {
  if (isTerminal(parent.status) && !underTerminal) return 'PARENT_TERMINAL'
  return parent.depth >= MAX_DEPTH ? 'MAX_DEPTH' : null
}
