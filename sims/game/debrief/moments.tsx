import type { PivotView, RunView, TalkView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import { AgainButton } from './again-button.tsx'

/**
 * The pivots of a conversation: the learner's choice, the other choices, and the button that begins a new run at the
 * pivot.
 */
export function Moments({ talk, name, run, game }: { talk: TalkView; name: string; run: RunView; game: Game }) {
  const words = late.debrief
  if (talk.pivots.length === 0) return null
  const note = `again-${talk.npc}`
  return (
    <section class="moments">
      <h4>{words.pivotsTitle}</h4>
      {talk.pivots.some(({ again }) => again) && (
        <p id={note} class="small measure screen">
          {words.againWhat}
        </p>
      )}
      {talk.pivots.map((pivot, index) => (
        <div key={index} class="moment">
          <p class="question" lang="en" dir="auto">
            {pivot.question}
          </p>
          <Choices pivot={pivot} />
          {pivot.again ? (
            <AgainButton
              moment={{ npc: talk.npc, pivot: pivot.pivot, turn: pivot.turn }}
              name={name}
              run={run}
              note={note}
              game={game}
            />
          ) : (
            <p class="small">{words.againGone}</p>
          )}
        </div>
      ))}
    </section>
  )
}

function Choices({ pivot: { choices, choice } }: { pivot: PivotView }) {
  const words = late.debrief
  const picked = choices.find(({ id }) => id === choice?.id)
  const others = choices.filter(({ id }) => id !== choice?.id)
  return (
    <dl class="answers">
      {picked ? (
        <div data-picked="true">
          <dt>{words.youSaid}</dt>
          <dd lang="en" dir="auto">
            <q>{picked.text}</q>
          </dd>
          {choice && (
            <dd class="effect" lang="en" dir="auto">
              {choice.effect}
            </dd>
          )}
        </div>
      ) : (
        <div data-picked="true">
          <dt class="hidden">{words.youSaid}</dt>
          <dd>{words.momentPassed}</dd>
        </div>
      )}
      {others.length > 0 && (
        <div>
          <dt>{words.youCouldHave}</dt>
          {others.map(({ id, text }) => (
            <dd key={id} lang="en" dir="auto">
              <q>{text}</q>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}
