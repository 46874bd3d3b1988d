import { keptLocale, pickLocale } from './texts/locale.ts'
import { loadTexts, tellLanguage } from './texts/texts.ts'

// Whoever comes back to a run needs its screens as well; nothing waits for them here.
if (location.hash.startsWith('#/run/')) void import('./run-screens.ts').catch(() => undefined)

// Small, so that the words are on their way while the game itself still is.
const [{ startGame }] = await Promise.all([
  import('./start-game.tsx'),
  loadTexts(pickLocale(location.search, keptLocale(), navigator.languages)),
])
tellLanguage()
startGame()
