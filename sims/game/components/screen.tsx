import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { JoinScreen } from '../library/join-screen.tsx'
import { LibraryScreen } from '../library/library-screen.tsx'
import { LinkScreen } from '../library/link-screen.tsx'
import type { Route } from '../route.ts'
import { loadLateScreen, loadRunScreens } from '../screens.ts'
import { t } from '../texts/texts.ts'
import { Missing, NotGot, Skeleton } from './missing.tsx'

type RunRoute = Extract<Route, { readonly run: string }>

/** The screen that the address names. */
export function Screen({ game }: { game: Game }) {
  const route = game.store.route.value
  switch (route.screen) {
    case 'library':
      return <LibraryScreen key="library" game={game} />
    case 'join':
      return <JoinScreen key={`join ${route.code}`} game={game} code={route.code} />
    case 'link':
      return <LinkScreen key="link" game={game} linkKey={route.key} />
    case 'result':
    case 'teach':
    case 'class':
      return <Later key={route.screen} game={game} load={loadLateScreen[route.screen]} />
    default:
      return <RunScreen key={keyOf(route)} game={game} screen={route.screen} />
  }
}

/**
 * Returns the Preact key of a run's screen. The desk and a talk get the same key, because only the middle of the screen
 * differs, and with one key Preact keeps the rest.
 */
function keyOf({ run, screen }: RunRoute): string {
  return `${run} ${screen === 'talk' ? 'desk' : screen}`
}

/** Shows a screen of a run once the run and its simulation have loaded. */
function RunScreen({ game, screen }: { game: Game; screen: RunRoute['screen'] }) {
  const { asked, key, card, cards } = game.store
  const { value, problem, waits } = asked.value
  if (key.value === '') return <Missing title={t.shell.noKey} says={t.shell.noKeySays} />
  if (problem?.next === 'start-over' || problem?.code === 'not-admitted') return <Gone game={game} />
  if (value === null) {
    if (problem === null) return <Skeleton lines={5} />
    return <NotGot waits={waits} onAgain={() => void game.refresh()} />
  }
  if (card.value === null) {
    const { value: known, problem: why } = cards.value
    if (known !== null) return <Missing title={t.shell.unknownSimulation} says={t.shell.unknownSimulationSays} />
    if (why === null) return <Skeleton lines={5} />
    return <NotGot waits={cards.value.waits} onAgain={() => void game.loadCards()} />
  }
  return <ReadyScreen game={game} card={card.value} run={value} screen={screen} />
}

function ReadyScreen({
  game,
  card,
  run,
  screen,
}: {
  game: Game
  card: SimulationCard
  run: RunView
  screen: RunRoute['screen']
}) {
  // The debrief uses the styles of the run's screens, so it loads those screens as well.
  const { value: screens, failed } = useLater(loadRunScreens)
  if (screen === 'debrief') return <Later game={game} load={loadLateScreen.debrief} />
  if (failed) return <NotGot waits={false} onAgain={() => location.reload()} />
  if (screens === null) return <Skeleton lines={5} />
  const RunScreenType = screens[screen]
  return <RunScreenType game={game} card={card} run={run} />
}

function Gone({ game }: { game: Game }) {
  const { runId } = game.store
  return (
    <Missing title={t.shell.gone} says={t.shell.goneSays}>
      <button
        class="button main"
        type="button"
        onClick={() => {
          game.forgetRun(runId.value ?? '')
          game.go({ screen: 'library' }, 'replace')
        }}
      >
        {t.shell.forget}
      </button>
    </Missing>
  )
}

type ScreenType = ComponentType<{ game: Game }>

interface Later<T> {
  readonly value: T | null
  readonly failed: boolean
}

/**
 * Loads a screen when the learner goes to the screen. Shows a skeleton while the screen loads, and a button if the
 * screen could not be loaded.
 */
function Later({ load, game }: { load: () => Promise<ScreenType>; game: Game }) {
  const { value: Screen, failed } = useLater(load)
  // A browser remembers that a module failed to load. Only a reloaded page requests the module again.
  if (failed) return <NotGot waits={false} onAgain={() => location.reload()} />
  return Screen ? <Screen game={game} /> : <Skeleton />
}

/**
 * Loads a module, such as a screen's code, when a component first needs it. If the module was loaded before, the
 * function returns the module at once, so no placeholder appears.
 */
function useLater<T>(load: () => Promise<T>): Later<T> {
  const [state, setState] = useState<Later<T>>({
    value: loaded.has(load) ? (loaded.get(load) as T) : null,
    failed: false,
  })
  useEffect(() => {
    let isHere = true
    load().then(
      (value) => {
        loaded.set(load, value)
        if (isHere) setState({ value, failed: false })
      },
      () => isHere && setState({ value: null, failed: true }),
    )
    return () => {
      isHere = false
    }
  }, [load])
  return state
}

const loaded = new Map<unknown, unknown>()
