import { KEY_NAMES, KEY_PAIRS, keyInWords } from './known-keys.ts'
import { createLiteralSet, createScanner } from './literals.ts'
import type { NoteIssue } from './reply-issue.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'
import type { ThinkTags } from './think-filter.ts'

/**
 * The last line of defence: where a field of a report or a mark of reasoning comes up in the speech after all, the
 * speech ends before it. A field's mere name comes apart into its words: nothing that is said can name one later.
 */
export function createSpeechGuard(
  next: Stage,
  { thinkTags, note }: { thinkTags: readonly ThinkTags[]; note: NoteIssue },
): Stage {
  let isCut = false
  const names = createScanner({
    pattern: KEY_NAMES,
    found: (name) => pushAll(next, keyInWords(name)),
    text: (point) => next.push(point),
    end: () => next.end(),
  })
  const pairs = createScanner({ pattern: KEY_PAIRS, found: cut, text: speak, end: () => names.end() })
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
    if (!isCut) names.push(point)
  }
}
