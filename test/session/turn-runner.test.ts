import { expect, it } from 'vitest'
import type { StoredTurn } from '../../worker/session/turn.ts'
import type { TurnDeps } from '../../worker/session/turn-deps.ts'
import { TurnRunner } from '../../worker/session/turn-runner.ts'

const TURN: StoredTurn = {
  id: 1,
  attempt: 1,
  status: 'running',
  cid: 'c1',
  learner: 'Hello',
  page: null,
  lease: 0,
  isTold: false,
}

/**
 * Returns a conversation in which a turn is running. Every attempt to read its other data fails. `mend` ends the turn.
 */
function unreadable() {
  let last: StoredTurn = TURN
  const unread = () => {
    throw new Error('this row cannot be read')
  }
  const store = { lastTurn: () => last, loop: unread, walk: unread, eventsOf: unread }
  const deps = { store, now: () => 0, log: () => {}, probe: () => {} } as unknown as TurnDeps
  const runner = new TurnRunner({
    deps: () => deps,
    sendDelta: () => {},
    waitUntil: () => {},
    schedule: () => Promise.resolve(),
  })
  return { runner, deps, mend: () => void (last = { ...TURN, status: 'done', isTold: true }) }
}

it('[turn-12] looks ever more seldom after a question that is over, if that cannot be written', () => {
  const call = { id: '1.0', tool: 't', input: 'i', status: 'asking', result: '', until: 1 }
  const state = { shared_memory: {}, pending_operations: [] }
  const record = { state, turn: { id: 1, agent: 'a', calls: [call] } }
  let written = 0
  const full = () => {
    written += 1
    throw new Error('the disk is full')
  }
  const store = {
    lastTurn: () => TURN,
    loop: () => null,
    walk: full,
    assistant: { read: () => record },
    writeAssistant: full,
  }
  const deps = { store, now: () => 2, log: () => {}, probe: () => {} } as unknown as TurnDeps
  const runner = new TurnRunner({
    deps: () => deps,
    sendDelta: () => {},
    waitUntil: () => {},
    schedule: () => Promise.resolve(),
  })
  const waits = Array.from({ length: 3 }, () => {
    runner.recover()
    return (runner.nextDue(deps) ?? 0) - deps.now()
  })
  expect([waits, written]).toEqual([[5_000, 10_000, 20_000], 6])
})

it('[turn-12] looks ever more seldom after what nothing can be done about, up to an hour', () => {
  const { runner, deps, mend } = unreadable()
  const waits = Array.from({ length: 13 }, () => {
    runner.recover()
    return (runner.nextDue(deps) ?? 0) / 1_000
  })
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600])
  mend()
  runner.recover()
  expect(runner.nextDue(deps)).toBeNull()
})
