import { keptLocale, pickLocale } from './texts/locale.ts'
import { loadTexts, tellLanguage } from './texts/texts.ts'

// An address with a run needs the run's screens, so they start to load together with the rest of the page.
if (location.hash.startsWith('#/run/')) void import('./run-screens.ts').catch(() => undefined)

// This file is small, so that the request for the texts starts while the game's main script is still loading.
const [{ startGame }] = await Promise.all([
  import('./start-game.tsx'),
  loadTexts(pickLocale(location.search, keptLocale(), navigator.languages)),
])
tellLanguage()
startGame()
