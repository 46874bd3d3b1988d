import { adoptStyles } from './adopt-styles.ts'
import { BriefingScreen } from './briefing/briefing-screen.tsx'
import { DecideScreen } from './decide/decide-screen.tsx'
import { DeskScreen } from './desk/desk-screen.tsx'
import { NotebookScreen } from './notebook/notebook-screen.tsx'
import { css } from './styles/run.css'

adoptStyles(css)

/** The screens of a run, which come together: whoever is on one of them goes to the others without waiting. */
export const runScreens = { BriefingScreen, DeskScreen, NotebookScreen, DecideScreen } as const
export type RunScreens = typeof runScreens
