import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const PROGRAMS = {
  tsc: path.join(ROOT, 'node_modules/typescript/bin/tsc'),
  oxlint: path.join(ROOT, 'node_modules/oxlint/bin/oxlint'),
}

let house = ''
afterEach(() => rmSync(house, { recursive: true, force: true }))

describe('the compiler', { timeout: 120_000 }, () => {
  it('[fence-1] core cannot name what is outside it', () => {
    const names = ['fetch', 'setTimeout', 'console', 'crypto', 'document', 'process']
    build(Object.fromEntries(names.map((name) => [`worker/core/bad-${name}.ts`, `export const leak = ${name}\n`])))
    const output = compile('worker/core')
    for (const name of names) expect(output).toMatch(new RegExp(`bad-${name}\\.ts.*TS(2304|2580|2584|2591).*'${name}'`))
  })

  it('[fence-1] core compiles what is pure', () => {
    build({ 'worker/core/good.ts': 'export const sum = (a: number, b: number): number => a + b\n' })
    expect(compile('worker/core')).toBe('')
  })

  it('[fence-2] a worker cannot name the document', () => {
    build({ 'worker/http/bad.ts': 'export const leak = document\n' })
    expect(compile('worker')).toMatch(/TS(2304|2584).*'document'/)
  })

  it('[fence-3] there are no enums', () => {
    build({ 'worker/core/bad.ts': 'export enum Mood { Good }\n' })
    expect(compile('worker/core')).toContain('TS1294')
  })
})

