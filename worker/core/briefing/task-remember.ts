import { type Ended, FACT_KEYS, MOST_FACTS, MOST_SAID, sentencesOf } from '../memory/remembered.ts'
import { answerSchema, answerSection, listOf, oneOf, recordOf, taskSystem, TEXT, TEXTS } from './task-sections.ts'
import { inQuotes, section } from './prompt-text.ts'
import type { PickTask } from './task.ts'

/** The maximum number of UTF-16 code units of the learner's sentences in the task. The latest sentences are kept. */
const CHARACTERS = 12_000

/**
 * Builds the task that picks, after a conversation has ended, the learner's sentences worth remembering and the facts
 * they state about themselves. The task does not ask what happened in the conversation, because the walk records the
 * events.
 *
 * @param said the learner's messages, oldest first
 */
export function rememberTask({ scenario, npc, graph }: Ended, said: readonly string[]): PickTask {
  const user = [
    section('WHAT TO DO', PICK),
    section('WHAT THEY SAID', linesOf(said)),
    answerSection(
      `{"said": ["a sentence of theirs, word for word"], "facts": [{"key": "…", "value": "…"}]}; at most ${MOST_SAID} sentences and ${MOST_FACTS} facts. A key is one of ${FACT_KEYS.join(', ')}; a value is as short as can be, in words that stand in what they said. {"said": [], "facts": []} when there is nothing.`,
    ),
  ].join('\n\n')
  const fact = recordOf({ key: oneOf(FACT_KEYS), value: TEXT })
  const answer = answerSchema('remembered', { said: TEXTS, facts: listOf(fact) })
  return { system: taskSystem(scenario, npc, graph), user, answer, request: { type: 'remember-request', said } }
}

const PICK =
  'The conversation is over. Pick what is worth knowing when you meet this person again: what they do, what they are up against, what they said they would do, what they asked of you. Copy whole sentences of theirs, word for word. Leave out what was only polite, what is about others, and all that you would have to guess.'

function linesOf(said: readonly string[]): string {
  const lines: string[] = []
  let left = CHARACTERS
  for (const sentence of sentencesOf(said).toReversed()) {
    left -= sentence.length
    if (left < 0) break
    lines.unshift(`- ${inQuotes(sentence)}`)
  }
  return lines.length === 0 ? '- (nothing)' : lines.join('\n')
}
