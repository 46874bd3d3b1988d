import type { RelationshipLevel } from '../../../worker/wire/messages.ts'
import { t } from '../texts/texts.ts'

/**
 * A short line that bends with the mood, and the word for it in the reader's language: neither shape nor colour carries it
 * alone. The build of the game puts it in the place of `widget/components/mood.tsx`.
 */
export function Mood({ level }: { level: RelationshipLevel }) {
  return (
    <span class="mood" data-level={level}>
      <svg viewBox="0 0 28 10" width="28" height="10" aria-hidden="true">
        <path class="line" d={`M2 5Q14 ${BEND[level]} 26 5`} />
      </svg>
      <span class="hidden">{t.widget.mood}</span>
      {t.widget.level[level]}
    </span>
  )
}

const BEND: Record<RelationshipLevel, number> = { hostile: -4, guarded: 1, neutral: 5, cooperative: 10, trusting: 14 }
