import { keptLocale, pickLocale } from './texts/locale.ts'
import { loadTexts, tellLanguage } from './texts/texts.ts'

// A learner who comes back to a run needs its screens too. Nothing waits for them here.
if (location.hash.startsWith('#/run/')) void import('./run-screens.ts').catch(() => undefined)

// This file is small, so that the texts load while the game itself is still loading.
const [{ startGame }] = await Promise.all([
  import('./start-game.tsx'),
  loadTexts(pickLocale(location.search, keptLocale(), navigator.languages)),
])
tellLanguage()
startGame()
