import { createHeadingStripper } from './heading-stripper.ts'
import { createNameStripper } from './name-prefix.ts'
import { createPunctuator } from './punctuation.ts'
import type { NoteIssue } from './reply-issue.ts'
import { createSpeechGuard } from './speech-guard.ts'
import { createSpeechCap } from './speech-cap.ts'
import type { Stage } from './stage.ts'
import { createStageDirectionStripper } from './stage-directions.ts'
import type { ThinkTags } from './think-filter.ts'

/**
 * Makes speech of text: no speaker's name, no stage directions, no heading of a briefing, no em dashes, no white space to spare,
 * nothing that a report or reasoning is made of, no more than `maxSpeech` UTF-16 code units. What is heard and what is
 * stored both come from here.
 */
export function createSpeechStages({
  out,
  npcName,
  stageDirections,
  maxSpeech,
  thinkTags,
  note,
}: {
  out: (piece: string) => void
  npcName: string | null
  stageDirections: 'drop' | 'keep'
  maxSpeech: number
  thinkTags: readonly ThinkTags[]
  note: NoteIssue
}): Stage {
  const capped = createSpeechCap(out, { maxSpeech, note })
  // Last but for the cap, since anything that takes characters out can bring others together.
  const guarded = createSpeechGuard(capped, { thinkTags, note })
  const punctuated = createPunctuator(guarded)
  const headless = createHeadingStripper(punctuated, note)
  const acted = stageDirections === 'drop' ? createStageDirectionStripper(headless) : headless
  return npcName === null ? acted : createNameStripper(acted, npcName)
}
