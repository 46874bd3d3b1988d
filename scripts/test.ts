import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import {
  closingLines,
  countFailed,
  mergeRuns,
  worthASecondRun,
  type FileReport,
  type RunReport,
} from './test/run-report.ts'

const VITEST = path.resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
const REPORTER = path.resolve(import.meta.dirname, 'test/closing-line-reporter.ts')
/** What a run is that vitest did not live to tell of. */
const UNTOLD: RunReport = { files: [], errors: 0, deaths: 1, isWhole: false }

/**
 * Runs the tests, all of them or what the arguments name, as `vitest run` would. [setup-14] Where `CI` is set, a whole run is
 * followed by a second one of the few files that the machine may have failed, and both are counted as one.
 */
async function main(args: readonly string[]): Promise<void> {
  const first = await runVitest(args)
  if (args.includes('--help')) return
  const again = process.env['CI'] !== undefined && args.every(leavesAll) ? worthASecondRun(first) : []
  const run = again.length === 0 ? first : mergeRuns(first, await runAgain(again, args))
  console.log()
  for (const file of again) console.log(`at the second run: ${nameOf(file)}`)
  for (const line of closingLines(run)) console.log(line)
  process.exitCode = countFailed(run) === 0 ? 0 : 1
}

/** With nothing beside it. */
function runAgain(files: readonly FileReport[], args: readonly string[]): Promise<RunReport> {
  console.log(`\nOnce more, one after the other:\n${files.map((file) => `  ${nameOf(file)}\n`).join('')}`)
  return runVitest([...args, '--maxWorkers=1', ...files.map(({ file }) => file)])
}

function nameOf({ file, state, failed }: FileReport): string {
  return `${file} (${state === 'unfinished' ? 'its process died' : `${failed} failed`})`
}

/** Whether all tests run with it. */
function leavesAll(arg: string): boolean {
  return /^--(root|reporter)=/.test(arg)
}

async function runVitest(args: readonly string[]): Promise<RunReport> {
  // A reporter that is asked for takes the place of all that the configuration names.
  const own = args.some((arg) => arg.startsWith('--reporter')) ? [`--reporter=${REPORTER}`] : []
  const vitest = spawn(process.execPath, [VITEST, 'run', ...args, ...own], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const passOn = (signal: NodeJS.Signals) => vitest.kill(signal)
  process.on('SIGTERM', passOn).on('SIGHUP', passOn)
  let report = UNTOLD
  // From closing-line-reporter.ts.
  vitest.on('message', (told) => (report = told as RunReport))
  const [code] = (await once(vitest, 'close')) as [number | null]
  process.off('SIGTERM', passOn).off('SIGHUP', passOn)
  return code === 0 || countFailed(report) > 0 ? report : { ...report, isWhole: false }
}

// The terminal tells both; vitest ends its processes, and then there is something to count.
process.on('SIGINT', () => {})
await main(process.argv.slice(2))
