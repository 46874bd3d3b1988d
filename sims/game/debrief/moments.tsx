import type { PivotView, RunView, TalkView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import { AgainButton } from './again-button.tsx'
import type { Follow } from './chapter.tsx'
import { anchorOf } from './transcript.ts'

/**
 * The pivots of a conversation: the learner's answer, the other choices, and the button that begins a new run at the
 * pivot.
 */
export function Moments({
  talk,
  name,
  run,
  game,
  follow,
}: {
  talk: TalkView
  name: string
  run: RunView
  game: Game
  follow: Follow
}) {
  const words = late.debrief
  if (talk.pivots.length === 0) return null
  return (
    <section class="moments">
      <h4>{words.pivotsTitle}</h4>
      <p id={`again-${talk.npc}`} class="small screen">
        {words.againWhat}
      </p>
      {talk.pivots.map((pivot, index) => (
        <div key={index} id={`moment-${talk.npc}-${index}`} class="moment" tabIndex={-1}>
          <p class="question" lang="x-authored" dir="auto">
            {pivot.question}
          </p>
          <Choices
            pivot={pivot}
            onRead={(turn) => follow.to(anchorOf(talk.npc, `say-${turn}`), `moment-${talk.npc}-${index}`)}
          />
          {pivot.again ? (
            <AgainButton
              moment={{ npc: talk.npc, pivot: pivot.pivot, turn: pivot.turn }}
              name={name}
              run={run}
              note={`again-${talk.npc}`}
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

function Choices({
  pivot: { choices, choice, typed, said },
  onRead,
}: {
  pivot: PivotView
  /** Leads to the learner's message of this turn in the transcript. */
  onRead: (turn: number) => void
}) {
  const words = late.debrief
  const picked = choices.find(({ id }) => id === choice?.id)
  const others = choices.filter(({ id }) => id !== choice?.id)
  return (
    <dl class="answers">
      <div data-picked="true">
        <dt class={picked || said ? undefined : 'hidden'}>{words.youSaid}</dt>
        {said && (
          <dd dir="auto">
            <q>{said.text}</q>{' '}
            <button class="link screen" type="button" onClick={() => onRead(said.turn)}>
              {words.readIt(words.turn(said.turn))}
            </button>
          </dd>
        )}
        {typed && <dd>{words.inOwnWords(picked?.text ?? null)}</dd>}
        {picked && !typed && (
          <dd lang="x-authored" dir="auto">
            <q>{picked.text}</q>
          </dd>
        )}
        {choice && (
          <dd class="effect" lang="x-authored" dir="auto">
            {choice.effect}
          </dd>
        )}
        {!picked && !typed && <dd>{words.leftOpen}</dd>}
      </div>
      {others.length > 0 && (
        <div>
          <dt>{words.youCouldHave}</dt>
          {others.map(({ id, text }) => (
            <dd key={id} lang="x-authored" dir="auto">
              <q>{text}</q>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}
