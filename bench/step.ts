import { deepStrictEqual } from 'node:assert/strict'
import { initialTransition, transition } from 'xstate'
import { graphOf } from '../test/support/sample-scenario.ts'
import { step } from '../worker/core/walk/step.ts'
import { startWalk } from '../worker/core/walk/walk.ts'
import { ENDED, peerMachine } from './peer-machine.ts'
import { TEN_TURNS } from './ten-turns.ts'

// Compares the time of one step of the walker with that of one pure transition of the same graph as an XState machine.
// Both run the ten turns of `test/fixtures/ten-turns.json` many times. The script stops before it measures if their
// results differ.

const graph = graphOf()
const machine = peerMachine(graph)

deepStrictEqual(walkOnce(), transitOnce())

const ROUNDS = 9
const WALKS = 2_000
const ours = rounds(walk)
const theirs = rounds(transit)
console.log(
  [
    `${TEN_TURNS.length} events, ${WALKS} walks a round, median of ${ROUNDS} rounds, Node ${process.versions.node}`,
    `walker      ${ours.toFixed(2)} µs a step, with its trace and its briefing`,
    `XState 5    ${theirs.toFixed(2)} µs a transition`,
    `ratio       ${(theirs / ours).toFixed(1)}`,
  ].join('\n'),
)

/** Returns the node after each event of the ten turns, and the counters at the end. */
function walkOnce() {
  let current = startWalk(graph)
  const nodes = TEN_TURNS.map((event) => {
    current = step(graph, current, event).walk
    return current.end ? ENDED : current.node
  })
  const { satisfied, forced, visits, overlays, relationship, seq } = current
  return { nodes, satisfied, forced, visits, overlays, score: relationship.score, seq }
}

function transitOnce() {
  let [current] = initialTransition(machine)
  const nodes = TEN_TURNS.map((event) => {
    ;[current] = transition(machine, current, event)
    return current.value
  })
  const { satisfied, forced, visits, overlays, score, seq } = current.context
  return { nodes, satisfied, forced, visits, overlays, score, seq }
}

function walk() {
  let current = startWalk(graph)
  for (const event of TEN_TURNS) current = step(graph, current, event).walk
  return current
}

function transit() {
  let [current] = initialTransition(machine)
  for (const event of TEN_TURNS) [current] = transition(machine, current, event)
  return current
}

/**
 * Returns the microseconds that one event takes, as the median over all rounds. The first two rounds are a warm-up and
 * do not count.
 */
function rounds(once: () => unknown): number {
  const times: number[] = []
  for (let round = -2; round < ROUNDS; round++) {
    const from = performance.now()
    for (let i = 0; i < WALKS; i++) once()
    const micros = ((performance.now() - from) * 1000) / (WALKS * TEN_TURNS.length)
    if (round >= 0) times.push(micros)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}
