import { FAULTS, printed, ROWS, runFaultTable } from '../test/support/fault-table.ts'

// Injects every fault before and after every step of a turn, each time into a new conversation of the real worker.
// Prints the results as a table. `node faults.ts speak apply` tests only the steps `speak` and `apply`.
const wanted = process.argv.slice(2)
const rows = ROWS.filter(({ step }) => wanted.length === 0 || wanted.includes(step))
const began = Date.now()
const cells = await runFaultTable(rows, FAULTS)
console.log(printed(cells))
for (const { row, fault, violations } of cells)
  for (const { invariant, what } of violations ?? [])
    console.log(`${row.number} ${row.step} ${row.note} ${row.when}, ${fault}: ${invariant} ${what}`)
const struck = cells.filter(({ violations }) => violations !== null)
const broken = struck.filter(({ violations }) => violations?.length !== 0)
console.log(`${struck.length} faults in ${Math.round((Date.now() - began) / 1000)} s, ${broken.length} broke a promise`)
process.exitCode = broken.length === 0 ? 0 : 1
