import type { Figure } from '../worker/core/text/words.ts'
import { figuresIn, sameFigure } from '../worker/core/text/words.ts'
import type { Npc, Scenario } from '../worker/core/scenario/scenario.ts'
import type { Problem } from './problem.ts'
import type { PlacedText } from './spoken-texts.ts'
import { spokenTexts, textsUnder } from './spoken-texts.ts'

/**
 * A colleague's figures come from their document and nowhere else. What they know has to agree with it to the
 * decimal; what they say may round, the way people do ("23%" for 23.4%).
 */
export function checkFigures(scenario: Scenario): readonly Problem[] {
  return scenario.npcs.flatMap((npc, index) => checkNpc(npc, ['npcs', index]))
}

function checkNpc(npc: Npc, path: Problem['path']): readonly Problem[] {
  const page = npc.document ? [npc.document.title, ...npc.document.lines].flatMap(figuresIn) : []
  const { knowledge, depth, challenges, decisionFacts, beats, opinion, goal } = npc
  const known = textsUnder({ knowledge, depth, challenges, decisionFacts, beats, opinion, goal }, path)
  return [
    ...known.flatMap((text) => unmatched(text, page, isExactly, npc)),
    ...spokenTexts(npc, path).flatMap((text) => unmatched(text, page, sameFigure, npc)),
  ]
}

type Matches = (stated: Figure, written: Figure) => boolean

function unmatched(
  { path, text }: PlacedText,
  page: readonly Figure[],
  matches: Matches,
  { document }: Npc,
): readonly Problem[] {
  const strange = figuresIn(text).filter((stated) => !page.some((written) => matches(stated, written)))
  return strange.map((stated) => ({ path, message: complaint(stated, page, document === null) }))
}

function complaint(stated: Figure, page: readonly Figure[], hasNoDocument: boolean): string {
  if (hasNoDocument) return `states ${show(stated)}, and this colleague has no document to have it from`
  const near = page.find((written) => written.unit === stated.unit && Math.abs(written.value - stated.value) < 1)
  if (near) return `states ${show(stated)} where the document has ${show(near)}`
  return `states ${show(stated)}, which is not in the document`
}

function isExactly(stated: Figure, written: Figure): boolean {
  return stated.value === written.value && sameFigure(stated, written)
}

function show({ value, unit }: Figure): string {
  return unit === 'percent' ? `${value}%` : String(value)
}
