import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { laterScreens, loadRunScreens } from '../later-screens.ts'
import { JoinScreen } from '../library/join-screen.tsx'
import { LibraryScreen } from '../library/library-screen.tsx'
import { LinkScreen } from '../library/link-screen.tsx'
import { t } from '../texts/texts.ts'
import type { Route } from '../route.ts'
import type { RunScreens } from '../run-screens.ts'
import { Later, useLater } from './later.tsx'
import { Missing, NotGot, Skeleton } from './missing.tsx'

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
      return <Later key={route.screen} game={game} load={laterScreens[route.screen]} />
    default:
      return <RunScreen key={`${route.run} ${isRoom(route.screen) ? 'room' : route.screen}`} game={game} />
  }
}

/** The desk and the talk are one room: whoever sits down with somebody stays among the others. */
const isRoom = (screen: string) => screen === 'desk' || screen === 'talk'

/** The screens of a run: there once the run and what it plays are known. */
function RunScreen({ game }: { game: Game }) {
  const { route, asked, key, card, cards } = game.store
  const { value, problem, waits } = asked.value
  const { screen } = route.value
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
  return <Ready game={game} card={card.value} run={value} screen={screen} />
}

function Ready({
  game,
  card,
  run,
  screen,
}: {
  game: Game
  card: SimulationCard
  run: RunView
  screen: Route['screen']
}) {
  const screens = useLater<RunScreens>(loadRunScreens)
  if (screen === 'debrief') return <Later game={game} load={laterScreens.debrief} />
  if (screens.failed) return <NotGot waits={false} onAgain={() => location.reload()} />
  if (screens.value === null) return <Skeleton lines={5} />
  const { BriefingScreen, NotebookScreen, DecideScreen, DeskScreen } = screens.value
  switch (screen) {
    case 'briefing':
      return <BriefingScreen game={game} card={card} run={run} />
    case 'notebook':
      return <NotebookScreen game={game} />
    case 'decide':
      return <DecideScreen game={game} />
    default:
      return <DeskScreen game={game} card={card} run={run} />
  }
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
