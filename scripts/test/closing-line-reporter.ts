import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'

/**
 * Ends a test run with one line that counts the tests, such as `123 passed, 0 failed, 2 skipped`. Begins a long run
 * (`npm run test:long`) with a line that names the run's random seed.
 */
export class ClosingLineReporter implements Reporter {
  onInit(vitest: Vitest): void {
    const { WALKON_TEST, WALKON_SEED } = process.env
    if (WALKON_TEST === 'long') vitest.logger.log(`\nLong run. The same draws again: WALKON_SEED=${WALKON_SEED}`)
  }

  onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    errors: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A test that was still pending when the run was interrupted has not passed.
    const failed = count('failed') + count('pending') + modules.filter(brokeOutsideTests).length + errors.length
    // An interrupted run, or a run without tests, has failed even if no test has failed.
    const least = reason === 'interrupted' || modules.length === 0 ? 1 : 0
    const skipped = count('skipped')
    const line = `${count('passed')} passed, ${Math.max(failed, least)} failed`
    process.stdout.write(`\n${skipped === 0 ? line : `${line}, ${skipped} skipped`}\n`)
  }
}

/** Returns true if an import or a hook threw, so that the file failed without a failed test. */
function brokeOutsideTests(module: TestModule): boolean {
  return module.state() === 'failed' && [...module.children.allTests('failed')].length === 0
}

/** vitest loads a reporter from the default export of its file. */
export default ClosingLineReporter
