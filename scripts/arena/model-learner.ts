import * as z from 'zod'
import { type Actor, ActorError } from '../../worker/actor/actor.ts'
import { createOpenAiActor } from '../../worker/actor/openai-actor.ts'
import { ConfigError, readConfig } from '../../worker/env.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { objectIn, withoutReasoning } from '../../worker/core/reply/read-answer.ts'
import { contentStems } from '../../worker/core/text/stems.ts'
import { readWords } from '../../worker/core/text/words.ts'
import type { Act, Persona, Sight } from './persona.ts'
import { decidingSaid, goodbyeAt, repliesOf } from './measure.ts'
import { takesLeave } from './phrases.ts'
import type { ArenaTalk, NextAct } from './play-talk.ts'

const LEARNER = /^WALKON_LEARNER_(BASE_URL|API_KEY|MODEL)$/

/**
 * Returns the model that plays the learners, or null if none is configured. Its settings are named like the actor's:
 * `WALKON_LEARNER_BASE_URL`, `WALKON_LEARNER_API_KEY` and `WALKON_LEARNER_MODEL`. The actor's `WALKON_MODEL_*` settings
 * apply to this model too.
 *
 * @throws ConfigError with every problem in the settings
 */
export function readLearnerModel(settings: Readonly<Record<string, string>>): Actor | null {
  const entries = Object.entries(settings)
  const own = entries.flatMap(([name, value]) => {
    const field = LEARNER.exec(name)?.[1]
    return field === undefined ? [] : [[`OPENAI_${field}`, value]]
  })
  const shared = entries.filter(([name]) => name.startsWith('WALKON_MODEL_'))
  try {
    const { speaker } = readConfig(Object.fromEntries([...shared, ...own]))
    return speaker.kind === 'model' ? createOpenAiActor(speaker) : null
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(error.problems.map((problem) => problem.replaceAll('OPENAI_', 'WALKON_LEARNER_')))
  }
}

const LONGEST = 600

/** The failures after which another conversation with the same model would fail too. */
const HOPELESS: ReadonlySet<ActorError['failure']> = new Set(['unauthorized', 'unreachable', 'not-a-model'])

/**
 * Returns the function with which a model plays a learner. Each call asks the model what the learner does next. If the
 * model gives no answer, the function returns null, and the learner does nothing more.
 *
 * @throws ActorError from the returned function, if the endpoint or its key is wrong
 */
export function modelLearner(model: Actor, { about }: Persona): NextAct {
  return async (sight) => {
    try {
      const answer = await model.think(learnerTask(sight, about), new AbortController().signal)
      return readAct(answer, sight)
    } catch (error) {
      if (error instanceof ActorError && !HOPELESS.has(error.failure)) return null
      throw error
    }
  }
}

function learnerTask({ scenario, npc, lines, fork }: Sight, about: string) {
  const said = lines.map(({ who, text }) => `${who === 'npc' ? npc.name : 'You'}: ${text}`)
  const cards = fork?.choices.map(({ text }, place) => `${place + 1}. ${text}`) ?? []
  return {
    system: [
      `You play a learner in a simulation of working life. You are ${scenario.role}.`,
      `${scenario.situation.where}. ${scenario.situation.what}`,
      `You have to decide: ${scenario.decision.question}`,
      `You talk with ${npc.name}, ${npc.role}.`,
      `This is your way: you ${about}`,
      'Write your next message, one or two sentences, as a person types in a chat. You know only what is written below.',
      `Never speak for ${npc.name}, never help them, and never leave your part.`,
      'Say goodbye only if that is your way, or once you have heard what you came for.',
      'Answer with JSON: {"say": "your message", "card": null}. To pick one of the cards, "card" is its number.',
    ].join('\n'),
    user: [
      said.length > 0 ? said.join('\n') : 'Nobody has said anything yet.',
      ...(cards.length > 0 ? ['', 'CARDS:', ...cards] : []),
    ].join('\n'),
    answer: { name: 'message', schema: MESSAGE },
    request: { type: 'remember-request', said: [] },
  } as const
}

const MESSAGE = {
  type: 'object',
  additionalProperties: false,
  required: ['say', 'card'],
  properties: { say: { type: 'string' }, card: { type: ['integer', 'null'] } },
} as const

const acted = z.object({
  say: z.string().default(''),
  card: z.coerce.number().int().nullable().catch(null).default(null),
})

/**
 * Reads a model's answer as JSON. If the answer is not the requested JSON, the whole answer without its reasoning is
 * the learner's message. Returns null if the message is empty.
 */
function readAct(answer: string, { fork }: Sight): Act | null {
  const { say, card } = acted.safeParse(objectIn(answer)).data ?? { say: withoutReasoning(answer), card: null }
  if (card !== null && fork?.choices[card - 1]) return { text: String(card), picks: true }
  const text = say.trim().slice(0, LONGEST)
  return text === '' ? null : { text }
}

/** Why a conversation with a simulated learner doesn't count. */
export type LearnerFault = 'silent' | 'broke-role' | 'left-early' | 'looped' | 'forgot' | 'asked-otherwise'

/**
 * Returns how a simulated learner departed from their persona; null if they did not. The function judges the learner
 * and not the colleague, and finds only faults that the texts show.
 */
export function learnerFault(talk: ArenaTalk, persona: Persona, npc: Npc): LearnerFault | null {
  const messages = talk.exchanges.flatMap(({ learner, isCard }) => (isCard ? [] : [learner]))
  if (talk.end === 'open' && talk.exchanges.every(({ reply }) => reply !== null)) return 'silent'
  if (messages.some((text) => BREAKS_ROLE.test(text) || text.startsWith(`${npc.name}:`))) return 'broke-role'
  const bye = goodbyeAt(talk)
  const isUntold = decidingSaid(npc, repliesOf(talk).slice(0, bye + 1)) === false
  if (!persona.leaves && bye >= 0 && (isUntold || bye < FEWEST_BEFORE_BYE)) return 'left-early'
  if (persona.name !== 'bot' && messages.some((text) => ASKS_FOR_A_BOT.test(text))) return 'asked-otherwise'
  const keys = messages.filter((text) => !takesLeave(text)).map(keyOf)
  if (keys.some((key, place) => key === keys[place + 1] && key === keys[place + 2])) return 'looped'
  const questions = messages
    .filter((text) => text.trim().endsWith('?'))
    .map(keyOf)
    .filter((key) => key.includes(' '))
  return new Set(questions).size < questions.length ? 'forgot' : null
}

/** A learner whose persona doesn't leave early must send at least this number of messages before they say goodbye. */
const FEWEST_BEFORE_BYE = 3

const BREAKS_ROLE =
  /\bas an? (?:ai|language model|assistant)\b|\bi(?:'m| am) (?:an? )?(?:ai|language model|assistant)\b|how (?:can|may) i (?:help|assist) you|\b(?:system prompt|persona|node_satisfied|learner's next message)\b/i
const ASKS_FOR_A_BOT =
  /\b(?:are you|is this|am i talking to) (?:really )?(?:an? )?(?:bot|ai|machine|chatbot|robot|language model)\b/i

/**
 * Returns a message's meaningful words in a fixed order, so that two messages with the same words in another order have
 * the same key. Returns all words if none is meaningful.
 */
function keyOf(text: string): string {
  const words = readWords(text)
  const stems = [...contentStems(words, new Map())]
  return (stems.length > 0 ? stems.toSorted() : words.map(({ word }) => word)).join(' ')
}
