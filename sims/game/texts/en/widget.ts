import * as texts from '../../../../widget/texts.ts'
import type { WidgetTexts } from '../widget-texts.ts'

/**
 * The conversation's own words. In a run there is one conversation with a colleague, so it is opened again and never begun
 * anew, and it is left for the desk.
 */
export const widget: WidgetTexts & Levels = {
  ...texts,
  close: 'Back to the desk',
  startOver: 'Open it again',
  startedOver: 'This conversation has been opened again.',
  level: {
    hostile: 'hostile',
    guarded: 'guarded',
    neutral: 'neutral',
    cooperative: 'cooperative',
    trusting: 'trusting',
  },
}

/** How a colleague stands towards the learner, in a word. */
export interface Levels {
  level: Record<'hostile' | 'guarded' | 'neutral' | 'cooperative' | 'trusting', string>
}
