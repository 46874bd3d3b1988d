import { MAX_QUERIES, MAX_QUERY_CHARACTERS } from '../reply/read-answer.ts'
import type { Request } from '../walk/event.ts'
import { answerSchema, TEXTS } from './answer-schema.ts'
import { list, oneLine, quoted, section } from './prompt-text.ts'
import type { AnswerSchema } from './task.ts'
import type { TaskMatter } from './task-sections.ts'
import {
  answerSection,
  behaviorSection,
  historySection,
  learnerSection,
  mindSection,
  whereSection,
} from './task-sections.ts'

/** Which queries to put to memory. A recall that has its queries written out needs no such task. */
export function recallTask(
  request: Extract<Request, { type: 'recall-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const user = [
    section('WHAT TO DO', WRITE),
    section('WHAT YOU WANT TO KNOW', oneLine(request.requested ?? ANYTHING)),
    section('ASKED BEFORE (asking again finds the same)', list(request.performed.map(quoted), '- (nothing)')),
    whereSection(matter),
    behaviorSection(matter),
    historySection(matter),
    mindSection(matter),
    learnerSection(matter),
    answerSection(
      `{"queries": ["…", "…"]}; at most ${MAX_QUERIES}, each a short phrase of at most ${MAX_QUERY_CHARACTERS} characters; {"queries": []} when there is nothing worth asking.`,
    ),
  ].join('\n\n')
  return { user, answer: answerSchema('queries', { queries: TEXTS }) }
}

const WRITE =
  'Write the queries by which to look through what is remembered of this person. Each is one thing, in the words in which it would have been said then. Name people and things; "it" finds nothing.'
const ANYTHING = 'Whatever from earlier conversations bears on what they are saying now.'
