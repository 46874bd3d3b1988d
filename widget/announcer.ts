import type { ConversationTexts } from './texts/en.ts'

/** Announces texts to screen readers. */
export interface Announcer {
  say(text: string): void
  /** Announces `text` after two seconds, unless `cancelSlow` or `sayIfSlow` is called before then. */
  sayIfSlow(text: string): void
  cancelSlow(): void
  stop(): void
}

/**
 * Two live regions: elements whose new text a screen reader reads aloud. The announcer uses them alternately. Both
 * regions are `polite`: the screen reader finishes its sentence before it reads the new text.
 */
export type Regions = readonly [Region, Region]

export interface Region {
  textContent: string | null
}

const COALESCE_MS = 250
const SLOW_MS = 2_000
const CLEAR_MS = 15_000

/**
 * Makes an announcer. The transcript itself is not a live region, because a screen reader would read a growing reply
 * piece by piece. Announcements that come within 250 ms are joined into one. The two regions take turns, because a
 * screen reader ignores a new text in a region if the region's last text was the same. The announcer empties both
 * regions after 15 seconds, so that a learner who browses the page finds no old announcement ([embed-40]).
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

/**
 * Returns what screen readers announce for a reply: its text without Markdown, or, for more than 500 characters, only
 * the first sentence and the number of sentences that follow.
 */
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
