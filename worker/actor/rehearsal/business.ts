import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { NodeLines, SpokenLine } from '../../core/scenario/rehearsal-lines.ts'
import { wasTold } from './acknowledge.ts'
import { ownLines } from './own-lines.ts'
import {
  decidingFactsOf,
  everRegistered,
  factsOf,
  factsTold,
  isOpening,
  type Judgement,
  purposeOf,
  toldLines,
} from './judge.ts'
import { firstFresh, nextFresh, freshOrFirst, saidIn, speech, type SpokenSoFar, type LineToSay } from './spoken.ts'
import { firstName, type Npc } from '../../core/scenario/scenario.ts'
import { factsIn } from '../../core/run/facts-in.ts'
import { lineKey } from '../../core/briefing/line-key.ts'
import { shortened } from '../../core/reply/characters.ts'
import { contentStems } from '../../core/text/stems.ts'
import { readAuthored, readWords, sameFigure } from '../../core/text/words.ts'
import { CLAUSE } from './entries.ts'
import type { HeardMessage } from './hear.ts'

/** A node's lines for this turn. */
export interface Business {
  /** The lines that the colleague says before `lines`, unless an answer to the learner comes first. */
  readonly leadIn: readonly LineToSay[]
  readonly lines: readonly LineToSay[]
  /** The part of `lines` that comes from an overlay. */
  readonly overlay: readonly LineToSay[]
  /**
   * True if `lines` tell the node's point (its `open` lines) for the first time. The point may then also answer the
   * learner's question. Never true for a fork.
   */
  readonly isPoint: boolean
  /** True if the node's own lines are used up, so that `lines` are only filler and any other answer is better. */
  readonly isFiller: boolean
}

/**
 * Chooses the node's lines for this turn: first the node's point (its `open` lines), then the lines that move the
 * learner towards that point, each once.
 */
export function business(scene: BriefingScene, judgement: Judgement, said: SpokenSoFar): Business {
  return scene.node.pivot ? question(scene, scene.node.pivot, said) : matter(scene, judgement, said)
}

function question(
  scene: BriefingScene,
  pivot: NonNullable<BriefingScene['node']['pivot']>,
  said: SpokenSoFar,
): Business {
  const lines = linesOf(scene)
  const asked = { say: pivot.content.question, point: null }
  if (!pivot.armed)
    return { leadIn: some(firstFresh(lines.open, said)), lines: [asked], overlay: [], isPoint: false, isFiller: false }
  const again = firstFresh(lines.stay, said) ?? asked
  return { leadIn: [], lines: [again], overlay: [], isPoint: false, isFiller: false }
}

function matter(scene: BriefingScene, judgement: Judgement, said: SpokenSoFar): Business {
  const lines = scene.node.isTerminal ? closingLines(scene) : linesOf(scene)
  const overlay = overlayLines(scene, said)
  const owed = owesPoint(lines, said) && !hasToldFacts(scene, lines)
  const landed = judgement.satisfied && (!owed || judgement.verdict === 'registered')
  const supplies = landed ? [lines.satisfied] : owed ? [lines.open] : scene.node.escalated ? [lines.escalated] : []
  // After the learner has answered an objection, the colleague must not raise the next objection in the same turn.
  const rest = landed && purposeOf(scene) === 'challenge' ? [] : [lines.stay]
  const fresh = [...supplies, ...rest].map((supply) => firstFresh(supply, said)).find((line) => line !== null)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? leastRecent(lines, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: owed && !landed, isFiller: fresh === undefined }
}

/** Returns the node's authored lines, or the node's bound content if the author wrote no lines for it. */
function linesOf(scene: BriefingScene): NodeLines {
  const { node, npc } = scene
  const authored = npc.rehearsal.nodes[node.id]
  if (authored)
    return authored.open.length > 0 || node.kind === 'pivot' ? authored : { ...authored, open: boundLines(scene) }
  const [first, ...rest] = node.kind === 'pivot' ? [] : boundLines(scene)
  const satisfied = node.isTerminal || isOpening(node) || purposeOf(scene) === 'guide' ? [] : ownLines(scene).takenUp
  return { open: first === undefined ? [] : [first], stay: rest, escalated: [], satisfied }
}

/** Returns a node's bound content as lines. Each line's text is also its point (what the line reveals). */
function boundLines(scene: BriefingScene): readonly SpokenLine[] {
  const { node, npc } = scene
  if (node.isTerminal) return [goodbye(scene)]
  if (isOpening(node)) return [npc.greeting]
  const texts = node.content.map(({ lines }) => lines)
  const lines = purposeOf(scene) === 'guide' ? texts.flatMap(inBreaths) : texts.flat()
  return lines.map((line) => ({ say: line, point: line }))
}

/** Joins lines in groups of three, because a guide tells everything without being asked. */
function inBreaths(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.slice(0, 3).join(' '), ...inBreaths(lines.slice(3))]
}

