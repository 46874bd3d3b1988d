import type { Route } from './route.ts'
import { loadLateTexts } from './texts/texts.ts'

/**
 * The functions that load a screen when the learner first goes to it. Each function loads the code of one screen, and
 * the texts that all these screens share.
 */
export const loadLateScreen = {
  debrief: async () => {
    const [{ DebriefScreen }] = await Promise.all([import('./debrief/debrief-screen.tsx'), loadLateTexts()])
    return DebriefScreen
  },
  result: async () => {
    const [{ ResultScreen }] = await Promise.all([import('./result/result-screen.tsx'), loadLateTexts()])
    return ResultScreen
  },
  teach: async () => {
    const [{ TeachScreen }] = await Promise.all([import('./teach/teach-screen.tsx'), loadLateTexts()])
    return TeachScreen
  },
  class: async () => {
    const [{ ClassScreen }] = await Promise.all([import('./teach/class-screen.tsx'), loadLateTexts()])
    return ClassScreen
  },
} as const

/** Loads all screens of a run together. */
export const loadRunScreens = async () => (await import('./run-screens.ts')).runScreens

const loadTalk = () => import('./talk/mount-talk.tsx')

/** The code that the browser loads while it is idle: for each screen, the code of the screen that usually follows. */
const AHEAD: Partial<Record<Route['screen'], () => Promise<unknown>>> = {
  library: loadRunScreens,
  join: loadRunScreens,
  link: loadRunScreens,
  briefing: loadTalk,
  desk: loadTalk,
  decide: loadLateScreen.debrief,
}

export function loadAhead(screen: Route['screen']): void {
  const idle = globalThis.requestIdleCallback ?? ((call: () => void) => setTimeout(call, 1_500))
  idle(() => void AHEAD[screen]?.().catch(() => undefined))
}
