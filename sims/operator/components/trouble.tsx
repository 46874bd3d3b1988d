import { isOutdated } from '../connect.ts'
import type { ChainProblem } from '../connect.ts'
import type { Desk } from '../desk.ts'
import * as texts from '../texts.ts'

/** Tells the operator what went wrong, and shows the one button that helps. */
export function Trouble({
  desk,
  problem,
  onAgain,
  onBack,
}: {
  desk: Desk
  problem: ChainProblem
  onAgain: () => void
  onBack?: (() => void) | undefined
}) {
  const [helps, help] =
    problem.next !== 'give-up' || isOutdated(problem)
      ? [isOutdated(problem) ? 'Reload' : 'Try again', onAgain]
      : problem.code === 'not-permitted'
        ? ['Use another token', () => desk.changeToken()]
        : ['All runs', onBack]
  return (
    <div class="trouble" role="alert">
      <p>{texts.problemSentence(problem)}</p>
      {help && (
        <button class="button" type="button" onClick={help}>
          {helps}
        </button>
      )}
      <p class="small">Code: {problem.code}</p>
    </div>
  )
}

/** Placeholder lines that the page shows while it loads data. */
export function LoadingBars({ what, lines }: { what: string; lines: number }) {
  return (
    <div class="waiting" role="status">
      <span class="hidden">{what}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bar" aria-hidden="true" />
      ))}
    </div>
  )
}
