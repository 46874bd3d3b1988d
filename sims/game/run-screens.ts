import { adoptStyles } from './adopt-styles.ts'
import { BriefingScreen } from './briefing/briefing-screen.tsx'
import { DecideScreen } from './decide/decide-screen.tsx'
import { DeskScreen } from './desk/desk-screen.tsx'
import { NotebookScreen } from './notebook/notebook-screen.tsx'
import { css } from './styles/run.css'

adoptStyles(css)

/**
 * The screens of a run by their names in the address. They load together, so that going from one to another needs no
 * waiting. A talk is part of the desk: the other colleagues stay in view.
 */
export const runScreens = {
  briefing: BriefingScreen,
  desk: DeskScreen,
  talk: DeskScreen,
  notebook: NotebookScreen,
  decide: DecideScreen,
} as const
