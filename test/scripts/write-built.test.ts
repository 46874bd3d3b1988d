import { mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as esbuild from 'esbuild'
import { writeBuilt, writesBuilt } from '../../scripts/write-built.ts'
import { IS_LONG } from '../support/runs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('what a build writes', () => {
  it('[setup-13] is written where there is nothing, and where there is something else', async () => {
    const file = path.join(folder, 'a/b/page.html')
    await writeBuilt(file, '<p>One</p>')
    expect(await readFile(file, 'utf8')).toBe('<p>One</p>')
    await writeBuilt(file, '<p>Two, and shorter</p>'.slice(0, 8))
    expect(await readFile(file, 'utf8')).toBe('<p>Two, ')
  })

  it.runIf(IS_LONG)(
    '[setup-13] is never empty for whoever reads it while the same is built again and again',
    async () => {
      const file = path.join(folder, 'script.js')
      const content = 'x'.repeat(200_000)
      await writeBuilt(file, content)
      let isBuilt = false
      const lengths = new Set<number>()
      const reads = async () => {
        while (!isBuilt) lengths.add((await readFile(file)).length)
      }
      const reader = reads()
      for (let n = 0; n < 200; n += 1) await writeBuilt(file, content)
      isBuilt = true
      await reader
      expect([...lengths]).toEqual([content.length])
    },
  )

  it('[setup-13] is as young as the build, whether or not it was written', async () => {
    const file = path.join(folder, 'young.js')
    await writeBuilt(file, 'same')
    await utimes(file, 1, 1)
    const before = Date.now() - 5_000
    await writeBuilt(file, 'same')
    expect((await stat(file)).mtimeMs).toBeGreaterThan(before)
  })

  it('[setup-13] comes from esbuild in the same way', async () => {
    const outfile = path.join(folder, 'built.js')
    const build = (text: string) =>
      esbuild.build({ stdin: { contents: text }, outfile, plugins: [writesBuilt()], logLevel: 'silent' })
    await build('globalThis.one = 1')
    expect(await readFile(outfile, 'utf8')).toContain('one = 1')
    await build('globalThis.two = 2')
    expect(await readFile(outfile, 'utf8')).toContain('two = 2')
  })
})
