import { late } from '../texts/texts.ts'
import { inWords } from './strip.ts'

/** What a node is for; of an author's own graph, its name. */
export function nodeWords(node: string): string {
  const known: Readonly<Record<string, string>> = late.debrief.nodes
  return Object.hasOwn(known, node) ? (known[node] ?? node) : inWords(node)
}

/** Why a node was left; a reason of a later version goes by its name. */
export function reasonWords(reason: string | null, name: string): string {
  if (reason === null) return late.debrief.notLeft
  const known: Readonly<Record<string, (name: string) => string>> = late.debrief.reasons
  const say = Object.hasOwn(known, reason) ? known[reason] : undefined
  return say ? say(name) : inWords(reason)
}

/** What a turn was found to be worth, in words and as a number from -2 to 2. */
export function scoreOf(score: number): { readonly worth: -2 | -1 | 0 | 1 | 2; readonly words: string } {
  const worth = Math.max(-2, Math.min(2, Math.trunc(score) || 0)) as -2 | -1 | 0 | 1 | 2
  return { worth, words: late.debrief.score[worth] }
}
