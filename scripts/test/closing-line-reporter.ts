import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'

/** Ends a run with one line that counts its tests, such as `123 passed, 0 failed, 2 skipped`, and names a random seed. */
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
    // A test that was still to run when the run was cut short has not passed.
    const failed = count('failed') + count('pending') + modules.filter(brokeOutsideTests).length + errors.length
    // A run that was cut short, or that found no tests, has failed even if no test has.
    const least = reason === 'interrupted' || modules.length === 0 ? 1 : 0
    const skipped = count('skipped')
    const line = `${count('passed')} passed, ${Math.max(failed, least)} failed`
    process.stdout.write(`\n${skipped === 0 ? line : `${line}, ${skipped} skipped`}\n`)
  }
}

/** An import or a hook threw: the file failed with no failed test to show for it. */
function brokeOutsideTests(module: TestModule): boolean {
  return module.state() === 'failed' && [...module.children.allTests('failed')].length === 0
}

/** vitest takes a reporter named by its path from the default export. */
export default ClosingLineReporter
