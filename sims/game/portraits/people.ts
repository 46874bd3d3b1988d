import { drawingOf } from '../../../widget/portraits/people.ts'
import type { Drawing } from '../../../widget/portraits/people.ts'
import { launchDecision } from './launch-decision.ts'
import { nightShift } from './night-shift.ts'
import { thirdFigure } from './third-figure.ts'

/**
 * Returns the drawing of a colleague of any simulation. A colleague without a drawing in the game gets the widget's
 * drawing.
 */
export function castDrawing(npc: string): Drawing {
  return CAST[npc] ?? drawingOf(npc)
}

const CAST: Partial<Record<string, Drawing>> = { ...launchDecision, ...nightShift, ...thirdFigure }
