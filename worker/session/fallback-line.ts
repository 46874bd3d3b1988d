/**
 * What a colleague says when no reply could be had: somebody called away or lost for a word, and the learner free to
 * go on. Picked by turn, so that two in a row are not the same.
 */
export function fallbackLine(turn: number): string {
  return LINES[turn % LINES.length] ?? 'Sorry, I lost my thread. Say that once more?'
}

/** The same in the last turn, after which nobody answers any more. */
export const LAST_FALLBACK_LINE = "Sorry, they're waving at me from the door and I have to go. You know where I stand."

const LINES = [
  'Sorry, someone just pulled at my sleeve and I lost my thread. Say that once more?',
  'Hang on, I have to take this call. Ask me again in a moment.',
  'I started to answer and it came out wrong. Give me that one again?',
  'Sorry, my head was still in the last meeting. What was it you said?',
] as const
