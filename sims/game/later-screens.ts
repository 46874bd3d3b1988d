import { loadLateTexts } from './texts/texts.ts'

/** The screens that nobody needs at once. Each comes with its styles and, once for all of them, its words. */
export const laterScreens = {
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

/** The screens of a run. */
export const loadRunScreens = async () => (await import('./run-screens.ts')).runScreens

/** The talk's own part of the page: the socket and the widget's components. */
export const loadTalk = () => import('./talk/mount-talk.tsx')

/** Gets what comes next while the browser has nothing else to do. */
export function getReadyFor(screen: string): void {
  const idle = globalThis.requestIdleCallback ?? ((call: () => void) => setTimeout(call, 1_500))
  idle(() => {
    if (screen === 'library' || screen === 'join' || screen === 'link') void loadRunScreens().catch(() => undefined)
    if (screen === 'briefing' || screen === 'desk') void loadTalk().catch(() => undefined)
    if (screen === 'decide') void laterScreens.debrief().catch(() => undefined)
  })
}
