/** The names that a state's `included_contexts` can have. */
export const CONTEXT_NAMES = ['task', 'situation', 'objective', 'knowledge', 'document', 'colleagues'] as const

export type ContextName = (typeof CONTEXT_NAMES)[number]

export function isContextName(name: string): name is ContextName {
  return CONTEXT_NAMES.some((known) => known === name)
}
