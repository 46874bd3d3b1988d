import type { Request } from '../walk/event.ts'
import { answerSchema, TEXT } from './answer-schema.ts'
import { list, oneLine, section } from './prompt-text.ts'
import type { AnswerSchema } from './task.ts'
import type { TaskMatter } from './task-sections.ts'
import {
  answerSection,
  behaviorSection,
  historySection,
  learnerSection,
  mindSection,
  saidSection,
  standingSection,
  whereSection,
} from './task-sections.ts'

/** A note to oneself for the turns to come: what follows, not how it was found. */
export function reflectionTask(
  request: Extract<Request, { type: 'reflection-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const { knowledge, document } = matter.scene.npc
  const user = [
    section('WHAT TO DO', CONCLUDE),
    section('THE QUESTION', oneLine(request.problem)),
    whereSection(matter),
    behaviorSection(matter),
    section('WHAT YOU KNOW', list(knowledge)),
    ...(document ? [section('YOUR DOCUMENT', `${document.title}\n${list(document.lines)}`)] : []),
    historySection(matter),
    saidSection(matter),
    mindSection(matter),
    standingSection(matter),
    learnerSection(matter),
    answerSection(`{"reflection": "…"}; at most ${request.wordLimit} words.`),
  ].join('\n\n')
  return { user, answer: answerSchema('reflection', { reflection: TEXT }) }
}

const CONCLUDE =
  'Take a note for yourself that will guide you from here. Write down what you conclude: what fits together and what does not, what they left out, what that means for your next step. Only conclusions, in whole sentences; no steps of reasoning, no retelling, no plan for the whole conversation.'
