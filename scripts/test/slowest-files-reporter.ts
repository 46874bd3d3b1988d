import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/**
 * Ends a test run with a list of the ten slowest test files, in seconds of wall time from the import to the last test.
 */
export class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const timed = modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
    const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN)
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`)
    process.stdout.write(`\nThe slowest files:\n${lines.join('')}`)
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic()
  return (collectDuration + duration + prepareDuration + setupDuration) / 1000
}

/** vitest loads a reporter from the default export of its file. */
export default SlowestFilesReporter
