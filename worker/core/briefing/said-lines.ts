import { contentStems } from '../text/stems.ts'
import { type Figure, figuresAmong, readAuthored, readWords, sameFigure } from '../text/words.ts'
import type { HistoryLine, NodeBrief } from './briefing.ts'

/** A line counts as said if the colleague has used at least this share of its meaningful words. */
const SHARE = 0.7

/**
 * Removes from a node's content the lines that the colleague has already said, in about these words and with the same
 * figures, so that the actor does not get these lines again. If the colleague has said all of the lines, all of them
 * stay. A fork, a gate and the terminal node keep their content; a gate gets `isHeard` if the colleague has said its
 * constraint. Two more lines are checked, but only if they have figures. If the colleague has said the line in
 * `ahead.item`, `ahead` gets `isHeard`. If the colleague has said the line in `leaving.unsaid`, this field becomes
 * null.
 */
export function withoutSaid(node: NodeBrief, history: readonly HistoryLine[]): NodeBrief {
  if (node.leaving === null) return node
  const spoken = history.filter(({ who }) => who === 'npc').map(wordsOf)
  if (spoken.length === 0) return node
  const stems = new Set(spoken.flatMap((line) => line.stems))
  const figures = spoken.flatMap((line) => line.figures)
  const figuresOf = (line: string) => figuresAmong(readAuthored(line))
  const isSaid = (line: string): boolean => {
    const words = [...contentStems(readAuthored(line))]
    const share = words.filter((word) => stems.has(word)).length / Math.max(1, words.length)
    return share >= SHARE && figuresOf(line).every((one) => figures.some((other) => sameFigure(other, one)))
  }
  const isHeard = (line: string | null) => line !== null && figuresOf(line).length > 0 && isSaid(line)
  const ahead = node.ahead && { ...node.ahead, isHeard: isHeard(node.ahead.item) }
  const leaving = isHeard(node.leaving.unsaid) ? { ...node.leaving, unsaid: null } : node.leaving
  return { ...withoutSaidContent(node, isSaid), ahead, leaving }
}

interface Words {
  readonly stems: readonly string[]
  readonly figures: readonly Figure[]
}

/** The words of lines that are in memory. Each turn asks for those of all turns before it. */
const known = new WeakMap<HistoryLine, Words>()

function wordsOf(line: HistoryLine): Words {
  const before = known.get(line)
  if (before) return before
  const tokens = readWords(line.text)
  const words = { stems: [...new Set(tokens.map(({ stem }) => stem))], figures: figuresAmong(tokens) }
  known.set(line, words)
  return words
}

function withoutSaidContent(node: NodeBrief, isSaid: (line: string) => boolean): NodeBrief {
  if (node.kind === 'pivot' || node.isTerminal) return node
  const [constraint] = node.content[0]?.lines ?? []
  if (node.isGate) return { ...node, isHeard: constraint !== undefined && isSaid(constraint) }
  const content = node.content.map(({ source, lines }) => ({ source, lines: lines.filter((line) => !isSaid(line)) }))
  return content.every(({ lines }) => lines.length === 0) ? node : { ...node, content }
}
