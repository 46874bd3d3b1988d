import { useState } from 'preact/hooks'
import { newId } from '../../../widget/new-id.ts'
import type { RunView } from '../../../worker/wire/run.ts'
import { keepDraft, NO_DRAFT } from '../decide/draft.ts'
import { stillHere } from '../game.ts'
import type { Game } from '../game.ts'
import { copyNotebook } from '../notebook/kept-notebook.ts'
import { problemOf } from '../run-api.ts'
import type { RunApiError } from '../run-api.ts'
import { late, t } from '../texts/texts.ts'

/**
 * A button that opens a new run, which begins at a pivot of this run, so that the learner can choose another answer, or at
 * its decision, so that they can ask more or decide otherwise. If the learner has gone to another screen meanwhile, the
 * page stays there and shows a note that the new run has begun.
 */
export function AgainButton({
  moment,
  name,
  leadsTo,
  run,
  note,
  isMain = false,
  game,
}: {
  /** Null for the decision. */
  moment: { npc: string; pivot: string; turn: number } | null
  /** The colleague whom the new run begins with; null if it begins at the decision. */
  name: string | null
  /** The colleague whose conversation the page opens; by default the one of the pivot, or else the decision's form. */
  leadsTo?: string | undefined
  run: RunView
  /** The id of the element that describes the button. */
  note: string
  isMain?: boolean
  game: Game
}) {
  const words = late.debrief
  const [waits, setWaits] = useState(false)
  const [problem, setProblem] = useState<RunApiError | null>(null)
  if (problem?.next === 'give-up') return <p class="small">{words.againGone}</p>
  return (
    <div class="again screen">
      <button
        class={isMain ? 'button main' : 'button'}
        type="button"
        aria-label={moment === null || name === null ? undefined : words.againFrom(name, moment.turn)}
        aria-describedby={note}
        aria-disabled={waits}
        onClick={() => void begin()}
      >
        {waits ? words.againWaits : moment === null ? words.againDecide : words.again}
      </button>
      <span role="alert" class="trouble">
        {problem !== null && words.againFailed}
      </span>
    </div>
  )

  async function begin(): Promise<void> {
    if (waits) return
    const isStillHere = stillHere(game)
    const place = moment === null ? {} : { npc: moment.npc, pivot: moment.pivot }
    const wish = againWish({ run: run.id, ...place }, () => sessionStorage, newId)
    setWaits(true)
    setProblem(null)
    try {
      const { run: begun } = await game.api.again({ ...place, cid: wish.cid })
      wish.fulfil()
      game.keepRun(begun, run.scenario)
      copyNotebook(run.id, begun.id)
      // The reason can be written on, and what to do is open again.
      if (run.decision !== null)
        keepDraft(begun.id, { ...NO_DRAFT, reason: run.decision.reason, unticked: run.decision.unticked ?? [] })
      if (!isStillHere()) return game.note(t.shell.begunMeanwhile)
      const npc = leadsTo ?? moment?.npc
      game.go(npc === undefined ? { screen: 'decide', run: begun.id } : { screen: 'talk', run: begun.id, npc })
      game.note(words.againBegun(name))
    } catch (error) {
      const refused = problemOf(error)
      if (refused.next === 'give-up') wish.fulfil()
      setProblem(refused)
      setWaits(false)
    }
  }
}

/**
 * A request for a new run. The request has a random id (`cid`), which it keeps until the service answers. If the answer
 * is lost or the page is reloaded, a retry with the same `cid` gets the same new run.
 */
export interface AgainWish {
  readonly cid: string
  /**
   * Forgets the `cid`. The caller does this when the service has begun the run, or has told the page not to try again.
   */
  fulfil(): void
}

/**
 * Makes a request for a new run from a pivot or the decision, or continues the unanswered request for the same moment.
 *
 * @param storage returns this tab's storage; may throw where storage is denied, in which case the `cid` stays in memory
 * @param newId returns a random id
 */
export function againWish(
  moment: { run: string; npc?: string; pivot?: string },
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  newId: () => string,
): AgainWish {
  const name = `walkon-game|again|${moment.run}|${moment.npc ?? ''}|${moment.pivot ?? ''}`
  const cid = read() ?? held.get(name) ?? newId()
  held.set(name, cid)
  attempt(() => storage().setItem(name, cid))
  return {
    cid,
    fulfil() {
      held.delete(name)
      attempt(() => storage().removeItem(name))
    },
  }

  function read(): string | null {
    return attempt(() => storage().getItem(name)) ?? null
  }
}

/** The `cid` of each unanswered request, for browsers that deny storage. */
const held = new Map<string, string>()

function attempt<T>(keep: () => T): T | undefined {
  try {
    return keep()
  } catch {
    return undefined
  }
}
