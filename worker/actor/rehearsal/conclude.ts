import type { TaskScene } from '../../core/briefing/task.ts'
import type { Conclusion } from '../../core/scenario/rehearsal-lines.ts'
import type { Request } from '../../core/walk/event.ts'
import { dismisses } from './dismiss.ts'
import type { HeardMessage } from './hear.ts'
import { asks, hearMessage, isAside, proposes, wantsNothingMore } from './hear.ts'
import { hearsOne } from './terms.ts'
import { contentStems, synonymsOf } from '../../core/text/stems.ts'
import { readAuthored } from '../../core/text/words.ts'
import { firstNamesIn } from './vocabulary.ts'

/** The maximum number of the learner's own words that the text of a reflection quotes. */
const WORDS = 6
/** The maximum number of earlier messages that a reflection takes into account. */
const LOOKS_BACK = 6

/**
 * Writes the text of a reflection: what the colleague thinks of the learner's messages. The author may have written
 * texts for it (`conclusions`), each with terms: a text fits a message that contains one of its terms. The function
 * takes the first text that fits the learner's last message. If no text does, it takes a text that fits an earlier
 * message, or else a text without terms. If there is no such text either, the function writes how the learner reacted,
 * what they talk about, and what the last search of the memory found. The result has as many complete sentences as the
 * word limit allows.
 */
export function concludeReflection(
  { wordLimit }: Extract<Request, { type: 'reflection-request' }>,
  scene: TaskScene,
): string {
  const heard = hearMessage(scene.learner, firstNamesIn(scene.scenario))
  const authored = scene.npc.rehearsal.states[scene.lineKey]?.conclusions ?? []
  const fitting =
    authored.find(({ hears }) => hearsOne(heard.tokens, hears)) ??
    fittingBefore(authored, scene) ??
    authored.find(({ hears }) => hears.length === 0)
  return whole(fitting ? [fitting.text] : deduced(lastSaying(heard, scene), scene), wordLimit)
}

/**
 * Goes through the learner's earlier messages, the latest first, and returns the first authored text that fits one of
 * these messages; undefined if no text fits. Only terms of several words count, because a single word may belong to an
 * earlier question.
 */
function fittingBefore(authored: readonly Conclusion[], scene: TaskScene): Conclusion | undefined {
  const phrased = authored.map(({ hears, text }) => ({
    hears: hears.filter((term) => readAuthored(term).length > 1),
    text,
  }))
  return earlier(scene)
    .map(({ tokens }) => phrased.find(({ hears }) => hearsOne(tokens, hears)))
    .find((each) => each !== undefined)
}

function earlier({ history, scenario }: TaskScene): readonly HeardMessage[] {
  const lines = history.flatMap(({ who, text }) => (who === 'learner' ? [text] : []))
  return lines
    .slice(-LOOKS_BACK)
    .toReversed()
    .map((text) => hearMessage(text, firstNamesIn(scenario)))
}

/** Returns the learner's latest message with content. "That's all, thanks" has no content. */
function lastSaying(heard: HeardMessage, scene: TaskScene): HeardMessage {
  const says = (one: HeardMessage) => stanceOf(one) !== 'silent' && !isClosing(one) && wordsOf(one, scene).length > 0
  return [heard, ...earlier(scene)].find(says) ?? heard
}

function isClosing(heard: HeardMessage): boolean {
  return wantsNothingMore(heard) || /\bthat (?:helps|helped|is enough)\b/.test(heard.plain)
}

function deduced(heard: HeardMessage, scene: TaskScene): readonly string[] {
  const words = wordsOf(heard, scene)
  const stance = stanceOf(heard) === 'telling' && words.length === 0 ? 'silent' : stanceOf(heard)
  const matter = stance === 'silent' ? [] : words
  const about = matter.length === 0 ? '' : ` What they are on about: ${matter.join(', ')}.`
  const found = scene.thoughts.findLast(({ kind }) => kind === 'recall')
  const memory = found?.kind === 'recall' ? found.found[0] : undefined
  return [
    `${STANCE[stance]}${about}`,
    ...(memory === undefined ? [] : [`From before I have this: ${memory.replace(/\s+/g, ' ').trim()}`]),
  ]
}

type Stance = 'silent' | 'dismissive' | 'acting' | 'asking' | 'telling'

const STANCE: Readonly<Record<Stance, string>> = {
  silent: 'They have given me nothing to go by yet.',
  dismissive: 'They wave it away, so it has not landed.',
  acting: 'They want to do something about it, so I can be concrete.',
  asking: 'They are still asking, so they have not made up their mind.',
  telling: 'They have told me where they stand.',
}

function stanceOf(heard: HeardMessage): Stance {
  if (isAside(heard) || heard.manner === 'grunt') return 'silent'
  if (dismisses(heard)) return 'dismissive'
  if (proposes(heard)) return 'acting'
  return asks(heard) ? 'asking' : 'telling'
}

/** Returns the learner's own meaningful words, in order, without duplicates. */
function wordsOf({ tokens }: HeardMessage, { scenario }: TaskScene): readonly string[] {
  const synonyms = synonymsOf(scenario)
  const telling = tokens.filter(
    (token) => /\p{L}/u.test(token.word) && !FILLERS.has(token.word) && contentStems([token], synonyms).size > 0,
  )
  return [...new Set(telling.map(({ word }) => word))].slice(0, WORDS)
}

const FILLERS: ReadonlySet<string> = new Set(['dunno', 'idk', 'lol', 'haha', 'ugh', 'hm', 'hmm'])

/**
 * Returns as many complete sentences as `wordLimit` allows. If the first sentence is too long, returns its first words.
 */
function whole(parts: readonly string[], wordLimit: number): string {
  const sentences = parts.flatMap((part) => part.split(/(?<=[.!?])\s+/))
  let kept = ''
  for (const sentence of sentences) {
    const longer = kept === '' ? sentence : `${kept} ${sentence}`
    if (longer.split(/\s+/).length > wordLimit) break
    kept = longer
  }
  return kept !== ''
    ? kept
    : (sentences[0] ?? '')
        .split(/\s+/)
        .slice(0, Math.max(0, Math.floor(wordLimit)))
        .join(' ')
}
