import type { Scene } from '../../core/briefing/briefing.ts'
import type { NodeLines, SpokenLine } from '../../core/scenario/rehearsal-lines.ts'
import { everRegistered, isOpening, purposeOf, type Judgement } from './judge.ts'
import { firstFresh, nextFresh, speech, type SpokenSoFar, type LineToSay } from './spoken.ts'
import { lineKey } from '../../core/briefing/line-key.ts'
import type { HeardMessage } from './hear.ts'

/** What a node gives a colleague to say this turn. */
export interface Business {
  /** Said before `lines` when nothing else is said first. */
  readonly leadIn: readonly LineToSay[]
  readonly lines: readonly LineToSay[]
  /** The part of `lines` that an overlay opened. */
  readonly overlay: readonly LineToSay[]
  /** The node's point is told for the first time, and may be the answer to a question; a fork's never is. */
  readonly isPoint: boolean
  /** The node's lines are used up; any other answer does better. */
  readonly isFiller: boolean
}

/** Chooses the node's lines: its point on arrival, then whatever moves the learner towards it, each once. */
export function business(scene: Scene, judgement: Judgement, said: SpokenSoFar): Business {
  return scene.node.pivot ? question(scene, scene.node.pivot, said) : matter(scene, judgement, said)
}

function question(scene: Scene, pivot: NonNullable<Scene['node']['pivot']>, said: SpokenSoFar): Business {
  const lines = linesOf(scene)
  const asked = { say: pivot.content.question, point: null }
  if (!pivot.armed)
    return { leadIn: some(firstFresh(lines.open, said)), lines: [asked], overlay: [], isPoint: false, isFiller: false }
  const again = firstFresh(lines.stay, said) ?? asked
  return { leadIn: [], lines: [again], overlay: [], isPoint: false, isFiller: false }
}

function matter(scene: Scene, judgement: Judgement, said: SpokenSoFar): Business {
  const lines = scene.node.isTerminal ? closingLines(scene) : linesOf(scene)
  const overlay = overlayLines(scene, said)
  const owed = owesPoint(lines, said)
  const landed = judgement.satisfied && (!owed || judgement.verdict === 'registered')
  const supplies = landed ? [lines.satisfied] : owed ? [lines.open] : scene.node.escalated ? [lines.escalated] : []
  // An objection that was answered is not followed by the next one.
  const rest = landed && purposeOf(scene) === 'challenge' ? [] : [lines.stay]
  const fresh = [...supplies, ...rest].map((supply) => firstFresh(supply, said)).find((line) => line !== null)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? leastRecent(lines, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: owed && !landed, isFiller: fresh === undefined }
}

/** The node's authored lines; without any, what it is bound to is spoken as it stands. */
function linesOf(scene: Scene): NodeLines {
  const { node, npc } = scene
  const authored = npc.rehearsal.nodes[node.id]
  if (authored)
    return authored.open.length > 0 || node.kind === 'pivot' ? authored : { ...authored, open: boundLines(scene) }
  const [first, ...rest] = node.kind === 'pivot' ? [] : boundLines(scene)
  const satisfied = node.isTerminal || isOpening(node) || purposeOf(scene) === 'guide' ? [] : TAKEN_UP
  return { open: first === undefined ? [] : [first], stay: rest, escalated: [], satisfied }
}

/** What a node without lines of its own has for saying, each thing a point by itself. */
function boundLines(scene: Scene): readonly SpokenLine[] {
  const { node, npc } = scene
  if (node.isTerminal) return goodbye(npc)
  if (isOpening(node)) return [npc.greeting]
  const texts = node.content.map(({ lines }) => lines)
  const lines = purposeOf(scene) === 'guide' ? texts.flatMap(inBreaths) : texts.flat()
  return lines.map((line) => ({ say: line, point: line }))
}

/** A guide holds nothing back for later: what belongs together is said together, three lines at a time. */
function inBreaths(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.slice(0, 3).join(' '), ...inBreaths(lines.slice(3))]
}

/** What a colleague says to a point taken up, where nobody wrote anything better. */
const TAKEN_UP: readonly string[] = [
  "All right, that's a fair way to put it.",
  'Yes, I see it that way too.',
  "Right. I'd go along with that.",
]

/** What a terminal node is bound to says when it is over, and is not for saying. The document and the next person are. */
function goodbye({ document, next }: Scene['npc']): readonly string[] {
  const parting = [document && `Take "${document.title}" with you.`, next && next.why].filter((part) => part !== null)
  return [parting.length > 0 ? parting.join(' ') : 'That is what I have. The rest is yours to decide.']
}

/** A goodbye to somebody the decisive fact never reached is another goodbye, where the author wrote one. */
function closingLines(scene: Scene): NodeLines {
  const lines = linesOf(scene)
  return lines.escalated.length > 0 && !everRegistered(scene) ? { ...lines, open: lines.escalated } : lines
}

function owesPoint(lines: NodeLines, said: SpokenSoFar): boolean {
  return !lines.open.map(speech).some(({ say, point }) => said.line(say) || (point !== null && said.point(point)))
}

function overlayLines({ node }: Scene, said: SpokenSoFar): readonly LineToSay[] {
  if (!node.overlay) return []
  const say = node.overlay.lines.join(' ')
  return said.line(say) ? [] : [{ say, point: node.overlay.lines[0] ?? say }]
}

/** Everything was said: the line heard longest ago, which is never the one said last when there are two. */
function leastRecent(lines: NodeLines, { history, npc }: Scene): LineToSay {
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
 * What a context graph's state gives a colleague to say: the next line written for the selected action, then what is
 * bound to the state, each once. Null for a last state that nobody wrote a goodbye for; there is one for any.
 */
export function stateBusiness(scene: Scene, said: SpokenSoFar): Business | null {
  const authored = actionLines(scene)
  if (scene.node.isTerminal && authored.length === 0) return null
  const supply = [...authored, ...scene.node.content.flatMap(({ lines }) => lines)]
  const overlay = overlayLines(scene, said)
  const fresh = firstFresh(supply, said)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? longestAgo(supply, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: false, isFiller: fresh === null }
}

/**
 * An answer goes before the action, since the action is what was selected and is done in any case; it needs no other
 * hello. With nothing written for it left, the answer does alone.
 */
export function inStateOrder(first: LineToSay | null, matter: Business, heard: HeardMessage): readonly LineToSay[] {
  if (first === null || (heard.manner === 'hello' && !matter.isFiller)) return matter.lines
  return matter.isFiller ? [first, ...matter.overlay] : [first, ...matter.lines]
}

function actionLines({ node: { id, state }, npc }: Scene): readonly SpokenLine[] {
  if (!state) return []
  return npc.rehearsal.states[lineKey(id, state.module)]?.actions[state.action?.index ?? 0] ?? []
}

/** Everything was said: the line heard longest ago. A state that nobody wrote anything for is met with a greeting. */
function longestAgo(supply: readonly SpokenLine[], { npc, history }: Scene): LineToSay {
  const heard = history.map(({ who, text }) => (who === 'npc' ? text : ''))
  const lastSaid = ({ say }: LineToSay) => heard.findLastIndex((text) => text.includes(say))
  const pool = [...supply.map(speech), ...npc.rehearsal.asides.idle.map(speech)]
  return pool.toSorted((a, b) => lastSaid(a) - lastSaid(b))[0] ?? { say: npc.greeting, point: null }
}
