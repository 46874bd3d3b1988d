import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { countFailed, worthASecondRun, type FileReport, type RunReport } from '../../scripts/test/run-report.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** At first only: afterwards it leaves what shows that it was there. */
const ONCE = `import { existsSync, writeFileSync } from 'node:fs'
  const isFirst = (name) => !existsSync(new URL(name, import.meta.url)) && (writeFileSync(new URL(name, import.meta.url), ''), true)`
const DIES = "it('b', () => { if (isFirst('b')) process.kill(process.pid, 'SIGKILL') }); it('c', () => {})"
const FAILS = "it('d', () => { if (isFirst('d')) throw new Error('d') }); it.skip('e', () => {})"
const IS_FINE = "it('f', () => {})"

describe('the closing line', { timeout: 120_000 }, () => {
  it.each([
    [
      'a pass, a failure and a skip',
      "it('a', () => {}); it('b', () => { throw new Error('b') }); it.skip('c', () => {})",
      '1 passed, 1 failed, 1 skipped',
      1,
    ],
    ['passes alone', "it('a', () => {}); it('b', () => {})", '2 passed, 0 failed', 0],
    ['a file that cannot be loaded', "throw new Error('load')", '0 passed, 1 failed', 1],
    [
      'a hook that fails',
      "beforeAll(() => { throw new Error('hook') }); it('a', () => {})",
      '0 passed, 1 failed, 1 skipped',
      1,
    ],
    ['a process that dies', DIES, '0 passed, 3 failed', 1],
  ])('[setup-10] %s', (_what, code, line, status) => {
    for (const isToldBy of ['vitest', 'script'] as const) {
      const { lines, ...ended } = run({ 'it.test.ts': code }, { isToldBy })
      expect({ ...ended, last: lines.at(-1) }).toEqual({ status, last: line })
    }
  })

  it('[setup-12] stands below every test that passed at the second try only', () => {
    const code =
      "let tries = 0; it('a', { retry: 1 }, () => { if (++tries < 2) throw new Error('once') }); it('b', () => {})"
    const { lines } = run({ 'it.test.ts': code }, { isToldBy: 'vitest' })
    expect(lines.slice(-2)).toEqual(['at the second try: it.test.ts > a', '2 passed, 0 failed'])
  })
})

describe('the second run', { timeout: 120_000 }, () => {
  const files = { 'dies.test.ts': DIES, 'fails.test.ts': FAILS, 'fine.test.ts': IS_FINE }

  it('[setup-14] is of what a process died under, and of what failed beside other processes, and is said', () => {
    const { lines, status } = run(files, { isToldBy: 'script', project: 'socket', isCi: true })
    expect({ status, last: lines.slice(-3) }).toEqual({
      status: 0,
      last: [
        'at the second run: dies.test.ts (its process died)',
        'at the second run: fails.test.ts (1 failed)',
        '4 passed, 0 failed, 1 skipped',
      ],
    })
  })

  it('[setup-14] is not of what is deterministic and failed', () => {
    const { lines, status } = run(files, { isToldBy: 'script', project: 'unit', isCi: true })
    expect({ status, last: lines.slice(-2) }).toEqual({
      status: 1,
      last: ['at the second run: dies.test.ts (its process died)', '3 passed, 1 failed, 1 skipped'],
    })
  })

  it('[setup-14] does not make green what fails twice', () => {
    const always = { 'fails.test.ts': "it('d', () => { throw new Error('d') })", 'fine.test.ts': IS_FINE }
    const { lines, status } = run(always, { isToldBy: 'script', project: 'e2e', isCi: true })
    expect({ status, last: lines.slice(-2) }).toEqual({
      status: 1,
      last: ['at the second run: fails.test.ts (1 failed)', '1 passed, 1 failed'],
    })
  })

  it('[setup-14] comes neither without CI nor of a part', () => {
    for (const how of [{ isCi: false }, { isCi: true, only: ['fails'] }, { isCi: true, only: ['-t=d'] }]) {
      const { lines, status } = run(files, { isToldBy: 'script', project: 'socket', ...how })
      expect(status).toBe(1)
      expect(lines.join('\n')).not.toContain('second run')
    }
  })

  it('[setup-14] is not worth it where much has failed, nor where the run was broken off', () => {
    const failed: FileReport = {
      file: 'a',
      project: 'e2e',
      state: 'failed',
      passed: 0,
      failed: 1,
      skipped: 0,
      secondTries: [],
    }
    const report = (size: number): RunReport => ({
      files: Array.from({ length: size }, () => failed),
      errors: 0,
      deaths: 0,
      isWhole: true,
    })
    expect([8, 9].map((size) => worthASecondRun(report(size)).length)).toEqual([8, 0])
    const brokenOff: RunReport = { ...report(1), deaths: 1, isWhole: false }
    expect(worthASecondRun(brokenOff)).toEqual([])
    expect(worthASecondRun({ ...report(0), files: [{ ...failed, state: 'unfinished' }] })).toEqual([])
    expect(countFailed({ ...report(0), isWhole: false })).toBe(1)
  })
})

