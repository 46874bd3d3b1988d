import { useEffect, useState } from 'preact/hooks'
import { Missing, NotGot, Skeleton } from '../components/missing.tsx'
import type { Game } from '../game.ts'
import { problemOf, runApi } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'
import { t } from '../texts/texts.ts'

/** Opens the link of a run: stores the run's key, removes the key from the address, and shows the run. */
export function LinkScreen({ game, linkKey }: { game: Game; linkKey: string }) {
  const [problem, setProblem] = useState<RunApiError | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isHere = true
    runApi.run(linkKey).then(
      (view) => {
        game.keepRun({ id: view.id, key: linkKey }, view.scenario)
        game.setRun(view)
        if (isHere) game.go({ screen: 'desk', run: view.id }, 'replace')
      },
      (error: unknown) => isHere && setProblem(problemOf(error)),
    )
    return () => {
      isHere = false
    }
  }, [game, linkKey, round])
  if (problem === null) return <Skeleton />
  if (problem.next === 'retry-after') {
    return (
      <NotGot
        waits={false}
        onAgain={() => {
          setProblem(null)
          setRound(round + 1)
        }}
      />
    )
  }
  const isGone = problem.next === 'start-over'
  return (
    <Missing title={isGone ? t.shell.gone : t.shell.badLink} says={isGone ? t.shell.goneSays : t.shell.badLinkSays} />
  )
}
