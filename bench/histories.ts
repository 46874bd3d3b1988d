import { Draws } from '../test/support/in-process/draws.ts'
import { liveHistory } from '../test/support/in-process/history.ts'
import { shrink } from '../test/support/in-process/shrink.ts'

// Runs many random histories of a conversation, in which messages are sent, lost and doubled, connections drop, tabs
// open and reload and the Durable Object is evicted. Counts the histories that violate a promise:
//
//   npm run histories --prefix bench -- 100000 1
//
// The first number is the number of histories. The second number is the seed of the first history; without the second
// number, the script picks a random seed. The script looks for a shorter history that fails like the first one that
// failed, and prints it. Exits with 1 if any history failed. With the word `tell` as the third argument, prints what
// happened in each history.

const [count = 1_000, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2, 4).map(Number)
const tells = process.argv[4] === 'tell'
/** The number of histories between two lines of progress. */
const EACH = 10_000
const broken: number[] = []
const sums = new Map<string, number>()
const from = performance.now()

console.log(`${count} histories from seed ${seed}`)
for (let i = 0; i < count; i++) {
  const outcome = await liveHistory(Draws.seeded(seed + i))
  for (const [what, times] of Object.entries(outcome.counts)) sums.set(what, (sums.get(what) ?? 0) + times)
  if (tells) console.log(outcome.happened.join('\n'))
  if (outcome.violation !== null) {
    broken.push(seed + i)
    console.log(`seed ${seed + i}: ${outcome.violation}`)
    if (broken.length === 1) {
      const smaller = await shrink(outcome)
      console.log([smaller.violation, ...smaller.happened, JSON.stringify(smaller.taken)].join('\n'))
    }
  }
  if ((i + 1) % EACH === 0) console.log(`${i + 1} lived, ${broken.length} broken`)
}
const seconds = (performance.now() - from) / 1000
console.log([...sums].map(([what, times]) => `${times} ${what}`).join(', '))
console.log(
  `${count} histories in ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} a second: ${broken.length} violations`,
)
if (broken.length > 0) process.exitCode = 1
