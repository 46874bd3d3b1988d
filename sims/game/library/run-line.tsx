import { useState } from 'preact/hooks'
import { clean } from '../../../widget/clean.ts'
import type { SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import type { KeptRun } from '../kept-runs.ts'
import { calledName } from '../people.ts'
import { hrefOf } from '../route.ts'
import { format, t } from '../texts/texts.ts'
import { optionTitle, standOf } from './stand.ts'
import type { Stand } from './stand.ts'

/** A run in the library: its state, the button to continue the run, its link, and the button to forget the run. */
export function RunLine({
  game,
  run,
  card,
  isLit,
}: {
  game: Game
  run: KeptRun
  card: SimulationCard | null
  /** Whether this run was begun last. If it was, this run's button is the main button. */
  isLit: boolean
}) {
  const asked = game.store.runs.value.get(run.id)
  const view = asked?.value ?? null
  const stand = standOf(view, card?.guide ?? '')
  const isGone = asked?.problem?.next === 'start-over' || asked?.problem?.code === 'not-admitted'
  const chosen = optionTitle(view?.decision?.option, view, card)
  const nameOf = (npc: string) => calledName(card?.people.find(({ id }) => id === npc))
  return (
    <li class="run" data-stand={stand.kind}>
      <div>
        <h3 id={`run-${run.id}`}>
          <span lang={card?.language ?? 'en'} dir="auto">
            {card?.title ?? run.scenario}
          </span>
        </h3>
        <p class="small">
          {(isGone || stand.kind !== 'begun') && (
            <span class="stand">{isGone ? t.shell.gone : standWord(stand, nameOf)}</span>
          )}
          {chosen !== undefined && (
            <span lang="x-authored" dir="auto">
              {clean(chosen)}
            </span>
          )}
          <span>{begunWords(view?.startedAt ?? run.at)}</span>
          {view?.nickname != null && <bdi>{view.nickname}</bdi>}
          {view?.class && <span>{t.shell.inClass(view.class.title)}</span>}
          {view?.again && <span>{t.shell.againFrom(view.again.npc && nameOf(view.again.npc))}</span>}
        </p>
      </div>
      <div class="doings">
        {!isGone && (
          <a
            class={isLit ? 'button main' : 'button'}
            href={hrefOf({ screen: stand.kind === 'decided' ? 'debrief' : 'desk', run: run.id })}
            aria-describedby={`run-${run.id}`}
          >
            {stand.kind === 'decided' ? t.shell.seeDebrief : t.shell.goOn}
          </a>
        )}
        <RunMenu game={game} run={run} isGone={isGone} />
      </div>
    </li>
  )
}

function begunWords(at: number): string {
  const since = format.ago(at, Date.now())
  return since === null ? t.shell.begunOn(format.date(at)) : t.shell.begun(since)
}

function standWord(stand: Stand, nameOf: (npc: string) => string): string {
  return stand.kind === 'with' ? t.shell.with(nameOf(stand.npc)) : t.shell.stands[stand.kind]
}

/**
 * The link for another device, and the button that forgets the run. Both are folded, because learners rarely need them.
 */
function RunMenu({ game, run, isGone }: { game: Game; run: KeptRun; isGone: boolean }) {
  const [isSure, setIsSure] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const copy = async () => {
    const address = new URL(hrefOf({ screen: 'link', key: run.key }), location.href).href
    try {
      await navigator.clipboard.writeText(address)
      game.note(t.shell.copied)
    } catch {
      setLink(address)
      game.announce(t.shell.notCopied)
    }
  }
  const forget = () => {
    game.forgetRun(run.id)
    game.note(t.shell.forgotten)
    document.querySelector<HTMLElement>('main h1')?.focus()
  }
  return (
    <details class="run-menu">
      <summary class="bare" aria-describedby={`run-${run.id}`}>
        {t.shell.runMenu}
      </summary>
      <div>
        {!isGone && (
          <button class="bare" type="button" onClick={() => void copy()}>
            {t.shell.copyLink}
          </button>
        )}
        {link !== null && (
          <label class="field">
            <span class="small">{t.shell.notCopied}</span>
            <input
              class="link"
              readOnly
              value={link}
              dir="ltr"
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          </label>
        )}
        {isSure ? (
          <p class="sure" role="group" aria-label={t.shell.forget}>
            <span>{t.shell.forgetSure}</span>
            <button class="button" type="button" onClick={forget}>
              {t.shell.forgetYes}
            </button>
            <button class="bare" type="button" onClick={() => setIsSure(false)}>
              {t.shell.forgetNo}
            </button>
          </p>
        ) : (
          <button class="bare" type="button" onClick={() => (isGone ? forget() : setIsSure(true))}>
            {t.shell.forget}
          </button>
        )}
      </div>
    </details>
  )
}
