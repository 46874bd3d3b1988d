import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'
import { closingLines, type FileReport, type RunReport } from './run-report.ts'

/**
 * Ends a run with one line that counts its tests, such as `123 passed, 0 failed, 2 skipped`, for a reader that knows no
 * test runner. Where the run is one of `scripts/test.ts`, it is told what came of it instead, and says the line itself.
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    errors: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): void {
    const report = reportOf(modules, errors, reason)
    if (process.send) process.send(report)
    else process.stdout.write(`\n${closingLines(report).join('\n')}\n`)
  }
}

function reportOf(
  modules: ReadonlyArray<TestModule>,
  errors: ReadonlyArray<SerializedError>,
  reason: TestRunEndReason,
): RunReport {
  const deaths = errors.filter(isDeath).length
  return {
    files: modules.map(fileReportOf),
    errors: errors.length - deaths,
    deaths,
    isWhole: reason !== 'interrupted',
  }
}

function fileReportOf(module: TestModule): FileReport {
  const tests = [...module.children.allTests()]
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const state = module.state()
  const failed = count('failed')
  // An import that threw, or a hook: the file failed with no failed test to show for it.
  const brokeOutsideTests = state === 'failed' && failed === 0
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    state: state === 'skipped' ? 'passed' : state === 'passed' || state === 'failed' ? state : 'unfinished',
    passed: count('passed'),
    // A test that was still to run when the run was cut short has not passed.
    failed: failed + count('pending') + (brokeOutsideTests ? 1 : 0),
    skipped: count('skipped'),
    secondTries: tests.filter((test) => test.diagnostic()?.flaky).map((test) => test.fullName),
  }
}

/** vitest gives it no name of its own, and does not say which file it was. */
function isDeath({ cause }: SerializedError): boolean {
  return cause instanceof Error && cause.message === 'Worker exited unexpectedly'
}

/** vitest takes a reporter named by its path from the default export. */
export default ClosingLineReporter
