import type { ComponentChildren } from 'preact'
import type { ResultView } from '../../../worker/wire/run.ts'
import { adoptStyles } from '../adopt-styles.ts'
import { useAnswer } from '../debrief/use-answer.ts'
import { problemOf } from '../run-api.ts'
import type { Game } from '../game.ts'
import { cardOf } from '../library/stand.ts'
import { hrefOf } from '../route.ts'
import { format, late } from '../texts/texts.ts'
import { css } from './result.css'

adoptStyles(css)

/** Shows whether a result is genuine and what it contains, to anyone who has the link. The reader needs no run. */
export function ResultScreen({ game }: { game: Game }) {
  const route = game.store.route.value
  const signed = route.screen === 'result' ? route.result : ''
  const { value, problem, again } = useAnswer(() => check(game, signed), signed)
  const words = late.result
  const isKnown = value !== null
  return (
    <article class="result" aria-busy={!isKnown && problem === null}>
      <Head view={value} isUnchecked={problem !== null} />
      {value?.genuine && <Said view={value.genuine} game={game} />}
      {problem !== null && (
        <button class="button" type="button" onClick={again}>
          {words.tryAgain}
        </button>
      )}
      <p>
        <a href={hrefOf({ screen: 'library' })}>{words.toLibrary}</a>
      </p>
    </article>
  )
}

/** The outcome of checking a signature. `genuine` is the result; null if this service did not sign the text. */
interface Checked {
  readonly genuine: ResultView | null
}

/** The codes with which the service refuses a text that it never signed, or a text that is longer than any result. */
const NOT_OURS: ReadonlySet<string> = new Set(['not-genuine', 'malformed', 'too-long'])

/**
 * Asks the service to check a signed result. Only the service's refusal proves that the result is not genuine. A failed
 * request proves nothing.
 *
 * @throws RunApiError if the check failed
 */
async function check(game: Game, signed: string): Promise<Checked> {
  try {
    return { genuine: await game.api.result(signed) }
  } catch (error) {
    const problem = problemOf(error)
    if (NOT_OURS.has(problem.code)) return { genuine: null }
    throw problem
  }
}

function Head({ view, isUnchecked }: { view: Checked | null; isUnchecked: boolean }) {
  const words = late.result
  const [stamp, title, note] = isUnchecked
    ? ['unchecked', words.unchecked, words.uncheckedNote]
    : view === null
      ? ['checking', words.title, words.checking]
      : view.genuine
        ? ['genuine', words.genuine, words.genuineNote]
        : ['not-genuine', words.notGenuine, words.notGenuineNote]
  return (
    <header data-stamp={stamp}>
      <svg class="stamp" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
        <path class="line" d={STAMPS[stamp] ?? ''} />
      </svg>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="measure" role="status">
        {note}
      </p>
    </header>
  )
}

const RING = 'M20 4A16 16 0 1 1 19.990 4Z'
const STAMPS: Readonly<Record<string, string>> = {
  checking: RING,
  unchecked: `${RING}M20 11.500V22M20 27.500V28`,
  genuine: `${RING}M12.500 20.500 18 26 28 14.500`,
  'not-genuine': `${RING}M14 14 26 26M26 14 14 26`,
}

function Said({ view, game }: { view: ResultView; game: Game }) {
  const words = late.result
  const language = cardOf(game.store.cards.value.value, view.scenario)?.language
  return (
    <>
      <dl class="sheet paper">
        <Entry name={words.simulation} language={language}>
          {view.title}
        </Entry>
        <Entry name={words.decision} language={language}>
          {view.optionTitle}
        </Entry>
        <Entry name={words.verdict}>{words.verdicts[view.verdict]}</Entry>
        <Entry name={words.facts}>{words.factsLine(view.facts)}</Entry>
        <Entry name={words.objectives}>{words.objectivesLine(view.objectives)}</Entry>
        <Entry name={words.learner}>{view.nickname === null ? words.anonymous : <bdi>{view.nickname}</bdi>}</Entry>
        {view.class !== null && (
          <Entry name={words.inClass}>
            <bdi>{view.class}</bdi>
          </Entry>
        )}
        <Entry name={words.run}>
          <bdi>{view.run}</bdi>
        </Entry>
        {view.again && <Entry name={words.again}>{words.againFrom}</Entry>}
        <Entry name={words.began}>
          <time dateTime={new Date(view.startedAt).toISOString()}>{format.dateTime(view.startedAt)}</time>
        </Entry>
        <Entry name={words.decided}>
          <time dateTime={new Date(view.decidedAt).toISOString()}>{format.dateTime(view.decidedAt)}</time>
        </Entry>
      </dl>
      <p class="small measure">
        {words.since(format.date(view.decidedAt))} {words.note} {view.class !== null && words.classNote}
      </p>
    </>
  )
}

function Entry({
  name,
  language,
  children,
}: {
  name: string
  /** The language of the entry, if it is not the page's. */
  language?: string | undefined
  children: ComponentChildren
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto" lang={language}>
        {children}
      </dd>
    </div>
  )
}
