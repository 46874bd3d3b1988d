import type { Scene } from '../../core/briefing/briefing.ts'
import type { NodeLines, SpokenLine } from '../../core/scenario/rehearsal-lines.ts'
import type { Judgement } from './judge.ts'
import { everRegistered } from './judge.ts'
import { isOpening } from './node-purpose.ts'
import type { Said, Speech } from './spoken.ts'
import { firstFresh, nextFresh, speech } from './spoken.ts'

/** What a node gives a colleague to say this turn. */
export interface Business {
  /** Said before `lines` when nothing else is said first. */
  readonly leadIn: readonly Speech[]
  readonly lines: readonly Speech[]
  /** The part of `lines` that an overlay opened. */
  readonly overlay: readonly Speech[]
  /** The node's point is told for the first time, and may be the answer to a question; a fork's never is. */
  readonly isPoint: boolean
  /** The node's lines are used up; any other answer does better. */
  readonly isFiller: boolean
}

/** Chooses the node's lines: its point on arrival, then whatever moves the learner towards it, each once. */
export function business(scene: Scene, judgement: Judgement, said: Said): Business {
  return scene.node.pivot ? question(scene, scene.node.pivot, said) : matter(scene, judgement, said)
}

function question(scene: Scene, pivot: NonNullable<Scene['node']['pivot']>, said: Said): Business {
  const lines = linesOf(scene)
  const asked = { say: pivot.content.question, point: null }
  if (!pivot.armed)
    return { leadIn: some(firstFresh(lines.open, said)), lines: [asked], overlay: [], isPoint: false, isFiller: false }
  const again = firstFresh(lines.stay, said) ?? asked
  return { leadIn: [], lines: [again], overlay: [], isPoint: false, isFiller: false }
}

function matter(scene: Scene, judgement: Judgement, said: Said): Business {
  const lines = scene.node.isTerminal ? closingLines(scene) : linesOf(scene)
  const overlay = overlayLines(scene, said)
  const owed = owesPoint(lines, said)
  const landed = judgement.satisfied && (!owed || judgement.verdict === 'registered')
  const supplies = landed ? [lines.satisfied] : owed ? [lines.open] : scene.node.escalated ? [lines.escalated] : []
  const fresh = [...supplies, lines.stay].map((supply) => firstFresh(supply, said)).find((line) => line !== null)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? leastRecent(lines, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: owed && !landed, isFiller: fresh === undefined }
}

/** The node's authored lines; without any, its bound content is spoken as it stands. */
function linesOf({ node, npc }: Scene): NodeLines {
  const authored = npc.rehearsal.nodes[node.id]
  const open = isOpening(node) ? [npc.greeting] : node.content.flatMap(({ lines }) => lines)
  if (!authored)
    return { open: node.kind === 'pivot' ? [] : open.slice(0, 1), stay: open.slice(1), escalated: [], satisfied: [] }
  return authored.open.length > 0 || node.kind === 'pivot' ? authored : { ...authored, open }
}

/** A goodbye to somebody the decisive fact never reached is another goodbye, where the author wrote one. */
function closingLines(scene: Scene): NodeLines {
  const lines = linesOf(scene)
  return lines.escalated.length > 0 && !everRegistered(scene) ? { ...lines, open: lines.escalated } : lines
}

function owesPoint(lines: NodeLines, said: Said): boolean {
  return !lines.open.map(speech).some(({ say, point }) => said.line(say) || (point !== null && said.point(point)))
}

function overlayLines({ node }: Scene, said: Said): readonly Speech[] {
  if (!node.overlay) return []
  const say = node.overlay.lines.join(' ')
  return said.line(say) ? [] : [{ say, point: node.overlay.lines[0] ?? say }]
}

/** Everything was said: the line heard longest ago, which is never the one said last when there are two. */
function leastRecent(lines: NodeLines, { history, npc }: Scene): Speech {
  const pool: readonly SpokenLine[] = [...lines.escalated, ...lines.stay, ...npc.rehearsal.asides.idle, ...lines.open]
  const spoken = history.map(({ who, text }) => (who === 'npc' ? text : ''))
  const lastSaid = (line: Speech) => spoken.findLastIndex((text) => text.includes(line.say))
  const byAge = pool.map(speech).toSorted((a, b) => lastSaid(a) - lastSaid(b))
  return byAge[0] ?? { say: npc.greeting, point: null }
}

function some(line: Speech | null): readonly Speech[] {
  return line === null ? [] : [line]
}
