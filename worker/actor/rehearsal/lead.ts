import type { Scene } from '../../core/briefing/briefing.ts'
import type { Asides } from '../../core/scenario/rehearsal-lines.ts'
import type { Business } from './business.ts'
import type { Heading } from './detour.ts'
import { isUnfamiliar } from './detour.ts'
import type { Heard } from './hear.ts'
import { asks, asksForFigure, isLost, questionsIn } from './hear.ts'
import type { Judgement } from './judge.ts'
import type { Manner } from './manner.ts'
import { isOpening } from './node-purpose.ts'
import type { Found } from './retrieve.ts'
import { entriesOf, retrieve, wordingOf } from './retrieve.ts'
import type { Said, Speech } from './spoken.ts'
import { nextFresh } from './spoken.ts'
import type { Synonyms } from './vocabulary.ts'
import { figuresIn, sameFigure } from './words.ts'

/** All that decides what is said before the node's own business. */
export interface LeadMatter {
  readonly scene: Scene
  readonly heard: Heard
  readonly heading: Heading
  readonly judgement: Judgement
  readonly said: Said
  readonly synonyms: Synonyms
  readonly matter: Business
}

/**
 * What a colleague says first, in answer to the learner: a cool word to an insult, an answer to a question, a name
 * for a question that is someone else's. Null when the node's business is the answer.
 */
export function lead(all: LeadMatter): Speech | null {
  const { heard, heading, judgement, scene } = all
  const { asides } = scene.npc.rehearsal
  const manners = MANNERS[heard.manner]
  if (manners !== undefined) return isGreeting(all) ? null : nextFresh(asides[manners], all.said)
  if (heard.manner === 'grunt') return null
  if (judgement.verdict === 'waved-away') return nextFresh(asides.pushback, all.said)
  if (heading.to === 'colleague') return nextFresh(redirectsTo(heading.npc.id, scene), all.said)
  if (heading.to === 'elsewhere') return nextFresh(asides.offTopic, all.said)
  return asks(heard) && !isOpening(scene.node) ? answer(all) : null
}

const MANNERS: Partial<Record<Manner, keyof Asides>> = {
  wordless: 'wordless',
  foreign: 'foreign',
  insult: 'insult',
  hello: 'hello',
  thanks: 'thanks',
}

/** On arrival a node's own point is the answer unless something else fits the question clearly better. */
const FIT_ON_ARRIVAL = 0.8

function answer(all: LeadMatter): Speech | null {
  const { scene, said, matter } = all
  const { asides } = scene.npc.rehearsal
  const found = findAnswer(all)
  if (found === null) return all.judgement.satisfied ? null : noAnswer(all)
  if (matter.isPoint && found.fit < FIT_ON_ARRIVAL) return null
  if (matter.lines.some((line) => answers(line, found.entry))) return null
  return wordingOf(found, said) ?? (matter.isPoint ? null : nextFresh(asides.again, said))
}

function noAnswer(all: LeadMatter): Speech | null {
  const { asides } = all.scene.npc.rehearsal
  if (isLost(all.heard)) return nextFresh(asides.inOtherWords, all.said)
  if (lacksFigure(all)) return nextFresh(asides.unknown, all.said)
  return !all.matter.isPoint && isBeyond(all) ? nextFresh(asides.noIdea, all.said) : null
}

/** What the question asks; failing that, what a doubt is about ("Are you sure? It's a small sample."). */
function findAnswer({ scene, heard, synonyms }: LeadMatter): Found | null {
  const entries = entriesOf(scene.npc, synonyms)
  const found = retrieve(questionsIn(heard), entries, synonyms)
  if (found !== null || scene.mood !== 'skeptical') return found
  const doubted = retrieve(heard.tokens, entries, synonyms)
  return doubted?.isForeseen ? doubted : null
}

/** Whether a line makes an answer needless: the same point, or all of its figures. */
function answers(line: Speech, { point, say }: Found['entry']): boolean {
  if (point !== null && point === line.point) return true
  const asked = figuresIn(say[0] ?? '')
  const told = figuresIn(line.say)
  return line.point !== null && asked.length > 0 && asked.every((one) => told.some((other) => sameFigure(one, other)))
}

/** Asked for a figure there is none of. On arrival the point may be the answer, unless the question leaves the matter. */
function lacksFigure(all: LeadMatter): boolean {
  return asksForFigure(all.heard) && (!all.matter.isPoint || isBeyond(all))
}

function isBeyond({ scene, heard, synonyms }: LeadMatter): boolean {
  return isUnfamiliar(questionsIn(heard), scene.npc, scene.scenario, synonyms)
}

function redirectsTo(id: string, { npc }: Scene): readonly string[] {
  return npc.rehearsal.redirects.find((redirect) => redirect.npc === id)?.say ?? []
}

/** A hello to a greeting needs no second hello, and thanks at the end no answer. */
function isGreeting({ scene, heard }: LeadMatter): boolean {
  return (heard.manner === 'hello' && isOpening(scene.node)) || (heard.manner === 'thanks' && scene.node.isTerminal)
}
