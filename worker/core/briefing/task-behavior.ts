import type { Request } from '../walk/event.ts'
import { answerSchema, oneOf, orNull } from './answer-schema.ts'
import { oneLine, section } from './prompt-text.ts'
import type { AnswerSchema } from './task.ts'
import type { TaskMatter } from './task-sections.ts'
import { answerSection, historySection, learnerSection, mindSection, whereSection } from './task-sections.ts'

/** Which of the behavior sets applies to what the learner said, if any. Meaning decides, not words. */
export function behaviorTask(
  request: Extract<Request, { type: 'behavior-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const ids = request.offered.map(({ id }) => id)
  const user = [
    section('WHAT TO DO', MATCH),
    whereSection(matter),
    section('BEHAVIORS', request.offered.map((offer) => offered(offer, request.active)).join('\n')),
    historySection(matter),
    mindSection(matter),
    learnerSection(matter),
    answerSection('{"behavior": "the id, as it is written above"}, or {"behavior": null} when none applies.'),
  ].join('\n\n')
  return { user, answer: answerSchema('behavior', { behavior: orNull(oneOf(ids)) }) }
}

const MATCH =
  'Say which behavior applies now. Each tells what a conversation is about when it does; go by the meaning of what they said, not by its words. At most one, and most often none. The one in force stays as long as they are still on its subject.'

function offered({ id, triggers }: { id: string; triggers: readonly string[] }, active: string | null): string {
  const head = `- "${id}"${id === active ? ' (in force)' : ''}, when it is about:`
  return [head, ...triggers.map((trigger) => `    • ${oneLine(trigger)}`)].join('\n')
}