/**
 * Returns a goodbye that names the colleague's document and says why the learner should see the next colleague. A learner
 * who has met that colleague hears whom they have not met, or that it is time to decide. The goodbye does not use the
 * terminal node's content, which describes when the conversation is over.
 */
export function goodbye(scene: BriefingScene): string {
  const { document, next } = scene.npc
  const own = ownLines(scene)
  if (hasSaidGoodbye(scene)) return freshOrFirst(own.bye, saidIn(scene)).say
  const onward = next && (hasMet(next.npc, scene) ? whomElse(scene) : next.why)
  const handover = document && freshOrFirst(handoversOf(scene, document.title), saidIn(scene)).say
  const parting = [handover, onward].filter((part) => part !== null)
  return parting.length > 0 ? parting.join(' ') : own.goodbye
}

/** Returns true if the colleague has said goodbye, and the learner then took theirs back ([walk-47]). */
export function hasSaidGoodbye(scene: BriefingScene): boolean {
  const { document, next } = scene.npc
  const said = saidIn(scene)
  if (document !== null) return handoversOf(scene, document.title).some((line) => said.line(line))
  return said.line(next === null ? ownLines(scene).goodbye : next.why)
}

function handoversOf(scene: BriefingScene, title: string): readonly string[] {
  return ownLines(scene).handover.map((line) => line.replace('{document}', () => title))
}

function hasMet(id: string, { brought }: BriefingScene): boolean {
  return brought?.talked.includes(id) === true
}

/** Says whom of the others the learner has not met, or that they have met everybody. */
export function whomElse(scene: BriefingScene): string {
  const names = unmet(scene).map(({ name }) => firstName(name))
  return names.length === 0 ? freshOrFirst(ownLines(scene).metAll, saidIn(scene)).say : ownLines(scene).notMet(names)
}

/** Returns the colleagues with a part of the matter whom the learner has not met. */
function unmet(scene: BriefingScene): readonly Npc[] {
  return scene.scenario.npcs.filter(
    (each) => each.id !== scene.npc.id && each.walk !== 'guide' && !hasMet(each.id, scene),
  )
}

/** Returns true if a line sends the learner to somebody whom they have met. */
function sendsBack(line: SpokenLine, scene: BriefingScene): boolean {
  const { say } = speech(line)
  return scene.scenario.npcs.some(
    ({ id, name, walk }) =>
      id !== scene.npc.id && walk !== 'guide' && hasMet(id, scene) && new RegExp(`\\b${firstName(name)}\\b`).test(say),
  )
}

/**
 * Returns the lines of a terminal node. The author may write another goodbye, as `escalated` lines, for a learner who
 * never passed the gate, or, if that is not known, never registered the decisive fact.
 */
function closingLines(scene: BriefingScene): NodeLines {
  const lines = linesOf(scene)
  const { bye } = ownLines(scene)
  if (hasSaidGoodbye(scene)) return { ...lines, open: bye, satisfied: bye, escalated: [] }
  const isSettled = scene.node.leaving?.isSettled ?? everRegistered(scene)
  const chosen = lines.escalated.length > 0 && !isSettled ? { ...lines, open: lines.escalated } : lines
  const open = chosen.open.filter((line) => !sendsBack(line, scene))
  const satisfied = chosen.satisfied.filter((line) => !sendsBack(line, scene))
  const isKept = open.length === chosen.open.length && satisfied.length === chosen.satisfied.length
  return isKept ? chosen : { ...chosen, open: open.length > 0 ? open : [goodbye(scene)], satisfied }
}

function owesPoint(lines: NodeLines, said: SpokenSoFar): boolean {
  return !lines.open.map(speech).some(({ say, point }) => said.line(say) || (point !== null && said.point(point)))
}

/**
 * Returns true if the colleague has told the facts of the node's point already, in answer to questions. In a gate only
 * the deciding facts count, and if the point names none, all of theirs; and so do the figures of the decisive fact, because
 * a line may name a fact in passing.
 */
function hasToldFacts(scene: BriefingScene, { open }: NodeLines): boolean {
  const { node } = scene
  if (node.isTerminal) return false
  const counting = node.isGate ? decidingFactsOf(scene) : factsOf(scene)
  const ofPoint = factsIn(counting, open.map((line) => speech(line).say).join(' ')).map(({ fact }) => fact)
  const needed = ofPoint.length > 0 || !node.isGate ? ofPoint : counting.map(({ id }) => id)
  if (needed.length === 0 || (node.isGate && !(hasToldFigures(scene) && hasToldParts(scene)))) return false
  const told = factsTold(scene, counting)
  return needed.every((id) => told.has(id))
}

/** Returns true if the colleague has said every figure of their decisive fact in one reply: side by side they mean more. */
function hasToldFigures(scene: BriefingScene): boolean {
  const figuresOf = (text: string) => readAuthored(text.replace(CLAUSE, ' ')).flatMap(({ figure }) => figure ?? [])
  const needed = figuresOf(scene.npc.decisionFacts[0] ?? '')
  return toldLines(scene).some((line) => {
    const told = figuresOf(line)
    return needed.every((meant) => told.some((figure) => sameFigure(figure, meant)))
  })
}

