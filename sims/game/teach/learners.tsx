import type { ComponentChildren } from 'preact'
import type { ClassLearner, ClassView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import type { Cast } from '../people.ts'
import { format, late } from '../texts/texts.ts'
import { Sure } from './sure.tsx'
import type { Change } from './use-change.ts'

interface LearnersProps {
  readonly view: ClassView
  readonly cast: Cast
  /** The language of the class's simulation; undefined until the simulations have loaded. */
  readonly language: string | undefined
  /** The time to which "3 minutes ago" refers, in milliseconds since 1970. */
  readonly now: number
  readonly classKey: string
  readonly game: Game
  readonly waits: boolean
  readonly change: Change
}

/**
 * The table of learners, each with a button that removes the learner. On a phone the table looks like a list, but it
 * stays a table for assistive technology.
 */
export function Learners({ view, cast, language, now, classKey, game, waits, change }: LearnersProps) {
  const words = late.teach
  const { learners } = view
  const idle = learners.filter(({ people, option }) => option === null && whereaboutsOf(people).kind === 'nowhere')
  if (learners.length === 0)
    return (
      <p>
        {words.nobody} {words.nobodyNote}
      </p>
    )
  // The service returns either the facts of all learners or the facts of no learner.
  const isTold = learners.some(({ facts }) => facts !== null)
  const titles = [words.nickname, words.where, ...(isTold ? [words.heard] : []), words.decision, words.active]
  return (
    <>
      <table class="learners" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {titles.map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
            <th role="columnheader" scope="col">
              <span class="hidden">{words.remove}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {learners.map((learner) => (
            <Learner key={learner.run} learner={learner} view={view} cast={cast} language={language} now={now}>
              <Sure
                label={words.remove}
                name={words.removeOf(learner.nickname)}
                title={words.removeSure(learner.nickname)}
                says={words.removeNote}
                yes={words.remove}
                waits={waits}
                onYes={() => void remove([learner.run], words.removed(learner.nickname))}
              />
            </Learner>
          ))}
        </tbody>
      </table>
      {idle.length > 1 && (
        <div class="tools">
          <Sure
            label={words.removeIdle(idle.length)}
            title={words.removeIdleSure(idle.length)}
            says={words.removeNote}
            yes={words.remove}
            waits={waits}
            onYes={() =>
              void remove(
                idle.map(({ run }) => run),
                words.removedIdle(idle.length),
              )
            }
          />
        </div>
      )}
    </>
  )

  async function remove(runs: readonly string[], done: string): Promise<void> {
    // The button in the learner's row has the focus, and disappears with the row.
    if (await change(() => game.api.removeLearners(classKey, runs), done)) document.getElementById('learners')?.focus()
  }
}

interface LearnerProps extends Pick<LearnersProps, 'view' | 'cast' | 'language' | 'now'> {
  readonly learner: ClassLearner
  /** The button that removes the learner. */
  readonly children: ComponentChildren
}

function Learner({ learner, view, cast, language, now, children }: LearnerProps) {
  const words = late.teach
  const option = view.options.find(({ option: id }) => id === learner.option)
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <bdi>{learner.nickname}</bdi>
      </th>
      <td role="cell" class="where">
        {whereaboutsText(learner, cast)}
      </td>
      {learner.facts !== null && (
        <td role="cell" class="facts figures">
          <span class="label small" aria-hidden="true">
            {words.heard}{' '}
          </span>
          {words.heardOf(learner.facts.heard, learner.facts.deciding)}
        </td>
      )}
      <td role="cell" class="decided">
        {option ? (
          <>
            <span lang={language} dir="auto">
              {option.title}
            </span>{' '}
            {learner.verdict !== null && (
              <span class="tag" data-verdict={learner.verdict}>
                {words.verdicts[learner.verdict]}
              </span>
            )}
          </>
        ) : (
          <>
            <span class="label small" aria-hidden="true">
              {words.decision}{' '}
            </span>
            {words.undecided}
          </>
        )}
      </td>
      <td role="cell" class="active small">
        <span class="label" aria-hidden="true">
          {words.active}{' '}
        </span>
        {format.ago(learner.activeAt, now) ?? format.date(learner.activeAt)}
      </td>
      <td role="cell" class="remove">
        {children}
      </td>
    </tr>
  )
}

/** Describes, for the table, which conversations a learner has ended or is having. */
function whereaboutsText({ people }: ClassLearner, cast: Cast): string {
  const words = late.teach
  const at = whereaboutsOf(people)
  switch (at.kind) {
    case 'nowhere':
      return words.notBegun
    case 'through':
      return words.allDone
    case 'between':
      return words.doneWith(at.over, at.of)
    case 'talking':
      return words.talkingWith(format.list(at.npcs.map(cast.name)))
  }
}

/**
 * Which conversations a learner has ended or is having: `over` of `of` conversations have ended, or the learner is
 * talking with `npcs`.
 */
export type Whereabouts =
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'talking'; readonly npcs: readonly string[]; readonly over: number; readonly of: number }
  | { readonly kind: 'between'; readonly over: number; readonly of: number }
  | { readonly kind: 'through' }

export function whereaboutsOf(people: ClassLearner['people']): Whereabouts {
  const of = people.length
  const over = people.filter(({ status }) => status === 'over').length
  const npcs = people.filter(({ status }) => status === 'talking').map(({ npc }) => npc)
  if (npcs.length > 0) return { kind: 'talking', npcs, over, of }
  if (over === 0) return { kind: 'nowhere' }
  return over === of ? { kind: 'through' } : { kind: 'between', over, of }
}
