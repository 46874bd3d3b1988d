import { parseArgs } from 'node:util'
import { startWorkerServer } from '../test/support/worker-server.ts'
import { type Asked, type Case, casesAbout, type Measured } from './chain-operations.ts'

// Measures every operation of the chain's API in two databases, of which one has a hundred times as many contexts as
// the other. Each operation runs in both in turn, many times. The table shows the median time and the rows read. Only
// the rows decide whether the benchmark passes, because D1 bills them and, unlike the time, they do not depend on the
// machine.

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '100000' },
    times: { type: 'string', default: '15' },
    /** How many times as many rows an operation may read in the large database as in the small one. */
    factor: { type: 'string', default: '3' },
  },
})
const [small, large, times, factor] = [values.small, values.large, values.times, values.factor].map(Number) as [
  number,
  number,
  number,
  number,
]

/** The number of contexts in a workflow. Four of five workflows belong to the first tenant. */
const CONTEXTS = 25
const TENANTS = ['first', 'second']
const WORKFLOWS_AT_ONCE = 8

const server = await startWorkerServer({ configPath: 'bench/chain-worker.toml' })

type Db = 'SMALL' | 'LARGE'

try {
  const sizes: readonly (readonly [Db, number])[] = [
    ['SMALL', small],
    ['LARGE', large],
  ]
  for (const [db, contexts] of sizes) {
    const from = performance.now()
    await fill(db, Math.floor(contexts / CONTEXTS))
    console.error(`${contexts} contexts in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  const results = await measure()
  console.log(table(results))
  console.log('* looks through all of the tenant’s contexts ([person-13]), and may read more')
  const over = results.filter(
    ({ small: less, large: more, most, grows }) =>
      !grows && more.rows > Math.max(factor * Math.max(less.rows, 1), most),
  )
  const failed = results.filter(({ failure }) => failure !== null)
  for (const { name, failure } of failed) console.log(`${name}: ${failure}`)
  console.log(
    `${results.length} operations; ${over.length} read more than ${factor} times as many rows${over.map(({ name }) => `\n  ${name}`).join('')}`,
  )
  process.exitCode = over.length + failed.length > 0 ? 1 : 0
} finally {
  await server.stop()
}

/**
 * Fills a database with workflows in batches. Every fifth batch belongs to the second tenant, so that each tenant has
 * workflows from early to late creation times.
 */
async function fill(db: Db, workflows: number): Promise<void> {
  for (let from = 0; from < workflows; from += WORKFLOWS_AT_ONCE) {
    const to = Math.min(workflows, from + WORKFLOWS_AT_ONCE)
    const tenant = TENANTS[(from / WORKFLOWS_AT_ONCE) % 5 === 1 ? 1 : 0]
    await send({ db, tenant, fill: { from, to } })
  }
}

async function measure() {
  const taken = new Map<string, Record<Db, Measured[]> & { most: number; grows: boolean }>()
  for (let run = 0; run <= times; run += 1)
    for (const at of casesAbout(0, run).keys())
      for (const db of ['SMALL', 'LARGE'] as const) {
        const { name, ask, before = [], after = [], most = 0, grows = false } = caseIn(db, run, at)
        for (const each of before) await done({ db, ask: each })
        const result = await send({ db, ask })
        for (const each of after) await done({ db, ask: each })
        const both = taken.get(name) ?? { SMALL: [], LARGE: [], most, grows }
        taken.set(name, both)
        // The first run only warms up caches.
        if (run > 0) both[db].push(result)
      }
  return [...taken].map(([name, { most, grows, ...both }]) => ({
    name: grows ? `${name} *` : name,
    most,
    grows,
    small: median(both.SMALL),
    large: median(both.LARGE),
    failure: failureIn([...both.SMALL, ...both.LARGE]),
  }))
}

/** Runs a call that prepares or undoes a case. Throws if the call fails, because the measurement is then worthless. */
async function done(order: { db: Db; ask: Asked }): Promise<void> {
  const failure = failureIn([await send(order)])
  if (failure !== null) throw new Error(`${order.ask.operation}: ${failure}`)
}

/**
 * Returns the case at a position of `casesAbout`, about a wide workflow of the first tenant in the middle of the table.
 */
function caseIn(db: Db, run: number, at: number): Case {
  const workflows = (db === 'SMALL' ? small : large) / CONTEXTS
  const middle = Math.floor(workflows / 2 / (WORKFLOWS_AT_ONCE * 5)) * WORKFLOWS_AT_ONCE * 5
  const found = casesAbout(middle + 4, run)[at]
  if (!found) throw new Error('no such case')
  return found
}

async function send(order: { db: Db; tenant?: string | undefined; fill?: object; ask?: Asked }): Promise<Measured> {
  const body = JSON.stringify({ tenant: TENANTS[0], ...order })
  const response = await server.fetch('/', { method: 'POST', body })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Measured
}

function median(results: readonly Measured[]): Omit<Measured, 'answer'> {
  const of = (what: 'ms' | 'rows' | 'written' | 'calls') =>
    results.map((each) => each[what]).toSorted((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0
  return { ms: of('ms'), rows: of('rows'), written: of('written'), calls: of('calls') }
}

function failureIn(results: readonly Measured[]): string | null {
  for (const { answer } of results)
    if (typeof answer === 'object' && answer !== null && 'failed' in answer) return String(answer.failed)
  return null
}

function table(results: Awaited<ReturnType<typeof measure>>): string {
  const head = ['operation', 'ms', 'ms', 'x', 'rows read', 'rows read', 'x', 'written', 'calls']
  const lines = results.map(({ name, small: less, large: more }) => [
    name,
    less.ms.toFixed(1),
    more.ms.toFixed(1),
    (more.ms / Math.max(less.ms, 0.1)).toFixed(1),
    String(less.rows),
    String(more.rows),
    (more.rows / Math.max(less.rows, 1)).toFixed(1),
    String(more.written),
    String(more.calls),
  ])
  const sizes = ['', String(small), String(large), '', String(small), String(large), '', '', '']
  const all = [head, sizes, ...lines]
  const widths = head.map((_, at) => Math.max(...all.map((line) => (line[at] ?? '').length)))
  const pad = (line: readonly string[]) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return all.map(pad).join('\n')
}
