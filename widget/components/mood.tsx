import type { RelationshipLevel } from '../../worker/wire/messages.ts'
import type { ConversationTexts } from '../texts/en.ts'

/**
 * Shows the mood as a bent line and in words, because some learners can't see the line's shape or colour. A screen reader
 * says what the words are about.
 */
export function Mood({ level, texts }: { level: RelationshipLevel; texts: Pick<ConversationTexts, 'mood' | 'level'> }) {
  if (level === 'neutral') return null
  return (
    <span class="mood" data-level={level}>
      <svg viewBox="0 0 28 10" width="28" height="10" aria-hidden="true">
        <path class="line" d={`M2 5Q14 ${BEND[level]} 26 5`} />
      </svg>
      <span class="hidden">{texts.mood}</span>
      {texts.level[level]}
    </span>
  )
}

const BEND: Record<Exclude<RelationshipLevel, 'neutral'>, number> = {
  hostile: -4,
  guarded: 1,
  cooperative: 10,
  trusting: 14,
}
