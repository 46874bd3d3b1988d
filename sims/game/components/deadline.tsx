import { clean } from '../../../widget/clean.ts'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import { t } from '../texts/texts.ts'

/**
 * When the decision is due. Every screen that names the deadline uses these words. Nothing if the question, which stands
 * above it, names the deadline already.
 */
export function DeadlineLine({ card }: { card: Pick<SimulationCard, 'deadline' | 'question'> }) {
  if (card.question.includes(card.deadline.replace(/^\S+\s/, ''))) return null
  return (
    <span>
      {t.shell.decideWord}{' '}
      <span lang="x-authored" dir="auto">
        {clean(card.deadline)}
      </span>
    </span>
  )
}
