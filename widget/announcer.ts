import type { ConversationTexts } from './texts.ts'

/** Tells screen readers what happened in the panel, once. */
export interface Announcer {
  say(text: string): void
  /** Says `text` if nothing cancels it within two seconds. */
  sayIfSlow(text: string): void
  cancelSlow(): void
  stop(): void
}

/** Two polite live regions, used in turn. No announcement interrupts the screen reader. */
export type Regions = readonly [Region, Region]

export interface Region {
  textContent: string | null
}

const COALESCE_MS = 250
const SLOW_MS = 2_000
const CLEAR_MS = 15_000

/**
 * Makes an announcer. The transcript itself is not live, because a screen reader would read a growing reply piece by piece.
 * Announcements within 250 ms go out as one. Two regions take turns, because a screen reader ignores the same text in
 * the same region. Both are emptied after 15 s, so that a reader who browses finds no old text ([embed-40]).
 */
export function announcer(regions: Regions): Announcer {
  const waiting: string[] = []
  let turn: 0 | 1 = 0
  let flushing: Timer
  let slow: Timer
  let clearing: Timer

  const flush = () => {
    flushing = undefined
    empty()
    turn = turn === 0 ? 1 : 0
    regions[turn].textContent = waiting.splice(0).join(' ')
    clearTimeout(clearing)
    clearing = setTimeout(empty, CLEAR_MS)
  }
  const empty = () => {
    for (const region of regions) region.textContent = ''
  }
  const say = (text: string) => {
    waiting.push(text)
    flushing ??= setTimeout(flush, COALESCE_MS)
  }

  return {
    say,
    sayIfSlow(text) {
      clearTimeout(slow)
      slow = setTimeout(say, SLOW_MS, text)
    },
    cancelSlow: () => clearTimeout(slow),
    stop() {
      for (const timer of [flushing, slow, clearing]) clearTimeout(timer)
      empty()
    },
  }
}

/** Returns a reply as it is announced: without Markdown, and a long one by its first sentence. */
export function spoken(text: string, texts: Pick<ConversationTexts, 'moreSentences'>): string {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^ *[#>]+ |[*_`|~]+/gm, '')
    .trim()
  if (plain.length <= LONG) return plain
  const sentences = plain.match(/[^.!?…]+(?:[.!?…]+|$)/g) ?? [plain]
  const [first = plain, ...rest] = sentences
  return rest.length ? `${first.trim()} ${texts.moreSentences(rest.length)}` : plain
}

const LONG = 500

type Timer = ReturnType<typeof setTimeout> | undefined
