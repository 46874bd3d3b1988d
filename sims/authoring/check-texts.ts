import type { Finding } from '../../worker/core/graph/finding.ts'
import { formError, type DataPath } from './finding.ts'
import { type Figure, figuresIn, sameFigure } from '../../worker/core/text/words.ts'
import { holdsReportsUp } from '../../worker/core/reply/echoes.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { type ScenarioText, linesSpoken, textsUnder } from './texts.ts'

/**
 * Checks the lines that colleagues say. A line contains no em dash, no list, no praise and not the colleague's own
 * name. It has at most three sentences. No line occurs twice. Also checks that no text contains the separator that the
 * actor writes between speech and report. The function accepts data of any shape, so that it also works for a file in
 * which the schema finds errors.
 */
export function checkProse(raw: unknown): readonly Finding[] {
  return [
    ...textsUnder(raw).flatMap(checkSeparator),
    ...npcsOf(raw).flatMap((npc, index) => checkVoice(npc, ['npcs', index])),
  ]
}

function checkSeparator({ path, text }: ScenarioText): readonly Finding[] {
  return /[-\u2013\u2014]{2,}\s*END\s*[-\u2013\u2014]{2,}/i.test(text)
    ? [formError(path, 'holds the separator between speech and report')]
    : []
}

function checkVoice(npc: unknown, path: DataPath): readonly Finding[] {
  const spoken = linesSpoken(npc, path)
  const name = ownName(npc)
  return [...spoken.flatMap((line) => checkLine(line, name)), ...repeats(spoken)]
}

function checkLine({ path, text }: ScenarioText, name: RegExp | null): readonly Finding[] {
  const complaints = [
    /[\u2014\u2013]|\s--\s/.test(text) && 'has a dash where a person would pause; use a full stop or a comma',
    /(?:^|\n)\s*(?:[-*\u2022]|\d+[.)])\s/.test(text) && 'is a list; people do not talk in lists',
    name?.test(text) && 'says the speaker’s own name',
    BANNED.exec(text)?.[0] && `says "${BANNED.exec(text)?.[0]}", which nobody says at work`,
    sentences(text) > 3 && 'runs past three sentences',
  ]
  return complaints.flatMap((message) => (message ? [formError(path, message)] : []))
}

/** Finds repeated lines, because the rehearsal actor never says the same line twice. */
function repeats(spoken: readonly ScenarioText[]): readonly Finding[] {
  const first = new Map<string, number>()
  return spoken.flatMap(({ path, text }, index) => {
    const line = text.trim().toLowerCase()
    if (first.has(line)) return [formError(path, 'is a line this colleague has already')]
    first.set(line, index)
    return []
  })
}

const BANNED =
  /\b(?:(?:great|good|excellent|interesting) (?:question|point|catch)|well done|good job|nice work|i (?:completely |totally )?understand your concerns?|i hear your concerns?|happy to help|feel free|let me know if|as an ai|i appreciate (?:your|that|you)|absolutely|certainly|delve|at the end of the day)\b/i

/** Counts sentences. A full stop ends a sentence only before a space, so "C.4" and "8.1%" end no sentence. */
function sentences(text: string): number {
  return text.trim().split(/(?<=[.!?])["')]?\s+(?=["'A-Z0-9])/).length
}

function npcsOf(raw: unknown): readonly unknown[] {
  if (typeof raw !== 'object' || raw === null || !('npcs' in raw)) return []
  return Array.isArray(raw.npcs) ? raw.npcs : []
}

function ownName(npc: unknown): RegExp | null {
  if (typeof npc !== 'object' || npc === null || !('name' in npc) || typeof npc.name !== 'string') return null
  const names = npc.name.split(/\s+/).filter((part) => /^\p{L}{2,}$/u.test(part))
  return names.length === 0 ? null : new RegExp(`\\b(?:${names.join('|')})\\b`)
}

/**
 * Finds texts that name a field of the actor's report, such as `node_satisfied`. If the actor's prompt contains such a
 * text, `readReply` refuses every report that sets this field, because the model may have copied it from the prompt
 * ([reply-27] of `docs/reference/reply.md`). So with a model no node would ever count as satisfied. The function
 * accepts data of any shape.
 */
export function checkReportFields(raw: unknown): readonly Finding[] {
  return textsUnder(raw).flatMap(({ path, text }) =>
    mayName(text) && holdsReportsUp(text)
      ? [formError(path, 'names a field of the report, and so no report would count while this is told')]
      : [],
  )
}

/**
 * Returns false for a text that can't name a field of the report. This quick test makes the slow full test unnecessary
 * for most texts. Every field's name contains one of the words in the pattern.
 */
function mayName(text: string): boolean {
  return /satisf|detour|hint|complet|engagement|revealed/i.test(text)
}

/**
 * Checks that a colleague's figures come from their document. A figure in what the colleague knows (`knowledge`,
 * `decisionFacts` and the like) must have the same decimals as in the document. A figure in a spoken line may be
 * rounded ("23%" for 23.4%).
 */
export function checkFigures(scenario: Scenario): readonly Finding[] {
  return scenario.npcs.flatMap((npc, index) => checkNpc(npc, ['npcs', index]))
}

function checkNpc(npc: Npc, path: DataPath): readonly Finding[] {
  const page = npc.document ? [npc.document.title, ...npc.document.lines].flatMap(figuresIn) : []
  const { knowledge, depth, challenges, decisionFacts, beats, opinion, goal } = npc
  const known = textsUnder({ knowledge, depth, challenges, decisionFacts, beats, opinion, goal }, path)
  return [
    ...known.flatMap((text) => unmatched(text, page, isExactly, npc)),
    ...linesSpoken(npc, path).flatMap((text) => unmatched(text, page, sameFigure, npc)),
  ]
}

type Matches = (stated: Figure, written: Figure) => boolean

function unmatched(
  { path, text }: ScenarioText,
  page: readonly Figure[],
  matches: Matches,
  { document }: Npc,
): readonly Finding[] {
  const strange = figuresIn(text).filter((stated) => !page.some((written) => matches(stated, written)))
  return strange.map((stated) => formError(path, complaint(stated, page, document === null)))
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
