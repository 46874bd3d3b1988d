import { clean } from '../text/clean.ts'
import { cap } from '../reply/characters.ts'
import { type Graph, speaks } from '../graph/graph.ts'
import { firstName, type Npc, type Scenario } from '../scenario/scenario.ts'
import type { Walk } from '../walk/walk.ts'

/** The memories and facts to store after a conversation. */
export interface Remembered {
  readonly memories: readonly NewMemory[]
  readonly facts: readonly NewFact[]
}

/** `said`: the learner's exact words. `event`: something that the walk recorded. */
interface NewMemory {
  readonly kind: 'said' | 'event'
  readonly content: string
  /** From 0 to 100. */
  readonly importance: number
}

interface NewFact {
  readonly key: FactKey
  readonly value: string
  /** From 0 to 1. */
  readonly confidence: number
}

/** The kinds of facts that are stored about a learner. The list is closed, so a learner's words cannot add a key. */
export const FACT_KEYS = ['name', 'role', 'team', 'experience', 'goal', 'preference'] as const

export type FactKey = (typeof FACT_KEYS)[number]

/** A selection from a conversation: the learner's sentences worth remembering, and the facts that they state. */
export interface Picked {
  readonly said: readonly string[]
  readonly facts: readonly { readonly key: FactKey; readonly value: string }[]
}

/**
 * The limits of a selection: how many sentences, how many facts, and the length of a sentence and of a fact's value in
 * UTF-16 code units.
 */
export const MOST_SAID = 8
export const MOST_FACTS = 6
export const SENTENCE_CHARACTERS = 300
export const VALUE_CHARACTERS = 120

/**
 * Returns what to remember of a conversation: the events that the walk recorded, and what the learner said about
 * themselves.
 *
 * @param confidence how certain the picked facts are, from 0 to 1
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

/** The maximum amount of text that `sentencesOf` reads, latest messages first, in UTF-16 code units. */
const MOST_TEXT = 40_000

/**
 * Splits a learner's messages into sentences, in order, each on one line and without invisible characters. A sentence
 * that is too long to store is left out, because half of a sentence might say the opposite.
 *
 * @param said the learner's messages, oldest first
 */
export function sentencesOf(said: readonly string[]): readonly string[] {
  return latest(said).flatMap((message) =>
    (clean(message).match(SENTENCE) ?? [])
      .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
      .filter((sentence) => /\p{L}/u.test(sentence) && sentence.length <= SENTENCE_CHARACTERS),
  )
}

/**
 * Matches a sentence up to its punctuation and the quotes after it. A line without punctuation is a sentence too. A
 * full stop inside a number or a name does not end a sentence.
 */
const SENTENCE = /(?:[^.!?…\n]|[.!?…](?![\s"'”’)]|$))+[.!?…]*["'”’)]*/g

function latest(said: readonly string[]): readonly string[] {
  let left = MOST_TEXT
  const kept: string[] = []
  for (const message of said.toReversed()) {
    left -= message.length
    if (left < 0) break
    kept.unshift(message)
  }
  return kept
}

/** A conversation that has come to its end. */
export interface Ended {
  readonly scenario: Scenario
  readonly npc: Npc
  readonly graph: Graph
  readonly walk: Walk
}

const MOST_UNDERSTOOD = 8
const CHARACTERS = 400

/**
 * Returns the events that the walk recorded: how the conversation ended, which deciding facts the learner understood,
 * which choice they made at a fork and its effect, and which document was handed over. A fact counts as understood only
 * if its node was satisfied.
 */
export function whatHappened(ended: Ended): readonly NewMemory[] {
  return [outcome(ended), ...understood(ended), ...picked(ended), ...handedOver(ended)].map((memory) => ({
    ...memory,
    content: cap(memory.content.replace(/\s+/g, ' ').trim(), CHARACTERS),
  }))
}

function outcome({ scenario, npc, graph, walk }: Ended): NewMemory {
  const { title } = graph.closing.objective
  const how = walk.end?.completion === 'earned' ? 'It came to its goal' : 'It was cut short before its goal'
  return event(`They talked with ${npc.name} (${npc.role}) in "${scenario.title}". ${how}: "${title}".`, 70)
}

function understood({ graph, walk }: Ended): readonly NewMemory[] {
  const nodes = Object.values(graph.nodes).filter((node) => speaks(node) && walk.satisfied.includes(node.id))
  const contents = nodes.flatMap((node) => (speaks(node) ? node.content : []))
  const facts = contents.flatMap(({ source, lines }) => (source === 'decision_facts' ? lines : []))
  return [...new Set(facts)].slice(0, MOST_UNDERSTOOD).map((fact) => event(`They understood: ${fact}`, 60))
}

function picked({ npc, graph, walk }: Ended): readonly NewMemory[] {
  return Object.entries(walk.pivots).flatMap(([id, state]) => {
    const node = graph.nodes[id]
    if (state.state !== 'chosen' || node?.kind !== 'pivot') return []
    const choice = node.pivot.choices.find((each) => each.id === state.choice)
    if (!choice) return []
    const asked = `Asked by ${firstName(npc.name)} "${node.pivot.question}", they chose "${choice.text}".`
    return [event(`${asked} ${choice.effect}`, 60)]
  })
}

function handedOver({ npc, graph, walk }: Ended): readonly NewMemory[] {
  const { document } = graph.closing
  if (document === null || walk.end === null) return []
  return [event(`${firstName(npc.name)} handed them "${document.title}".`, 40)]
}

function event(content: string, importance: number): NewMemory {
  return { kind: 'event', content, importance }
}
