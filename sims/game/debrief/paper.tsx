import { useEffect } from 'preact/hooks'
import type { DebriefView, SimulationCard } from '../../../worker/wire/run.ts'
import { format, late } from '../texts/texts.ts'

/** The head of a printed debrief: simulation, learner and date. CSS hides the head on the screen. */
export function PaperHead({ debrief: { run }, card }: { debrief: DebriefView; card: SimulationCard }) {
  const { paper } = late.debrief
  const entries = [
    [paper.by, run.nickname],
    [paper.inClass, run.class?.title],
    [paper.role, card.role],
    [paper.question, card.question],
  ] as const
  return (
    <div class="paper-head">
      <p class="paper-title" lang="x-authored">
        {card.title}
      </p>
      {run.decision && <p>{paper.decided(format.dateTime(run.decision.at))}</p>}
      <dl>
        {entries.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  )
}

/** Opens all folded parts of the debrief before the browser prints, and folds the same parts again afterwards. */
export function usePaper(): void {
  useEffect(() => {
    let unfolded: HTMLDetailsElement[] = []
    const before = () => {
      unfolded = [...document.querySelectorAll<HTMLDetailsElement>('.debrief details:not([open])')]
      for (const fold of unfolded) fold.open = true
    }
    const after = () => {
      for (const fold of unfolded) fold.open = false
    }
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
}
