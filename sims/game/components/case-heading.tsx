import type { SimulationCard } from '../../../worker/wire/run.ts'

/** A screen's heading: where the case takes place, and the question to decide, in the author's words. */
export function CaseHeading({ card }: { card: SimulationCard }) {
  return (
    <>
      <p class="eyebrow" lang="x-authored" dir="auto">
        {card.where}
      </p>
      <h1 tabIndex={-1} lang="x-authored" dir="auto">
        {card.question}
      </h1>
    </>
  )
}
