import { render } from 'preact'
import { App } from './components/app.tsx'
import { openGame } from './open-game.ts'

/** Renders the game in place of the static picture of it in the page's HTML. The texts have loaded by then. */
export function startGame(): void {
  const place = document.getElementById('game')
  if (!place) return
  place.replaceChildren()
  render(<App game={openGame()} />, place)
}
