import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { ownLines } from './own-lines.ts'
import { lastReplyIn } from './spoken.ts'

/** What is left of a message that says that the colleague misread the last answer. */
export interface TakenBack {
  /** The scene of the same message at the fork, without the card for which the answer was taken. */
  readonly scene: BriefingScene
  /** True if the message does not say what was meant instead. */
  readonly isBare: boolean
}

/**
 * Reads a message after a typed answer to a fork: "No wait, I meant the other one." Returns null if the message does not
 * take the answer back, or if no answer can be taken back now.
 */
export function readTakeBack(scene: BriefingScene): TakenBack | null {
  const { lateFork, isTerminal } = scene.node
  if (lateFork === null || lateFork.taken === null || isTerminal) return null
  const { misread, whichThen } = ownLines(scene)
  const said = scene.learner.replaceAll('’', "'")
  const isAsked = whichThen.some((line) => lastReplyIn(scene).includes(line))
  if (!isAsked && !misread.test(said)) return null
  const meant = said.replace(misread, ' ').replace(NOT_THAT, '').trim()
  const { content, taken } = lateFork
  const pivot = {
    content: { ...content, choices: content.choices.filter(({ id }) => id !== taken) },
    armed: true,
    asked: 1,
  }
  const isBare = !/\p{L}{2}/u.test(meant)
  return { scene: { ...scene, learner: isBare ? said : meant, node: { ...scene.node, pivot } }, isBare }
}

/** Matches at the end what was not meant: "what you think, not just the number". */
const NOT_THAT = /[,;.]? (?:and )?(?:not|no) (?:just |only |sólo |solo )?(?:the|a|el|la|un|una) [^,.?!]{1,30}[.!]*$/i
