import { render } from 'preact'
import { App } from './components/app.tsx'
import { openGame } from './open-game.ts'
import { markAuthored } from './texts/authored.ts'

/** Renders the game in place of the placeholder in the page's HTML. The caller has loaded the texts before. */
export function startGame(): void {
  const place = document.getElementById('game')
  if (!place) return
  place.replaceChildren()
  const game = openGame()
  markAuthored(() => game.store.card.value?.language ?? 'en')
  render(<App game={game} />, place)
}
