import { render } from 'preact'
import { App } from './components/app.tsx'
import { openGame } from './open-game.ts'

/** Draws the game in place of the still picture of it that the page came with. The words are there by then. */
export function startGame(): void {
  const place = document.getElementById('game')
  if (!place) return
  place.replaceChildren()
  render(<App game={openGame()} />, place)
}
