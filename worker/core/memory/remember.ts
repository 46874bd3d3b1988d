import type { Picked, Remembered } from './remembered.ts'
import { type Ended, whatHappened } from './what-happened.ts'

/**
 * What is worth remembering of a conversation: what happened, as the walk knows it, and what the learner told of
 * themselves, as it was picked.
 *
 * @param confidence in what was picked, from 0 to 1
 */
export function remember(ended: Ended, { said, facts }: Picked, confidence: number): Remembered {
  const evidence = (sentence: string) => facts.some(({ value }) => sentence.includes(value))
  return {
    memories: [
      ...whatHappened(ended),
      ...said.map((content) => ({ kind: 'said', content, importance: evidence(content) ? 70 : 50 }) as const),
    ],
    facts: facts.map((fact) => ({ ...fact, confidence })),
  }
}
