import type { Npc, PivotContent, Scenario } from '../../worker/core/scenario/scenario.ts'

/** What a learner knows when they write their next message. */
export interface Sight {
  readonly scenario: Scenario
  readonly npc: Npc
  /** What the learner and the colleague have said so far, oldest first. */
  readonly lines: readonly ArenaLine[]
  /** The fork whose cards are shown now; null if no cards are shown. */
  readonly fork: PivotContent | null
}

export interface ArenaLine {
  readonly who: 'learner' | 'npc'
  readonly text: string
}

/** What a learner does next: writes a message, or picks a card. */
export interface Act {
  readonly text: string
  /** True if `text` is the number of a card, as the page sends it. */
  readonly picks?: true
  /** True if the message answers the fork whose cards are shown, in the learner's own words. */
  readonly answers?: true
}

/** A simulated learner without a model. */
export interface Persona {
  readonly name: string
  /**
   * How the learner behaves, worded to follow "You". The command's output shows this text, and a model gets it as its
   * role.
   */
  readonly about: string
  /** True if the learner takes their leave before the colleague does. */
  readonly leaves: boolean
  /** Returns the next act, which depends only on `sight` and on the numbers that the function draws. */
  act(sight: Sight, draw: Draw): Act
}

/** Returns a whole number from 0 up to but not including `below`. */
export type Draw = (below: number) => number

/**
 * Returns a generator that draws the same numbers for the same words: FNV-1a makes the seed, mulberry32 the numbers.
 */
export function drawFrom(...words: readonly (string | number)[]): Draw {
  let state = 2_166_136_261
  for (const byte of new TextEncoder().encode(words.join('\u0000'))) state = Math.imul(state ^ byte, 16_777_619)
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    const once = Math.imul(state ^ (state >>> 15), state | 1)
    const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61))
    return Math.floor((((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
