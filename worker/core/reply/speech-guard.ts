import { KEY_PAIRS } from './known-keys.ts'
import { createLiteralSet, createScanner } from './literals.ts'
import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'
import type { ThinkTags } from './think-filter.ts'

/**
 * The last line of defence: where a field of a report or a mark of reasoning comes up in the speech after all, the
 * speech ends before it.
 */
export function createSpeechGuard(
  next: Stage,
  { thinkTags, note }: { thinkTags: readonly ThinkTags[]; note: NoteIssue },
): Stage {
  let isCut = false
  const pairs = createScanner({ pattern: KEY_PAIRS, found: cut, text: speak, end: () => next.end() })
  return createScanner({
    pattern: createLiteralSet(thinkTags.flatMap(({ open, close }) => [open, close])),
    found: cut,
    text: (point) => pairs.push(point),
    end: () => pairs.end(),
  })

  function cut(): void {
    if (!isCut) note('speech-cut')
    isCut = true
  }

  function speak(point: string): void {
    if (!isCut) next.push(point)
  }
}
