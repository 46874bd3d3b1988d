import { adoptStyles } from './adopt-styles.ts'
import { BriefingScreen } from './briefing/briefing-screen.tsx'
import { DecideScreen } from './decide/decide-screen.tsx'
import { DeskScreen } from './desk/desk-screen.tsx'
import { NotebookScreen } from './notebook/notebook-screen.tsx'
import { css } from './styles/run.css'

adoptStyles(css)

/**
 * The screens of a run by their names in the address. The screens load together, so that the learner can change screens
 * without waiting. A talk (a conversation with a colleague) uses the desk's screen, so that the other colleagues stay
 * visible.
 */
export const runScreens = {
  briefing: BriefingScreen,
  desk: DeskScreen,
  talk: DeskScreen,
  notebook: NotebookScreen,
  decide: DecideScreen,
} as const
