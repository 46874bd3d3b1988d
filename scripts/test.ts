import { spawn } from 'node:child_process'
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
/** What a run is that vitest did not live to tell of. */
const UNTOLD: RunReport = { files: [], errors: 0, deaths: 1, isWhole: false }

/**
 * Runs the tests, all of them or what the arguments name, as `vitest run` would. [H14] Where `CI` is set, a whole run is
 * followed by a second one of the few files that the machine may have failed, and both are counted as one.
 */
async function main(args: readonly string[]): Promise<void> {
  const first = await runVitest(args)
  const again = process.env['CI'] !== undefined && args.every(isOption) ? worthASecondRun(first) : []
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

function isOption(arg: string): boolean {
  return arg.startsWith('-')
}

function runVitest(args: readonly string[]): Promise<RunReport> {
  const vitest = spawn(process.execPath, [VITEST, 'run', ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    let report = UNTOLD
    // From closing-line-reporter.ts.
    vitest.on('message', (told) => (report = told as RunReport))
    vitest.once('error', reject)
    vitest.once('close', (code) =>
      resolve(code === 0 || countFailed(report) > 0 ? report : { ...report, isWhole: false }),
    )
  })
}

// The terminal tells both; vitest ends its processes, and then there is something to count.
process.on('SIGINT', () => {})
await main(process.argv.slice(2))
