import type { ContextStatus } from '../context.ts'

/** What each status may become (S2-6). Nothing may become what it is. */
const TRANSITIONS: Readonly<Record<ContextStatus, readonly ContextStatus[]>> = {
  active: ['completed', 'cancelled', 'blocked'],
  blocked: ['active', 'cancelled'],
  completed: [],
  cancelled: [],
}

export function mayBecome(from: ContextStatus, to: ContextStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

/** Whether it stays so for good. */
export function isTerminal(status: ContextStatus): boolean {
  return TRANSITIONS[status].length === 0
}