/** Returns true if one reply has every part of the fact that the learner is to state. */
function hasToldParts(scene: BriefingScene): boolean {
  const [fact] = scene.npc.rehearsal.acknowledgements
  return fact === undefined || toldLines(scene).some((line) => wasTold(fact, [line]))
}

function overlayLines(scene: BriefingScene, said: SpokenSoFar): readonly LineToSay[] {
  const { overlay } = scene.node
  if (!overlay) return []
  const say = overlay.lines.join(' ')
  return said.line(say) || hasConfided(say, scene) ? [] : [{ say, point: overlay.lines[0] ?? say }]
}

/** Returns true if answers have told what an overlay confides: all of its facts, or most of its words in one reply. */
function hasConfided(say: string, scene: BriefingScene): boolean {
  const facts = factsOf(scene)
  const confided = factsIn(facts, say)
  const told = factsTold(scene, facts)
  if (confided.length > 0) return confided.every(({ fact }) => told.has(fact))
  const own = contentStems(readAuthored(say))
  const holdsMost = (reply: ReadonlySet<string>) => [...own].filter((stem) => reply.has(stem)).length >= own.size / 2
  return scene.history.some(({ who, text }) => who === 'npc' && holdsMost(contentStems(readWords(text))))
}

/** Returns the line that was said longest ago, for when all lines are used up. */
function leastRecent(lines: NodeLines, { history, npc }: BriefingScene): LineToSay {
  const pool: readonly SpokenLine[] = [...lines.escalated, ...lines.stay, ...npc.rehearsal.asides.idle, ...lines.open]
  const spoken = history.map(({ who, text }) => (who === 'npc' ? text : ''))
  const lastSaid = (line: LineToSay) => spoken.findLastIndex((text) => text.includes(line.say))
  const byAge = pool.map(speech).toSorted((a, b) => lastSaid(a) - lastSaid(b))
  return byAge[0] ?? { say: npc.greeting, point: null }
}

function some(line: LineToSay | null): readonly LineToSay[] {
  return line === null ? [] : [line]
}

/**
 * Returns the lines of a state (a speaking node of a context graph) for this turn. The colleague first says the lines
 * of the selected action, one in each turn, then the content that is bound to the state. When all of them are said, the
 * colleague says a filler line, or repeats the line that was said longest ago. The result is null for a terminal state
 * for which the author wrote no goodbye; the caller then takes the goodbye from `business`.
 */
export function stateBusiness(scene: BriefingScene, said: SpokenSoFar): Business | null {
  const authored = actionLines(scene)
  if (scene.node.isTerminal && authored.length === 0) return null
  const supply = [...authored, ...scene.node.content.flatMap(({ lines }) => lines)]
  const overlay = overlayLines(scene, said)
  const fresh = firstFresh(supply, said)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? longestAgo(supply, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: false, isFiller: fresh === null }
}

/**
 * Returns what the colleague says in a state (a speaking node of a context graph), in order: the answer to the learner
 * (`first`), then the lines of the selected action (`matter`). If the learner only says hello, the action's lines are
 * said without an answer. If the action has no line left, only an overlay's lines follow the answer.
 */
export function inStateOrder(first: LineToSay | null, matter: Business, heard: HeardMessage): readonly LineToSay[] {
  if (first === null || (heard.manner === 'hello' && !matter.isFiller)) return matter.lines
  return matter.isFiller ? [first, ...matter.overlay] : [first, ...matter.lines]
}

/** Returns what the colleague says of the tool that was used for this reply; null if none was used. */
export function withResult({ node: { id, state }, npc, used = [] }: BriefingScene): LineToSay | null {
  const call = used.at(-1)
  const lines = call && state && npc.rehearsal.states[lineKey(id, state.module)]?.tools?.[call.tool]
  if (!lines) return null
  const result = shortened(call.result, LONGEST_SAID)
  return { say: call.status === 'done' ? lines.says.replaceAll('{result}', () => result) : lines.fails, point: null }
}

/** The most UTF-16 code units of a result that is said. */
const LONGEST_SAID = 600

function actionLines({ node: { id, state }, npc }: BriefingScene): readonly SpokenLine[] {
  if (!state) return []
  return npc.rehearsal.states[lineKey(id, state.module)]?.actions[state.action?.index ?? 0] ?? []
}

/**
 * Returns the line that was said longest ago, for when all lines are used up. A state without any lines gets the
 * greeting.
 */
function longestAgo(supply: readonly SpokenLine[], { npc, history }: BriefingScene): LineToSay {
  const heard = history.map(({ who, text }) => (who === 'npc' ? text : ''))
  const lastSaid = ({ say }: LineToSay) => heard.findLastIndex((text) => text.includes(say))
  const pool = [...supply.map(speech), ...npc.rehearsal.asides.idle.map(speech)]
  return pool.toSorted((a, b) => lastSaid(a) - lastSaid(b))[0] ?? { say: npc.greeting, point: null }
}
