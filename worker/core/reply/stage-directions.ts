import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

const LOWER_CASE = /^\p{Ll}$/u
const SENTENCE_END = new Set('.!?…')
const CLOSERS = new Set('"\'”’) ')
const MAX_LENGTH = 120

/**
 * Takes out stage directions: words between single asterisks at the beginning of a sentence that begin with a small
 * letter, such as `*sighs*`. No sentence begins with a small letter, so what is only stressed (`*Not* my call`,
 * `that is *not* my call`) stays.
 */
export function createStageDirectionStripper(next: Stage): Stage {
  let held = ''
  let atSentenceStart = true

  return {
    push(point) {
      if (held !== '') pushHeld(point)
      else if (point === '*' && atSentenceStart) held = point
      else pushText(point)
    },
    end() {
      pushAll(next, held)
      next.end()
    },
  }

  function pushHeld(point: string): void {
    if (point === '*' && held !== '*') {
      held = ''
      return
    }
    const isDirection = held === '*' ? LOWER_CASE.test(point) : point !== '\n' && held.length < MAX_LENGTH
    if (isDirection) {
      held += point
      return
    }
    const taken = held
    held = ''
    for (const each of taken) pushText(each)
    pushText(point)
  }

  function pushText(point: string): void {
    atSentenceStart = point === '\n' || SENTENCE_END.has(point) || (atSentenceStart && CLOSERS.has(point))
    next.push(point)
  }
}
