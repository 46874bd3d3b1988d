import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

/**
 * Ends a run with one line that counts its tests, such as `123 passed, 0 failed, 2 skipped`, for a reader that knows no
 * test runner. A file that could not be run counts as one failure, and so does an error outside of all tests: a run that
 * fails never ends with `0 failed`. Above it stands every test that passed at the second try only.
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>, reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    for (const test of tests.filter((each) => each.diagnostic()?.flaky))
      process.stdout.write(`\nat the second try: ${test.module.relativeModuleId} > ${test.fullName}`)
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A test that was still to run when the run was cut short has not passed.
    const counted = count('failed') + count('pending') + modules.filter(brokeOutsideTests).length + errors.length
    // A run that found no tests, or broke off, has failed even if nothing in it did.
    const failed = Math.max(counted, reason === 'passed' && modules.length > 0 ? 0 : 1)
    const skipped = count('skipped')
    process.stdout.write(
      `\n${count('passed')} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`,
    )
  }
}

/** An import that threw, or a hook: the module failed with no failed test to show for it. */
function brokeOutsideTests(module: TestModule): boolean {
  if (module.state() !== 'failed') return false
  return ![...module.children.allTests()].some((test) => test.result().state === 'failed')
}

/** vitest takes a reporter named by its path from the default export. */
export default ClosingLineReporter
