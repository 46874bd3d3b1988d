import type { OpenTurn, Walk } from './walk.ts'

/** A turn in which nothing has happened yet. `home` is the walk at rest. */
export function newTurn(home: Walk, turnId: string): OpenTurn {
  return {
    turnId,
    home,
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
