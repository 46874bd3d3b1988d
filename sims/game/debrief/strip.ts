import { inWords } from '../people.ts'
import type { WalkStep } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'

/**
 * The debrief shows the course of each conversation as a row of stops, the strip. A stop is one node that the
 * conversation visited and that is not silent, together with the silent nodes that the walk passed before that node.
 */
export interface StripStep {
  readonly node: string
  readonly kind: 'speak' | 'pivot'
  readonly from: number
  readonly to: number
  readonly reason: string | null
  /** The silent nodes that the walk passed since the last stop. */
  readonly passed: readonly string[]
}

export interface Strip {
  readonly steps: readonly StripStep[]
  /** The silent nodes that the walk passed after the last stop. */
  readonly after: readonly string[]
}

/**
 * Makes the strip of a conversation from its walk. Each visited node that is not silent becomes a stop; a silent node
 * belongs to the stop after it. Two visits of the same node in a row become one stop.
 */
export function readableStrip(walk: readonly WalkStep[]): Strip {
  let steps: readonly StripStep[] = []
  let passed: readonly string[] = []
  for (const { node, kind, from, to, reason } of walk) {
    if (kind === 'silent') {
      passed = [...passed, node]
      continue
    }
    const last = steps.at(-1)
    const isSame = last?.node === node && passed.length === 0
    const step = isSame ? { ...last, to, reason } : { node, kind, from, to, reason, passed }
    steps = [...(isSame ? steps.slice(0, -1) : steps), step]
    passed = []
  }
  return { steps, after: passed }
}

/**
 * How the visit of a stop's node ended. `landed`: the purpose of the node was achieved. `chosen`: the learner chose an
 * answer. `passed`: the walk went on although the purpose was not achieved and no answer was chosen. `cut`: a limit
 * ended the visit. `open`: the walk is still in the node.
 */
export type Ending = 'landed' | 'chosen' | 'passed' | 'cut' | 'open'

/**
 * Returns how the visit of a stop's node ended. `reason` is the walker's reason for leaving the node; null if the walk
 * has not left the node.
 */
export function endingOf(reason: string | null): Ending {
  if (reason === null) return 'open'
  return ENDINGS[reason] ?? 'passed'
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  satisfied: 'landed',
  selected: 'landed',
  jumpback: 'landed',
  reported: 'landed',
  'went-on': 'landed',
  resumed: 'landed',
  'pivot-choice': 'chosen',
  'pivot-own': 'chosen',
  backstop: 'cut',
  'exchange-limit': 'cut',
}

/** Describes the purpose of a node. A node of an author's own graph is described by its name. */
export function nodeWords(node: string): string {
  const known: Readonly<Record<string, string>> = late.debrief.nodes
  return Object.hasOwn(known, node) ? (known[node] ?? node) : inWords(node)
}

/**
 * Describes why the walk left a node. An unknown reason from a newer version of the service is described by its name.
 */
export function reasonWords(reason: string | null, name: string): string {
  if (reason === null) return late.debrief.notLeft
  const known: Readonly<Record<string, (name: string) => string>> = late.debrief.reasons
  const say = Object.hasOwn(known, reason) ? known[reason] : undefined
  return say ? say(name) : inWords(reason)
}

/** Returns the score of a turn as words and as a whole number from -2 to 2. */
export function scoreOf(score: number): { readonly worth: -2 | -1 | 0 | 1 | 2; readonly words: string } {
  const worth = Math.max(-2, Math.min(2, Math.trunc(score) || 0)) as -2 | -1 | 0 | 1 | 2
  return { worth, words: late.debrief.score[worth] }
}