describe('the tests’ own command', { timeout: 120_000 }, () => {
  it('[setup-10] counts under another reporter too, and answers what is no run', () => {
    const files = { 'fine.test.ts': IS_FINE }
    expect(run(files, { isToldBy: 'script', only: ['--reporter=dot'] }).lines.at(-1)).toBe('1 passed, 0 failed')
    const { lines, status } = run(files, { isToldBy: 'script', only: ['--help'] })
    expect(status).toBe(0)
    expect(lines.at(-1)).toContain('--help')
  })

  it.skipIf(process.platform === 'win32')('[setup-10] that is ended ends vitest, and has failed', async () => {
    const house = houseOf(
      { 'waits.test.ts': "it('a', () => new Promise(() => { console.log('here') }), 100_000)" },
      'unit',
    )
    try {
      const command = spawn(process.execPath, ['scripts/test.ts', `--root=${house}`], { cwd: ROOT, stdio: 'pipe' })
      let printed = ''
      command.stdout.on('data', (more) => (printed += String(more)))
      await vi.waitFor(() => expect(printed).toContain('here'), { timeout: 60_000 })
      command.kill('SIGTERM')
      // Its output ends when nobody is left who could write to it.
      const [code] = (await once(command, 'close')) as [number | null]
      expect({ code, last: printed.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        last: expect.stringMatching(/^0 passed, [1-9] failed$/),
      })
    } finally {
      rmSync(house, { recursive: true, force: true })
    }
  })
})

interface How {
  readonly isToldBy: 'vitest' | 'script'
  readonly project?: string
  readonly isCi?: boolean
  readonly only?: readonly string[]
}

/** Runs files of tests in a house of their own: how that ended, and what it printed, without empty lines. */
function run(files: Record<string, string>, how: How): { status: number; lines: string[] } {
  const { isToldBy, project = 'unit', isCi = false, only = [] } = how
  const house = houseOf(files, project)
  const program = isToldBy === 'script' ? ['scripts/test.ts'] : ['node_modules/vitest/vitest.mjs', 'run']
  const args = [...program, `--root=${house}`, ...only]
  const { CI: _, ...others } = process.env
  const env = isCi ? { ...others, CI: 'true' } : others
  const printed = (output: string) => output.split('\n').filter((line) => line.trim() !== '')
  try {
    const output = execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' })
    return { status: 0, lines: printed(output) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, lines: printed(stdout) }
  } finally {
    rmSync(house, { recursive: true, force: true })
  }
}

function houseOf(files: Record<string, string>, project: string): string {
  const house = mkdtempSync(path.join(ROOT, 'build', 'closing-line-'))
  for (const [name, code] of Object.entries(files))
    writeFileSync(path.join(house, name), `import { beforeAll, it } from 'vitest'\n${ONCE}\n${code}\n`)
  const reporters = ['default', path.join(ROOT, 'scripts/test/closing-line-reporter.ts')]
  const config = { test: { name: project, reporters } }
  // Its own, or vitest takes the project's from a folder above.
  writeFileSync(path.join(house, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  return house
}
