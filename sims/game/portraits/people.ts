import { drawingOf as widgetDrawing } from '../../../widget/portraits/people.ts'
import type { Drawing } from '../../../widget/portraits/people.ts'
import { launchDecision } from './launch-decision.ts'
import { nightShift } from './night-shift.ts'
import { thirdFigure } from './third-figure.ts'

/**
 * The people of all simulations, drawn as the widget's are. The build of the game puts this file in the place of
 * `widget/portraits/people.ts` (`scripts/game/exchange.ts`); whoever is not here is drawn as the widget draws them.
 */
export function drawingOf(id: string): Drawing {
  return PEOPLE[id] ?? widgetDrawing(id)
}

const PEOPLE: Partial<Record<string, Drawing>> = { ...launchDecision, ...nightShift, ...thirdFigure }
