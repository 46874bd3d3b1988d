import { contentStems } from '../text/stems.ts'
import { figuresIn, readAuthored, readWords, sameFigure } from '../text/words.ts'
import type { HistoryLine, NodeBrief } from './briefing.ts'

/** The smallest share of a line's meaningful words that the colleague has to have said for the line to be said. */
const SHARE = 0.7

/**
 * Leaves out the lines of a node's content that the colleague has said already, in about these words and with the same
 * figures, so that the actor is not offered them again. A fork and the terminal node keep their content, and so does a
 * gate, which only says whether its constraint was heard. The item of the node ahead says so too.
 */
export function withoutSaid(node: NodeBrief, history: readonly HistoryLine[]): NodeBrief {
  if (node.leaving === null) return node
  const spoken = history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
  if (spoken.length === 0) return node
  const stems = new Set(spoken.flatMap(readWords).map(({ stem }) => stem))
  const figures = spoken.flatMap(figuresIn)
  const isSaid = (line: string): boolean => {
    const words = [...contentStems(readAuthored(line), new Map())]
    const share = words.filter((word) => stems.has(word)).length / Math.max(1, words.length)
    return share >= SHARE && figuresIn(line).every((one) => figures.some((other) => sameFigure(other, one)))
  }
  const ahead = node.ahead && { ...node.ahead, isHeard: node.ahead.item !== null && isSaid(node.ahead.item) }
  return { ...withoutSaidContent(node, isSaid), ahead }
}

function withoutSaidContent(node: NodeBrief, isSaid: (line: string) => boolean): NodeBrief {
  if (node.kind === 'pivot' || node.isTerminal) return node
  const [constraint] = node.content[0]?.lines ?? []
  if (node.isGate) return { ...node, isHeard: constraint !== undefined && isSaid(constraint) }
  const content = node.content.map(({ source, lines }) => ({ source, lines: lines.filter((line) => !isSaid(line)) }))
  return content.every(({ lines }) => lines.length === 0) ? node : { ...node, content }
}
