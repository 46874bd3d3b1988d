import { englishTexts } from '../../../../widget/texts.ts'
import type { ConversationTexts } from '../../../../widget/texts.ts'

const startOver = 'Open it again'

/**
 * What a conversation says. In a run there is one conversation with a colleague: a learner opens it again, and leaves it for
 * the desk.
 */
export const widget: ConversationTexts = {
  ...englishTexts,
  close: 'Back to the desk',
  startOver,
  startedOver: 'This conversation has been opened again.',
  again: (refusal) => (refusal?.next === 'start-over' ? startOver : englishTexts.tryAgain),
}