describe('the import rules', { timeout: 120_000 }, () => {
  const refused: [rule: string, what: string, file: string, code: string, says: string][] = [
    [
      'fence-4',
      'core importing a package',
      'worker/core/walk/bad.ts',
      "export const x = z\nimport * as z from 'zod'\n",
      'core imports no package',
    ],
    [
      'fence-4',
      'core importing a type from a package',
      'worker/core/bad.ts',
      "import type { Hono } from 'hono'\nexport type X = Hono\n",
      'core imports no package',
    ],
    [
      'fence-4',
      'core importing the session',
      'worker/core/walk/bad.ts',
      fromModule('../../session/x.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-4',
      'core importing the widget',
      'worker/core/walk/bad.ts',
      fromModule('../../../widget/x.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-4',
      'core importing the decoder',
      'worker/core/walk/bad.ts',
      fromModule('../../wire/decode.ts'),
      'core takes types',
    ],
    [
      'fence-4',
      'core importing who is let in',
      'worker/core/walk/bad.ts',
      fromModule('../../trust/x.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-4',
      'core importing what may be used',
      'worker/core/walk/bad.ts',
      fromModule('../../budget/x.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-4',
      'core importing codes under a secret',
      'worker/core/walk/bad.ts',
      fromModule('../../hmac.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-4',
      'core importing the steps of a turn',
      'worker/core/walk/bad.ts',
      fromModule('../../steps.ts'),
      'core imports nothing outward',
    ],
    [
      'fence-5',
      'core reading the clock',
      'worker/core/bad.ts',
      'export const now = Date.now()\n',
      'take the time as an argument',
    ],
    [
      'fence-5',
      'core making a date',
      'worker/core/bad.ts',
      'export const now = new Date()\n',
      'take the time as an argument',
    ],
    [
      'fence-5',
      'core drawing lots',
      'worker/core/bad.ts',
      'export const lot = Math.random()\n',
      'take a random source',
    ],
    [
      'fence-5',
      'core using crypto',
      'worker/core/bad.ts',
      'export const id = crypto.randomUUID()\n',
      'take a random source',
    ],
    ['fence-6', 'wire importing core', 'worker/wire/bad.ts', fromModule('../core/x.ts'), 'wire is the lowest layer'],
    ['fence-6', 'wire importing a package', 'worker/wire/bad.ts', fromModule('zod'), 'wire imports no package'],
    [
      'fence-6',
      'the schema importing hono',
      'worker/wire/schema.ts',
      fromModule('hono'),
      'the schema imports zod alone',
    ],
    [
      'fence-6',
      'an actor importing the session',
      'worker/actor/bad.ts',
      fromModule('../session/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'a budget importing the session',
      'worker/budget/bad.ts',
      fromModule('../session/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'an outbox importing the session',
      'worker/outbox/bad.ts',
      fromModule('../session/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'a chain importing the socket',
      'worker/chain/bad.ts',
      fromModule('../socket/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'the session importing http',
      'worker/session/bad.ts',
      fromModule('../http/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'the session importing the socket',
      'worker/session/bad.ts',
      fromModule('../socket/x.ts'),
      'imports only point down',
    ],
    [
      'fence-6',
      'the session object importing http',
      'worker/session/session-object.ts',
      fromModule('../http/x.ts'),
      'imports only point down',
    ],
    [
      'fence-7',
      'the session importing openai',
      'worker/session/bad.ts',
      fromModule('openai'),
      'only worker/actor/openai-actor.ts',
    ],
    [
      'fence-7',
      'another actor importing openai',
      'worker/actor/bad.ts',
      fromModule('openai/streaming'),
      'only worker/actor/openai-actor.ts',
    ],
    [
      'fence-7',
      'http importing openai',
      'worker/http/bad.ts',
      fromModule('openai'),
      'only worker/actor/openai-actor.ts',
    ],
    ['fence-8', 'the widget importing zod', 'widget/bad.ts', fromModule('zod'), 'keep the widget small'],
    [
      'fence-8',
      'the widget importing the schema',
      'widget/bad.ts',
      fromModule('../worker/wire/schema.ts'),
      'from the worker, take types',
    ],
    [
      'fence-8',
      'a component importing core',
      'widget/components/bad.tsx',
      fromModule('../../worker/core/x.ts'),
      'from the worker, take types',
    ],
    [
      'fence-8',
      'the operator’s page importing an operation',
      'sims/operator/components/bad.tsx',
      fromModule('../../../worker/chain/api/operations.ts'),
      'from the worker, take types',
    ],
    ['fence-8', 'the operator’s page importing zod', 'sims/operator/bad.ts', fromModule('zod'), 'keep the page small'],
    ['fence-8', 'the game importing zod', 'sims/game/desk/bad.tsx', fromModule('zod'), 'keep the page small'],
    [
      'fence-8',
      'the game importing the core',
      'sims/game/bad.ts',
      fromModule('../../worker/core/run/facts-in.ts'),
      'from the worker, take types',
    ],
    ['fence-9', 'a default export', 'worker/core/bad.ts', 'export default 1\n', 'no-default-export'],
    ['fence-9', 'any', 'worker/core/bad.ts', 'export const x = (y: any): unknown => y\n', 'no-explicit-any'],
    [
      'fence-9',
      'a type imported as a value',
      'worker/core/bad.ts',
      "import { X } from './x.ts'\nexport type Y = X\n",
      'consistent-type-imports',
    ],
    ['fence-9', 'a console in the worker', 'worker/http/bad.ts', "console.log('hello')\n", 'no-console'],
    [
      'fence-9',
      'a promise nobody waits for',
      'worker/http/bad.ts',
      'export function go(): void {\n  Promise.resolve(1)\n}\n',
      'no-floating-promises',
    ],
  ]

  const accepted: [rule: string, what: string, file: string, code: string][] = [
    [
      'fence-4',
      'core taking types from the wire',
      'worker/core/walk/good.ts',
      "import type { Say } from '../../wire/messages.ts'\nexport type X = Say\n",
    ],
    ['fence-6', 'the schema importing zod', 'worker/wire/schema.ts', fromModule('zod')],
    [
      'fence-6',
      'the session object composing the socket engine',
      'worker/session/session-object.ts',
      fromModule('../socket/socket-engine.ts'),
    ],
    ['fence-7', 'the one file that speaks to models', 'worker/actor/openai-actor.ts', fromModule('openai')],
    ['fence-8', 'the widget taking the decoder', 'widget/good.ts', fromModule('../worker/wire/decode.ts')],
    [
      'fence-8',
      'the widget taking a type',
      'widget/good.ts',
      "import type { Say } from '../worker/wire/messages.ts'\nexport type X = Say\n",
    ],
    [
      'fence-8',
      'the operator’s page taking the client',
      'sims/operator/good.ts',
      fromModule('../../worker/chain/client/chain-client.ts'),
    ],
    ['fence-9', 'the one file that logs', 'worker/log.ts', "console.log('hello')\n"],
  ]

  let findings: { readonly refused: readonly string[]; readonly accepted: readonly string[] }
  beforeAll(() => {
    findings = { refused: lintEach(refused), accepted: lintEach(accepted) }
  })

  it.each(refused.map((row, index) => [...row, index] as const))(
    '[%s] %s is refused',
    (_rule, _what, _file, _code, says, index) => {
      expect(findings.refused[index]).toContain(says)
    },
  )

  it.each(accepted.map((row, index) => [...row, index] as const))(
    '[%s] %s passes',
    (_rule, _what, _file, _code, index) => {
      expect(findings.accepted[index]).toBe('')
    },
  )

  it('[fence-10] the real tree has no violations', { timeout: 300_000 }, () => {
    // No import rule needs types, and type-aware linting takes ten times as long. `npm run check` runs the type-aware
    // rules.
    const { failed, output } = run('oxlint', ['--quiet'], ROOT)
    expect(output).toContain('and 0 errors')
    expect(failed).toBe(false)
  })
})

/** Creates a project with our lint and TypeScript configurations and the given files. */
function build(files: Record<string, string>): void {
  house = mkdtempSync(path.join(tmpdir(), 'walkon fences '))
  for (const config of [
    '.oxlintrc.json',
    'tsconfig.base.json',
    'worker/tsconfig.json',
    'worker/core/tsconfig.json',
    'worker/wire/tsconfig.json',
    'widget/tsconfig.json',
  ]) {
    cpSync(path.join(ROOT, config), path.join(house, config))
  }
  // Links only this package: oxlint would follow a link to the whole `node_modules` folder and lint everything in it.
  const types = 'node_modules/@cloudflare/workers-types'
  mkdirSync(path.dirname(path.join(house, types)), { recursive: true })
  symlinkSync(path.join(ROOT, types), path.join(house, types))
  for (const [file, code] of Object.entries({
    'worker/wire/messages.ts': 'export interface Say {\n  cid: string\n}\n',
    ...files,
  })) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), code)
  }
}

function fromModule(specifier: string): string {
  return `import * as it from '${specifier}'\nexport const x = it\n`
}

function compile(project: string): string {
  return run('tsc', ['-p', project, '--composite', 'false', '--incremental', 'false'], house).output
}

/** Lints all rows together, each in its own file. Returns the errors of each row's file. */
function lintEach(rows: readonly (readonly [rule: string, what: string, file: string, code: string, ...unknown[]])[]) {
  const files = rows.map(([, , file], index) => file.replace(/\/(bad|good)\./, `/$1-${index}.`))
  expect(new Set(files).size).toBe(files.length)
  build(Object.fromEntries(rows.map(([, , , code], index) => [files[index], code])))
  const { output } = run('oxlint', ['-c', '.oxlintrc.json', '--type-aware', '--format=json'], house)
  rmSync(house, { recursive: true, force: true })
  const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Diagnostic[] }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return files.map((file) =>
    errors
      .filter(({ filename }) => filename === file)
      .map(({ code, message, help }) => `${code} ${message} ${help}`)
      .join('\n'),
  )
}

interface Diagnostic {
  readonly filename: string
  readonly severity: string
  readonly code: string
  readonly message: string
  readonly help?: string
}

function run(program: keyof typeof PROGRAMS, args: string[], cwd: string): { failed: boolean; output: string } {
  try {
    return {
      failed: false,
      output: execFileSync(process.execPath, [PROGRAMS[program], ...args], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      }),
    }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { failed: true, output: `${stdout}${stderr}` }
  }
}
