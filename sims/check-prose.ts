import type { Problem } from './problem.ts'
import type { PlacedText } from './spoken-texts.ts'
import { spokenTexts, textsUnder } from './spoken-texts.ts'

/**
 * How colleagues talk: no em dashes, no lists, no praise, never their own name, at most three sentences, no line
 * twice. And no text anywhere may hold the separator between speech and report. Takes data of any shape, so that
 * prose is read even while the shape is wrong.
 */
export function checkProse(raw: unknown): readonly Problem[] {
  return [
    ...textsUnder(raw).flatMap(checkSeparator),
    ...npcsOf(raw).flatMap((npc, index) => checkVoice(npc, ['npcs', index])),
  ]
}

function checkSeparator({ path, text }: PlacedText): readonly Problem[] {
  return /[-\u2013\u2014]{2,}\s*END\s*[-\u2013\u2014]{2,}/i.test(text)
    ? [{ path, message: 'holds the separator between speech and report' }]
    : []
}

function checkVoice(npc: unknown, path: Problem['path']): readonly Problem[] {
  const spoken = spokenTexts(npc, path)
  const name = ownName(npc)
  return [...spoken.flatMap((line) => checkLine(line, name)), ...repeats(spoken)]
}

function checkLine({ path, text }: PlacedText, name: RegExp | null): readonly Problem[] {
  const complaints = [
    /[\u2014\u2013]|\s--\s/.test(text) && 'has a dash where a person would pause; use a full stop or a comma',
    /(?:^|\n)\s*(?:[-*\u2022]|\d+[.)])\s/.test(text) && 'is a list; people do not talk in lists',
    name?.test(text) && 'says the speaker’s own name',
    BANNED.exec(text)?.[0] && `says "${BANNED.exec(text)?.[0]}", which nobody says at work`,
    sentences(text) > 3 && 'runs past three sentences',
  ]
  return complaints.flatMap((message) => (message ? [{ path, message }] : []))
}

/** A line written twice would be refused the second time, as already said. */
function repeats(spoken: readonly PlacedText[]): readonly Problem[] {
  const first = new Map<string, number>()
  return spoken.flatMap(({ path, text }, index) => {
    const line = text.trim().toLowerCase()
    if (first.has(line)) return [{ path, message: 'is a line this colleague has already' }]
    first.set(line, index)
    return []
  })
}

const BANNED =
  /\b(?:(?:great|good|excellent|interesting) (?:question|point|catch)|well done|good job|nice work|i (?:completely |totally )?understand your concerns?|i hear your concerns?|happy to help|feel free|let me know if|as an ai|i appreciate (?:your|that|you)|absolutely|certainly|delve|at the end of the day)\b/i

/** "C.4" and "8.1%" end no sentence; a full stop before a space does. */
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
