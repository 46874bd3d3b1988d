import type { SimulationCard } from '../../../worker/wire/run.ts'

/** Where it happens and what there is to decide, as its author wrote it: a screen's heading. */
export function CaseHeading({ card }: { card: SimulationCard }) {
  return (
    <>
      <p class="eyebrow" lang="en" dir="auto">
        {card.where}
      </p>
      <h1 tabIndex={-1} lang="en" dir="auto">
        {card.question}
      </h1>
    </>
  )
}
