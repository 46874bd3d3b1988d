import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOperator } from '../../../scripts/build-operator.ts'
import type { OperatorBuild } from '../../../scripts/build-operator.ts'
import { OPERATOR_BUDGET, sizeOf } from '../../../scripts/size.ts'

let outdir: string
let built: OperatorBuild
let code: string
let css: string

beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'walkon-operator-'))
  built = await buildOperator({ outdir })
  code = await readFile(built.script, 'utf8')
  css = await readFile(built.style, 'utf8')
})
afterAll(() => rm(outdir, { recursive: true }))

describe('what the page loads', () => {
  it('[operator-19] is a script and a stylesheet with hashed names, and the page names both', async () => {
    expect((await readdir(join(outdir, 'assets'))).toSorted()).toEqual([basename(built.script), basename(built.style)])
    expect([basename(built.script), basename(built.style)]).toEqual([
      expect.stringMatching(/^operator-[A-Z0-9]{8}\.js$/),
      expect.stringMatching(/^page-[A-Z0-9]{8}\.css$/),
    ])
    const page = await readFile(join(outdir, 'index.html'), 'utf8')
    const named = Array.from(page.matchAll(/(?:src|href)="(\/operator\/[^"]*)"/g), ([, path]) => String(path))
    expect(named.toSorted()).toEqual([
      `/operator/assets/${basename(built.script)}`,
      `/operator/assets/${basename(built.style)}`,
    ])
  })

  it('[operator-19] leaves nothing of an earlier build standing', async () => {
    await writeFile(join(outdir, 'assets', 'operator-OLDOLDOL.js'), '')
    await buildOperator({ outdir })
    expect(await readdir(join(outdir, 'assets'))).toHaveLength(2)
  })

  it('[operator-19] holds the page, the client, Preact and signals', () => {
    const allowed = [
      /^sims\/(operator\/|palette\.css$)/,
      /^worker\/chain\/client\/(chain-client|paths)\.ts$/,
      /^node_modules\/preact\//,
      /^node_modules\/@preact\/signals(-core)?\//,
    ]
    expect(inputs().filter((path) => !allowed.some((rule) => rule.test(path)))).toEqual([])
  })

  it('[operator-19] stays within its budget', async () => {
    const [script, style] = [await sizeOf(built.script), await sizeOf(built.style)]
    expect(script.brotli + style.brotli).toBeLessThanOrEqual(OPERATOR_BUDGET)
  })

  it('[operator-19] makes no code out of text, and no source hands markup to the browser', async () => {
    expect(code.match(/\beval\(|new Function|\bFunction\(|insertAdjacentHTML|document\.write/g)).toBeNull()
    for (const path of inputs().filter((input) => input.startsWith('sims/'))) {
      const source = await readFile(join(import.meta.dirname, '../../..', path), 'utf8')
      expect([path, source.match(/innerHTML|outerHTML|parseFromString|setHTML|srcdoc/gi)]).toEqual([path, null])
    }
  })

  it('[operator-19] names no other host', () => {
    const hosts = Array.from(`${code}${css}`.matchAll(/(?:https?|wss?):\/\/[\w.-]+/g), ([url]) => url)
    // The browser does not fetch XML namespaces.
    expect(hosts.filter((url) => url !== 'http://www.w3.org')).toEqual([])
  })

  it('[operator-18] moves nothing by itself', () => {
    expect(css.match(/animation|transition|@keyframes|(?<!over)scroll-behavior/g)).toBeNull()
  })
})

function inputs(): readonly string[] {
  return Object.values(built.metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
    .toSorted()
}
