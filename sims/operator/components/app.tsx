import { addressOf, ALL_RUNS, onLinkClick } from '../address.ts'
import type { Desk } from '../desk.ts'
import { RunScreen } from './run-screen.tsx'
import { RunsScreen } from './runs-screen.tsx'
import { ToldScreen } from './told-screen.tsx'
import { SignIn } from './sign-in.tsx'

const NO_SESSION = { screen: 'told', session: '', turn: null } as const

/** The whole operator page. */
export function App({ desk }: { desk: Desk }) {
  const { entry, view } = desk.store
  const isIn = entry.value.stage === 'in'
  return (
    <>
      <header class="top">
        <p class="house">
          <a href={addressOf(ALL_RUNS)} onClick={onLinkClick(() => desk.go(ALL_RUNS))}>
            Walkon
          </a>
          <span class="small">Operator</span>
        </p>
        {isIn && (
          <p class="acts">
            <a class="small" href={addressOf(NO_SESSION)} onClick={onLinkClick(() => desk.go(NO_SESSION))}>
              What was sent
            </a>
            <button class="bare" type="button" onClick={() => desk.signOut()}>
              Sign out
            </button>
          </p>
        )}
      </header>
      <main>
        {!isIn && <SignIn desk={desk} />}
        {isIn && view.value.screen === 'runs' && <RunsScreen desk={desk} view={view.value} />}
        {isIn && view.value.screen === 'run' && <RunScreen desk={desk} view={view.value} />}
        {isIn && view.value.screen === 'told' && <ToldScreen desk={desk} view={view.value} />}
      </main>
    </>
  )
}
