import type { ActionDocument, DecisionDocument } from '../document.ts'
import { pointerTo, type Finding } from '../../finding.ts'
import { found } from './found.ts'
import { atState, type Subject } from './subject.ts'
import { contentWordsIn, isNegative, wordsIn } from './words.ts'

/** Reports names of states and references that are malformed or meaningless (G028). */
export function lintNaming({ document }: Subject): readonly Finding[] {
  const names = [
    ...document.states.map((state) => ({ at: atState(state), name: state.name })),
    ...Object.keys(document.references).map((name) => ({ at: pointerTo('references', name), name })),
  ]
  return names.flatMap(({ at, name }) => {
    const complaint = complaintAbout(name)
    return complaint === null ? [] : found('G028', at, `${name} ${complaint}`)
  })
}

function complaintAbout(name: string): string | null {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))
    return 'is not in snake_case. Write it in small letters, words joined by _.'
  if (/(?:^|_)v\d+$/.test(name)) return 'has a version in its name. The graph has one already.'
  if (/^(?:state|step|node|stage|phase|action|screen|page)_?\d+$/.test(name))
    return 'is a number. Say what is done there, as in assess_pain.'
  if (NOTHING.has(name)) return 'says nothing. Say what is done there, as in assess_pain.'
  return null
}

const NOTHING = new Set(
  'state step node stage action decision temp tmp todo test foo bar untitled misc stuff'.split(' '),
)

/**
 * Reports exits that an actor cannot tell apart by their descriptions (G011), and decisions without a catch-all exit
 * (G010).
 */
export function lintDescriptions({ document }: Subject): readonly Finding[] {
  return document.states.flatMap((state) => {
    if (state.type !== 'action' && state.type !== 'decision') return []
    const alike = lintAlike(state)
    return state.type === 'decision' ? [...lintCatchAll(state), ...alike] : alike
  })
}

function lintCatchAll(state: DecisionDocument): readonly Finding[] {
  // Exits that lead to their own state are left out, because G006 reports them.
  const chosen = state.exits.flatMap((exit, index) =>
    exit.isGuarded || exit.nextState === state.name ? [] : [{ exit, index }],
  )
  const last = chosen.at(-1)
  if (!last || chosen.length === 1 || CATCH_ALL.test(last.exit.description)) return []
  return [
    found(
      'G010',
      atState(state, 'exit_conditions', last.index, 'description'),
      'The last exit is no catch-all, and it is taken whenever no answer can be had. End with one for anything else.',
    ),
  ]
}

/** The wordings that identify a catch-all exit. */
const CATCH_ALL =
  /\b(?:otherwise|else|any other|all other|every other|no other|in any case|none of|neither|unclear|not clear|unsure|undecided|uncertain|cannot tell|can't tell|does not fit|doesn't fit|whatever|by default|fallback)\b/i

/** Reports each exit whose description is nearly the same as an earlier exit's. */
function lintAlike(state: ActionDocument | DecisionDocument): readonly Finding[] {
  const chosen = state.exits.flatMap(({ isGuarded, description: text }, index) => (isGuarded ? [] : [{ text, index }]))
  return chosen.flatMap(({ text, index }, nth) => {
    const first = chosen.slice(0, nth).find((before) => isAlike(before.text, text))
    if (!first) return []
    return found(
      'G011',
      atState(state, 'exit_conditions', index, 'description'),
      `Says nearly the same as exit ${first.index}, so nobody can tell which to take. Say how they differ, or join them.`,
    )
  })
}

/** Two descriptions are alike if at least this share of their meaningful words is common to both. */
const ALIKE = 0.8

function isAlike(one: string, other: string): boolean {
  if (wordsIn(one).join(' ') === wordsIn(other).join(' ')) return true
  if (isNegative(one) !== isNegative(other)) return false
  const [a, b] = [contentWordsIn(one), contentWordsIn(other)]
  const shared = [...a].filter((word) => b.has(word)).length
  return shared > 0 && shared / (a.size + b.size - shared) >= ALIKE
}
