import type { OpenTurn, Walk } from './walk.ts'

/** A turn in which nothing has happened yet. `before` is the walk that an abort goes back to. */
export function newTurn(before: Walk, turnId: string): OpenTurn {
  return {
    turnId,
    before,
    home: null,
    overlay: null,
    waiting: null,
    requests: 0,
    silentSteps: 0,
    hops: 0,
    passed: [],
    action: null,
    isSpoken: false,
    sends: [],
  }
}
