import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { agents } from './adapters/agents.ts'
import { partyserver } from './adapters/partyserver.ts'
import { proxy } from './adapters/proxy.ts'
import { socketio } from './adapters/socketio.ts'
import { walkon } from './adapters/walkon.ts'
import { chartOf } from './chart.ts'
import { type Extent, type Figures, measure } from './measure.ts'
import { ModelProcess } from './model-process.ts'
import { goalOf, mediansOf, type Result, type Row, rowsFor, cellOf, written } from './rows.ts'
import { makeFolder, removeFolder } from './temp-folder.ts'
import { ROOT } from './workerd.ts'

// Measures Walkon beside what one would take for the same task otherwise: the same fake model, the same client, the same
// machine, one server after the other.

const PEERS = [walkon, socketio, partyserver, agents, proxy]

const { values } = parseArgs({
  options: {
    /** One run with fewer of everything. */
    quick: { type: 'boolean', default: false },
    /** The servers to measure, by their ids. */
    only: { type: 'string', default: PEERS.map(({ id }) => id).join(',') },
    runs: { type: 'string' },
    streams: { type: 'string' },
    /** The streams of the crowd. */
    crowd: { type: 'string' },
    /** The idle seconds. */
    idle: { type: 'string' },
    /** The turns of a long conversation, which is held only in the first run. */
    turns: { type: 'string' },
    /** Where to write the figures and the drawing. A quick run writes nothing, unless this is given. */
    out: { type: 'string' },
  },
})
const { quick } = values
const number = (given: string | undefined, usual: number, least: number) => {
  const wanted = given === undefined ? usual : Number(given)
  if (!Number.isInteger(wanted) || wanted < least) throw new RangeError(`"${given}" is no whole number from ${least}`)
  return wanted
}
const runs = number(values.runs, quick ? 1 : 5, 1)
const extent: Extent = {
  streams: number(values.streams, quick ? 20 : 100, 1),
  crowd: number(values.crowd, quick ? 60 : 500, 1),
  crowdTokens: quick ? 60 : 100,
  idleSeconds: number(values.idle, quick ? 13 : 30, 0),
  turns: number(values.turns, quick ? 60 : 1_000, 30),
}
const chosen = values.only.split(',').map((id) => {
  const found = PEERS.find((peer) => peer.id === id)
  if (!found) throw new RangeError(`"${id}" is none of ${PEERS.map((peer) => peer.id).join(', ')}`)
  return found
})

const folder = makeFolder()
const model = await ModelProcess.start()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const bundles = new Map<string, Result['bundle']>()
  for (const peer of chosen) {
    const own = path.join(folder, peer.id)
    await mkdir(own)
    const bundle = await peer.prepare(own)
    bundles.set(peer.id, bundle && { bytes: bundle.bytes, gzipped: bundle.gzipped })
  }
  const figures = new Map<string, Figures[]>(chosen.map(({ id }) => [id, []]))
  // The long conversations take long, so they are held only once. Each server has its turn in each round, so that a busy minute of the machine does not strike only one of them.
  for (let run = 1; run <= runs; run++)
    for (const peer of chosen) {
      const from = performance.now()
      const seconds = () => `${((performance.now() - from) / 1_000).toFixed(0)} s`
      try {
        figures.get(peer.id)?.push(await measure(peer, model, run === 1 ? extent : { ...extent, turns: 0 }))
        console.error(`run ${run} of ${runs}: ${peer.name}, ${seconds()}`)
      } catch (error) {
        process.exitCode = 1
        console.error(`run ${run} of ${runs}: ${peer.name} failed after ${seconds()}: ${String(error)}`)
      }
    }
  const results = chosen.flatMap(({ id, name, opens }): Result[] => {
    const all = figures.get(id) ?? []
    if (all.length === 0) return []
    return [{ id, name, opens, bundle: bundles.get(id) ?? null, figures: mediansOf(all), runs: all }]
  })
  const rows = rowsFor(extent)
  console.log(tableOf(rows, results))
  if (!quick || values.out !== undefined) await write(rows, results)
} finally {
  await model.stop()
  removeFolder(folder)
}
process.exit()

function tableOf(rows: readonly Row[], results: readonly Result[]): string {
  const head = ['', '', ...results.map(({ name }) => name), 'goal']
  const lines = rows.map((row) => {
    const goal = goalOf(row, results)
    const aim = goal === null ? '' : `${row.isMore ? '≥' : '≤'} ${written(goal)}`
    return [row.title, row.unit, ...results.map((result) => cellOf(row, result)), aim]
  })
  const all = [head, ...lines]
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)))
  return all
    .map((line) =>
      line.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n')
}

async function write(rows: readonly Row[], results: readonly Result[]): Promise<void> {
  // npm runs the script in its own folder, and tells where the person is.
  const from = process.env['INIT_CWD'] ?? process.cwd()
  const out = values.out === undefined ? path.join(ROOT, 'docs/bench') : path.resolve(from, values.out)
  await mkdir(out, { recursive: true })
  const { length: cores, 0: core } = cpus()
  const machine = `${cores} cores${core ? ` (${core.model.trim()})` : ''}, Node ${process.versions.node}`
  const counted = runs === 1 ? 'one run' : `medians of ${runs} runs`
  const caption = `${extent.streams} streams of 60 tokens at 25 ms, ${cores} cores, ${counted}. Shorter is better, except for new sessions. Orange: the goal.`
  await writeFile(path.join(out, 'peers.json'), `${JSON.stringify({ machine, runs, extent, results }, null, 2)}\n`)
  await writeFile(path.join(out, 'peers.svg'), chartOf(rows, results, caption))
  console.error(`written: ${path.relative(from, path.join(out, 'peers.svg'))} and peers.json`)
}
