import type { TaskScene } from '../../core/briefing/task.ts'
import { synonymsOf } from '../../core/text/stems.ts'
import type { Pick, SelectionRequest } from '../../core/walk/event.ts'
import { bestOf, type Candidate, likenesses } from './likeness.ts'
import type { Heading } from './detour.ts'
import { hearMessage, type Sentence, type HeardMessage, isLost, wantsNothingMore } from './hear.ts'
import { saysDone, saysNone, saysReady } from './meaning.ts'
import { firstNamesIn } from './vocabulary.ts'

/**
 * The actor takes an exit of a speaking state only if the exit has at least the likeness `LEAVES_FROM`, and leads every
 * other exit by at least `LEAVES_AHEAD`.
 */
const LEAVES_FROM = 0.6
const LEAVES_AHEAD = 0.2
/** The likeness of a message that contains a cue, or that says all of a description and nothing else. */
const SURE_FROM = 1
/** The lowest likeness that counts in a decision, where an exit must be chosen. */
const SPEAKS_FROM = 0.25

/**
 * Selects an exit or an action by comparing words. In a state with actions, selects the exit to which the learner's
 * message is clearly similar, or else the next action. In a decision, a silent node, selects the exit most similar to
 * the message, or else the exit most similar to the last thought, or else the last exit, which is the catch-all.
 *
 * @returns null if the request offers neither an action nor an exit
 */
export function select(request: SelectionRequest, scene: TaskScene): Pick | null {
  if (request.actions.length === 0) return decide(request, scene)
  const exit = clearExit(request, scene) ?? exitWhenRefused(request, scene) ?? exitWhenDone(request, scene)
  return exit === null ? { action: nextAction(request) } : { exit }
}

function decide({ exits }: SelectionRequest, scene: TaskScene): Pick | null {
  if (exits.length === 0) return null
  const byMessage = ahead(scores(exits, scene, scene.learner, cuesIn(scene)))
  const last = scene.thoughts.at(-1)
  const byThought = last ? ahead(scores(exits, scene, textOf(last), [])) : null
  return { exit: byMessage ?? byThought ?? exits.length - 1 }
}

/**
 * Returns the exit that the message clearly matches, or null. In the first turn of a visit, the message may be the
 * message that brought the walk into this state. So in that turn the match must be sure (`SURE_FROM`), unless the exit
 * is a safety exit, which is for learners who want to leave.
 */
function clearExit({ exits, node }: SelectionRequest, scene: TaskScene): number | null {
  const best = bestOf(scores(exits, scene, scene.learner, cuesIn(scene), isOpenQuestion))
  if (best === null || best.score < LEAVES_FROM || best.lead < LEAVES_AHEAD) return null
  const isEmergency = scene.safetyExits.includes(exits[best.index] ?? '')
  return node.turns > 0 || best.score >= SURE_FROM || isEmergency ? best.index : null
}

/**
 * Returns the exit for a learner who answers only "no". This is the exit whose description says that the learner has
 * nothing to give ("no step at all"). If no description says so, but one is for a learner who is willing to go on, the
 * function returns the safety exit that ends the conversation. Otherwise it returns null.
 */
function exitWhenRefused(
  { exits, node }: SelectionRequest,
  { learner, safetyExits, scenario }: TaskScene,
): number | null {
  const isAsked = (node.state?.engaged ?? []).length > 0
  if (!isAsked || !refuses(hearMessage(learner, firstNamesIn(scenario)))) return null
  const synonyms = synonymsOf(scenario)
  const isWayOut = (text: string) => safetyExits.includes(text)
  const none = exits.findIndex((text) => !isWayOut(text) && saysNone(text, synonyms))
  if (none >= 0) return none
  const isWilling = exits.some((text) => !isWayOut(text) && saysReady(text, synonyms))
  const out = exits.findIndex((text) => isWayOut(text) && saysDone(text, synonyms))
  return isWilling && out >= 0 ? out : null
}

/**
 * Returns the exit whose description says that the learner is done, if all actions are done; null otherwise. Safety
 * exits do not count.
 */
function exitWhenDone({ exits, actions, node }: SelectionRequest, scene: TaskScene): number | null {
  const engaged = node.state?.engaged ?? []
  if (!actions.every((_, index) => engaged.includes(index)) || turnsToAnother(scene.learner)) return null
  const synonyms = synonymsOf(scene.scenario)
  const index = exits.findIndex((text) => !scene.safetyExits.includes(text) && saysDone(text, synonyms))
  return index < 0 ? null : index
}

/** Returns true if the learner raises another topic, and so is not done. */
function turnsToAnother(message: string): boolean {
  return /\b(?:talk about|instead|what about|how about|another (?:thing|topic|question)|a different (?:thing|topic)|one more thing)\b/i.test(
    message,
  )
}

/**
 * Returns the index of the first action not done in this visit; if all actions are done, of the action done longest
 * ago.
 */
function nextAction({ actions, node }: SelectionRequest): number {
  const engaged = node.state?.engaged ?? []
  const lastDone = actions.map((_, index) => engaged.lastIndexOf(index))
  return lastDone.indexOf(Math.min(...lastDone))
}

function ahead(likeness: readonly number[]): number | null {
  const best = bestOf(likeness)
  return best !== null && best.score >= SPEAKS_FROM && best.lead > 0 ? best.index : null
}

function scores(
  exits: readonly string[],
  { scenario }: TaskScene,
  text: string,
  cues: readonly (readonly string[])[],
  saysNothing: (sentence: Sentence) => boolean = () => false,
): readonly number[] {
  const candidates = exits.map((description, index): Candidate => ({
    descriptions: [description],
    cues: cues[index] ?? [],
  }))
  const heard = hearMessage(text, firstNamesIn(scenario))
  const sentences = heard.sentences.filter((sentence) => !saysNothing(sentence))
  return likenesses({ ...heard, sentences }, candidates, synonymsOf(scenario))
}

/**
 * Returns true for a question that asks for help: "How do I stop that?", "Should I stop?". Such a question
 * can contain words of an exit's description ("stop"), although the learner does not want to take that exit. So the
 * question is compared only with the exits' cues.
 */
function isOpenQuestion({ plain }: Sentence): boolean {
  return /^(?:and |but |so |then )*(?:how|why|when|what|which|who|where|should i|do i|must i|would you)\b/.test(plain)
}

function cuesIn({ npc, lineKey }: TaskScene): readonly (readonly string[])[] {
  return npc.rehearsal.states[lineKey]?.exits ?? []
}

function textOf(thought: TaskScene['thoughts'][number]): string {
  return thought.kind === 'recall' ? thought.found.join('. ') : thought.text
}

/** Returns true if a message says only no: "no, thanks", "not really". "No idea" and "no, go on" say more. */
export function refuses({ tokens }: HeardMessage): boolean {
  const words = tokens.map(({ word }) => word)
  return words.some((word) => REFUSAL.has(word)) && words.every((word) => REFUSAL.has(word) || BESIDE.has(word))
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const REFUSAL = set('no not')
const BESIDE = set('really thanks thank you sorry please i do would today now actually at all')

/**
 * Returns null if the learner is ready for a guide to go on, and else the reason why not. A learner who did not
 * understand, asks to wait, writes an unreadable or insulting message, or talks about something else is not ready. Any
 * other message shows that the learner is ready.
 */
export function whyNotReady(heard: HeardMessage, heading: Heading): string | null {
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
