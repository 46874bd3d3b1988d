import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'

/**
 * Lets at most `maxSpeech` UTF-16 code units out, never half a surrogate pair. White space waits for what follows it,
 * so that speech that is cut short does not end in it.
 */
export function createSpeechCap(
  out: (piece: string) => void,
  { maxSpeech, note }: { maxSpeech: number; note: NoteIssue },
): Stage {
  let length = 0
  let space = ''
  let isFull = false

  return {
    push(point) {
      if (isFull) return
      if (point === ' ' || point === '\n') {
        space += point
        return
      }
      const piece = space + point
      space = ''
      length += piece.length
      isFull = length > maxSpeech
      if (isFull) note('speech-too-long')
      else out(piece)
    },
    end: () => undefined,
  }
}
