import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, namedChromium } from '../../scripts/chromium.ts'
import type { Strategy } from '../../scripts/chromium/strategy.ts'
import { IS_LONG } from '../support/runs.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

let house = ''
beforeEach(() => {
  house = mkdtempSync(path.join(tmpdir(), 'walkon setup '))
})
afterEach(() => rmSync(house, { recursive: true, force: true }))

/**
 * The project pins this fake Node package instead of a real one, so that npm can install the package without a network.
 */
const VERSION = 'file:fake-node'
const FAKE_NODE = `#!/bin/sh\nif [ "$1" = --version ]; then echo "v${VERSION}"; else exec "${process.execPath}" "$@"; fi\n`

describe.skipIf(process.platform === 'win32')('set-up', { timeout: 180_000 }, () => {
  it('[setup-1] stops below Node 20 and says which Node it found', () => {
    furnish()
    write(
      'old.mjs',
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })\n",
    )
    expect(setUp(['--import', './old.mjs'])).toEqual({
      status: 1,
      output: expect.stringMatching(/needs Node 20 or later .* this is 18\.20\.4/),
    })
    expect(existsSync(path.join(house, 'node_modules'))).toBe(false)
  })

  it.runIf(IS_LONG)('[setup-2] installs once, and again when the lock has changed', () => {
    furnish()
    expect(setUp()).toEqual({ status: 0, output: expect.stringContaining('Installing the packages') })
    expect(setUp()).toEqual({ status: 0, output: '' })
    write('package-lock.json', `${read('package-lock.json')}\n`)
    expect(setUp().output).toContain('Installing the packages')
  })

  it.runIf(IS_LONG)(
    '[setup-2] a lock that does not fit package.json is an error, and nothing counts as installed',
    () => {
      furnish()
      const manifest: object = JSON.parse(read('package.json'))
      write('package.json', JSON.stringify({ ...manifest, dependencies: { another: 'file:another' } }))
      expect(setUp()).toEqual({ status: 1, output: expect.stringMatching(/`npm ci` failed[^]*npm error/) })
      expect(existsSync(path.join(house, 'node_modules/.walkon-setup'))).toBe(false)
    },
  )

  it.runIf(IS_LONG)('[setup-2] is told why, however silent the npm is that called for it', () => {
    furnish()
    const manifest: object = JSON.parse(read('package.json'))
    write('package.json', JSON.stringify({ ...manifest, dependencies: { another: 'file:another' } }))
    const { output } = setUp([], { npm_config_loglevel: 'silent' })
    expect(output).toMatch(/`npm ci` failed[^]*npm error/)
  })

  it('[setup-2] the lock names every package that a locked package asks for, on every platform, with its integrity', () => {
    const { packages }: Lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
    const entries = Object.entries(packages).filter(([place]) => place !== '')
    const missing = entries.flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !foldersUp(place).some((folder) => `${folder}node_modules/${name}` in packages))
        .map((name) => `${place} asks for ${name}`),
    )
    expect(missing).toEqual([])
    expect(entries.filter(([, { integrity }]) => integrity === undefined).map(([place]) => place)).toEqual([])
  })

  it.runIf(IS_LONG)('[setup-3] fetches the pinned Node where its install script did not run', () => {
    furnish({ isFetched: false })
    expect(setUp()).toEqual({ status: 0, output: expect.stringContaining(`Fetching Node ${VERSION}`) })
    expect(read('build/log')).toBe('built\n')
  })

  it('[setup-3] says so where it cannot be had', () => {
    furnish({ isFetched: false })
    write('fake-node/installArchSpecificPackage.js', "console.error('no such platform')\n")
    expect(setUp()).toEqual({
      status: 1,
      output: expect.stringMatching(/should stand in node_modules\/node, but there is none[^]*no such platform/),
    })
  })

  it.runIf(IS_LONG)('[setup-4] builds where an input changed or an output is missing, and not otherwise', () => {
    furnish()
    const builds = () => read('build/log').trim().split('\n').length
    setUp()
    setUp()
    expect(builds()).toBe(1)
    write('widget/new.ts', 'export const x = 1\n')
    setUp()
    expect(builds()).toBe(2)
    rmSync(path.join(house, 'build/public/embed.js'))
    setUp()
    expect(builds()).toBe(3)
  })

  it.runIf(IS_LONG)('[setup-4] is left out where it is not wanted', () => {
    furnish()
    expect(setUp([], {}, ['--no-build'])).toEqual({ status: 0, output: expect.stringContaining('Installing') })
    expect(existsSync(path.join(house, 'build/log'))).toBe(false)
  })
})

