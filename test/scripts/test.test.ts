import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseSeed, FIXED_SEED } from '../../vitest.config.ts'
import { IS_LONG, variants } from '../support/runs.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

describe('the closing line', { timeout: 120_000 }, () => {
  it.each(
    variants([
      [
        'a pass, a failure and a skip',
        "it('a', () => {}); it('b', () => { throw new Error('b') }); it.skip('c', () => {})",
        '1 passed, 1 failed, 1 skipped',
      ],
      ['passes alone', "it('a', () => {}); it('b', () => {})", '2 passed, 0 failed'],
      ['a file that cannot be loaded', "throw new Error('load')", '0 passed, 1 failed'],
      [
        'a hook that fails',
        "beforeAll(() => { throw new Error('hook') }); it('a', () => {})",
        '0 passed, 1 failed, 1 skipped',
      ],
      [
        'a process that dies',
        "it('b', () => process.kill(process.pid, 'SIGKILL')); it('c', () => {})",
        '0 passed, 3 failed',
      ],
    ]),
  )('[setup-10] %s', (_what, code, line) => {
    const { lines, status } = run(code, ['closing-line'])
    expect({ status, last: lines.at(-1) }).toEqual({ status: line.includes(' 0 failed') ? 0 : 1, last: line })
  })
})

describe('the slowest files', { timeout: 120_000 }, () => {
  it('[setup-14] are printed with their times', () => {
    const { lines } = run("it('a', () => {})", ['slowest-files', 'closing-line'])
    expect(lines.slice(-3)).toEqual([
      'The slowest files:',
      expect.stringMatching(/^ +\d+\.\d s {2}it\.test\.ts$/),
      '1 passed, 0 failed',
    ])
  })
})

describe('the seed of properties', () => {
  it('[setup-12] is fixed in the short run, and drawn in the long one unless it is given', () => {
    expect([chooseSeed(false, undefined), chooseSeed(false, undefined)]).toEqual([FIXED_SEED, FIXED_SEED])
    expect(chooseSeed(true, undefined)).not.toBe(chooseSeed(true, undefined))
    expect([chooseSeed(true, '7'), chooseSeed(false, '7')]).toEqual(['7', '7'])
  })

  it('[setup-12] is what a property draws from', () => {
    expect(fc.readConfigureGlobal().seed).toBe(Number(process.env['WALKON_SEED']))
    expect(fc.sample(fc.nat(), 5)).toEqual(fc.sample(fc.nat(), 5))
  })

  it.runIf(IS_LONG)('[setup-12] is printed by the long run', () => {
    const env = { ...process.env, WALKON_TEST: 'long', WALKON_SEED: '7' }
    expect(run("it('a', () => {})", ['closing-line'], env).lines.join('\n')).toContain('WALKON_SEED=7')
    expect(run("it('a', () => {})", ['closing-line'], { ...env, WALKON_TEST: 'short' }).lines.join('\n')).not.toContain(
      'WALKON_SEED',
    )
  })
})

/** Runs one test file in a separate folder. Returns the exit code and the non-empty output lines. */
function run(code: string, reporters: readonly string[], env = process.env): { status: number; lines: string[] } {
  const folder = mkdtempSync(path.join(ROOT, 'build', 'closing-line-'))
  writeFileSync(path.join(folder, 'it.test.ts'), `import { beforeAll, it } from 'vitest'\n${code}\n`)
  const files = reporters.map((name) => path.join(ROOT, 'scripts/test', `${name}-reporter.ts`))
  const config = { test: { name: 'unit', reporters: files } }
  // Without a configuration in this folder, vitest would use that of a parent folder.
  writeFileSync(path.join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}\n`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', `--root=${folder}`]
  const linesOf = (output: string) => output.split('\n').filter((line) => line.trim() !== '')
  try {
    const output = execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' })
    return { status: 0, lines: linesOf(output) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, lines: linesOf(stdout) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
