import { useEffect, useState } from 'preact/hooks'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { peopleOf } from '../people.ts'
import { useEscape, useHeading, useStepBack, useTold } from '../components/hooks.ts'
import { DecisionMade } from './decided.tsx'
import { DecisionForm } from './decision-form.tsx'
import { fitted, keepDraft, keptDraft, lackOf, overBy, reasonOf } from './draft.ts'
import type { Draft } from './draft.ts'
import { LastLook } from './last-look.tsx'
import type { DecisionFailure } from './send-decision.ts'
import { t } from '../texts/texts.ts'

/** The screen of the decision: the form, the last look before the decision is sent, or the decision that was made. */
export function DecideScreen({ game }: { game: Game }) {
  const run = game.store.run.value
  const card = game.store.card.value
  const route = game.store.route.value
  useHeading(`${run?.decision === null} ${route.screen === 'decide' && route.look === true}`)
  if (!run || !card) return null
  if (run.decision) return <DecisionMade run={run} card={card} decision={run.decision} />
  return <Deciding key={run.id} game={game} run={run} card={card} />
}

/** What a reason names: the ids of facts. `isOf`: the reason as it was when the server said so. */
interface Named {
  readonly facts: readonly string[]
  readonly isOf: string
}

/**
 * Returns what a reason names, which counts in the debrief, so the learner sees it before they decide. While the reason is
 * being written, it is what the text named at the last pause. Null if no answer comes: it counts all the same.
 */
function useNamed(game: Game, reason: string): Named | null {
  const settled = useTold(reasonOf(reason))
  const [known, setKnown] = useState<Named | null>(null)
  useEffect(() => {
    if (settled === '' || overBy(settled) > 0) return
    let isWanted = true
    game.api.named(settled).then(
      ({ facts }) => isWanted && setKnown({ facts, isOf: settled }),
      () => undefined,
    )
    return () => void (isWanted = false)
  }, [settled])
  return reasonOf(reason) === '' ? null : known
}

function Deciding({ game, run, card }: { game: Game; run: RunView; card: SimulationCard }) {
  const route = game.store.route.value
  const [kept, setKept] = useState<Draft>(() => keptDraft(run.id))
  const [failure, setFailure] = useState<DecisionFailure | null>(null)
  const draft = fitted(kept, card, run)
  const people = peopleOf(card)
  const isLook = route.screen === 'decide' && route.look === true && lackOf(draft) === null
  const isAhead = route.screen === 'decide' && route.look === true && !isLook

  // The address names the last look (the screen that shows the whole decision before it is sent), but the draft is
  // incomplete. So the page goes back to the form.
  useEffect(() => {
    if (isAhead) game.go({ screen: 'decide', run: run.id }, 'replace')
  }, [isAhead])

  const named = useNamed(game, draft.reason)
  // An option that was earned rests on what opened it, unless the reason names nothing at all.
  const { opened = [] } = run.options?.find(({ id }) => id === draft.option) ?? {}
  const given = new Map(
    named === null || named.facts.length === 0
      ? []
      : [
          ...opened.map((id) => [id, t.decide.openedIt] as const),
          ...named.facts.map((id) => [id, t.decide.namedIt] as const),
        ].filter(([id]) => !draft.unticked.includes(id)),
  )
  useEffect(() => {
    if (!isLook || named?.isOf !== reasonOf(draft.reason)) return
    const evidence = [...new Set([...draft.evidence, ...given.keys()])]
    if (evidence.length > draft.evidence.length) change({ ...draft, evidence })
  }, [isLook, named])

  const back = useStepBack(game, { screen: 'decide', run: run.id }, isLook)
  useEscape(isLook ? back : null)

  const change = (next: Draft) => {
    setFailure(null)
    setKept(next)
    keepDraft(run.id, next)
  }
  const fail = (failed: DecisionFailure | null) => {
    if (failed?.mend === 'other-option') change({ ...draft, option: null })
    setFailure(failed)
  }
  return isLook ? (
    <LastLook
      game={game}
      run={run}
      card={card}
      people={people}
      draft={draft}
      failure={failure}
      onFailure={fail}
      onBack={back}
    />
  ) : (
    <DecisionForm
      run={run}
      card={card}
      people={people}
      draft={draft}
      given={given}
      failure={failure?.mend === 'other-option' ? failure : null}
      onChange={change}
      onReady={() => game.go({ screen: 'decide', run: run.id, look: true })}
    />
  )
}