describe('a Chromium for the tests', { timeout: 120_000 }, () => {
  const none: Strategy = { name: 'nowhere', offer: async () => ({ candidates: [], otherwise: 'there is none' }) }
  const chromium = { path: process.execPath, args: ['--version'], env: {}, source: 'a test' }
  const wrong: Strategy = { name: 'no browser', offer: async () => ({ candidates: [chromium], otherwise: '' }) }
  const never: Strategy = { name: 'never', offer: () => Promise.reject(new Error('another one was tried')) }

  it('[setup-5] the one that CHROMIUM_PATH names, or none', async () => {
    const env = { CHROMIUM_PATH: path.join(house, 'nothing-here') }
    const found = findChromium({ root: house, env, strategies: [namedChromium, never] })
    await expect(found).rejects.toThrow(/^CHROMIUM_PATH names .*nothing-here/)
  })

  it('[setup-5] none is believed before it has drawn text, and the error names all that was tried', async () => {
    const found = findChromium({ root: house, env: {}, strategies: [namedChromium, wrong, none] })
    await expect(found).rejects.toThrow(/CHROMIUM_PATH: not set\n +no browser: .*\n +nowhere: there is none/)
  })
})

interface Lock {
  packages: Record<
    string,
    { integrity?: string; dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
  >
}

/**
 * Returns the folders in which Node looks for a package's dependencies, as path prefixes: the package's own folder
 * first, the root's last.
 */
function foldersUp(place: string): string[] {
  const parent = place.lastIndexOf('node_modules/')
  return parent < 0 ? [''] : [`${place}/`, ...foldersUp(place.slice(0, Math.max(0, parent - 1)))]
}

/** Creates a project with our setup, a fake Node package, and a build that adds a line to a file each time it runs. */
function furnish({ isFetched = true } = {}): void {
  cpSync(path.join(ROOT, 'scripts/setup'), path.join(house, 'scripts/setup'), { recursive: true })
  cpSync(path.join(ROOT, 'scripts/setup.mjs'), path.join(house, 'scripts/setup.mjs'))
  write('scripts/build.ts', BUILD)
  const bin = { node: 'bin/node' }
  const devDependencies = { node: VERSION }
  write('package.json', JSON.stringify({ name: 'house', devDependencies }))
  const packages = {
    '': { name: 'house', devDependencies },
    'fake-node': { name: 'node', version: '1.0.0', bin },
    'node_modules/node': { resolved: 'fake-node', link: true },
  }
  write('package-lock.json', JSON.stringify({ name: 'house', lockfileVersion: 3, requires: true, packages }))
  write('fake-node/package.json', JSON.stringify({ name: 'node', version: '1.0.0', bin }))
  write('fake-node/template', FAKE_NODE)
  write('fake-node/installArchSpecificPackage.js', FETCH)
  if (isFetched)
    execFileSync(process.execPath, ['installArchSpecificPackage.js'], { cwd: path.join(house, 'fake-node') })
}

const FETCH = `const fs = require('node:fs')
fs.mkdirSync('bin', { recursive: true })
fs.copyFileSync('template', 'bin/node')
fs.chmodSync('bin/node', 0o755)
`

const BUILD = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
for (const folder of ['operator', 'embed']) mkdirSync('build/public/' + folder, { recursive: true })
appendFileSync('build/log', 'built\\n')
for (const output of ['scenarios.ts', 'catalogue.ts', 'public/embed.js', 'public/widget.js', 'public/polling.js', 'public/operator/index.html', 'public/index.html', 'public/scenarios.json', 'public/embed/index.html']) writeFileSync('build/' + output, '')
`

function setUp(
  before: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  after: readonly string[] = [],
): { status: number; output: string } {
  try {
    const output = execFileSync(process.execPath, [...before, 'scripts/setup.mjs', ...after], {
      cwd: house,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return { status: 0, output }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { status, output: stdout + stderr }
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
  writeFileSync(path.join(house, file), text)
}

function read(file: string): string {
  return readFileSync(path.join(house, file), 'utf8')
}
