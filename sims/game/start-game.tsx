import { render } from 'preact'
import { App } from './components/app.tsx'
import { openGame } from './open-game.ts'

/** Renders the game in place of the placeholder in the page's HTML. The caller has loaded the texts before. */
export function startGame(): void {
  const place = document.getElementById('game')
  if (!place) return
  place.replaceChildren()
  render(<App game={openGame()} />, place)
}
