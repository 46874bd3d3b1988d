import type { Heading } from './detour.ts'
import type { Heard } from './hear.ts'
import { isLost, wantsNothingMore } from './hear.ts'

/**
 * Null when the learner is ready for a guide to go on. A word is enough, and so is a question, whoever's it is; only
 * somebody who is lost, asks to wait, can't be read or is elsewhere with their thoughts is not.
 */
export function whyNotReady(heard: Heard, heading: Heading): string | null {
  if (heard.manner === 'wordless' || heard.manner === 'foreign' || heard.manner === 'insult')
    return `only a ${heard.manner} message`
  if (isLost(heard)) return 'did not follow'
  if (HOLDS.test(heard.plain)) return 'asked to wait'
  if (wantsNothingMore(heard)) return null
  const strays = heading.to === 'elsewhere' || (heading.to === 'small-talk' && heading.strays)
  return strays ? 'about something else' : null
}

const HOLDS =
  /^(?:(?:ok|okay|no|sorry|please|but|um+|uh+)[\s,.!]+)*(?:wait|hold on|hang on|stop|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|not (?:yet|so fast)|slow(?:er)?(?: down)?)\b/
