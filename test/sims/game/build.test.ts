import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCards } from '../../../scripts/build-scenarios.ts'
import { buildGame } from '../../../scripts/build-game.ts'
import type { GameBuild } from '../../../scripts/build-game.ts'
import { GAME_BUDGET, gameSizes } from '../../../scripts/size.ts'
import { scenarios } from '../../../build/scenarios.ts'

let outdir: string
let built: GameBuild
const code = new Map<string, string>()

beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'walkon-game-'))
  built = await buildGame({ outdir })
  for (const name of await readdir(join(outdir, 'game')))
    if (/\.(js|css)$/.test(name)) code.set(name, await readFile(join(outdir, 'game', name), 'utf8'))
}, 60_000)
afterAll(() => rm(outdir, { recursive: true }))

/** Returns the source files that contributed code to the named outputs. */
function sourcesIn({ outputs }: Metafile, names: readonly string[]): string[] {
  const wanted = new Set(names)
  return Object.entries(outputs)
    .filter(([path]) => wanted.has(basename(path)))
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
}

describe('the game as it is built', () => {
  it('[page-3] the first load stays within its budget', async () => {
    await buildCards(scenarios, join(outdir, 'scenarios.json'))
    const { brotli, sizes } = await gameSizes(outdir)
    expect(sizes.some(({ file }) => file.endsWith('.woff2'))).toBe(true)
    expect(brotli).toBeLessThanOrEqual(GAME_BUDGET)
  })

  it('[page-3] the talk, the screens of a run, the debrief and the teacher’s pages are no part of the first load', () => {
    const first = sourcesIn(
      built.metafile,
      built.first.map((path) => basename(path)),
    )
    expect(first).toContain('sims/game/library/library-screen.tsx')
    const later =
      /socket\.io|engine\.io|streaming-markdown|widget\/(conversation|connection|components\/panel)|game\/(briefing|desk|notebook\/.*screen|decide\/.*screen|debrief|result|teach)\//
    expect(first.filter((path) => later.test(path))).toEqual([])
    expect(first.filter((path) => /texts\/(es|pseudo|late-e[ns])/.test(path))).toEqual([])
  })

  it('[page-3] the page asks early for the files it needs first, and for no others', async () => {
    const page = await readFile(built.page, 'utf8')
    const named = [...page.matchAll(/(?:href|src)="\/game\/([^"]+)"/g)].map(([, name]) => name ?? '')
    // The page names no language file, because the language is known only when the browser requests the page.
    const words = built.first.at(-1) ?? ''
    expect(named.toSorted()).toEqual(
      built.first
        .filter((path) => path !== words)
        .map((path) => basename(path))
        .toSorted(),
    )
  })

  it('[page-4] is made of the game, the widget, the small part of the wire, and the named packages', () => {
    const allowed = [
      /^sims\/(game\/|palette\.css$)/,
      /^widget\//,
      /^worker\/wire\/(messages|decode|version|text-hash|run)\.ts$/,
      /^(style-text|font|web-socket-alone|global-alias):?/,
      /^node_modules\/(preact|@preact\/signals(-core)?|socket\.io-client|socket\.io-parser|engine\.io-client|engine\.io-parser|@socket\.io\/component-emitter|streaming-markdown)\//,
    ]
    const all = sourcesIn(built.metafile, [...code.keys()])
    expect(all.filter((path) => !path.startsWith('<define:') && !allowed.some((rule) => rule.test(path)))).toEqual([])
  })

  it('[page-4] the talk carries no texts of the widget: it gets them by parameter, in the language of the page', () => {
    const talk = [...code.keys()].filter((name) => name.startsWith('mount-talk-'))
    expect(talk).toHaveLength(1)
    expect(sourcesIn(built.metafile, talk).filter((path) => /(^|\/)texts|widget\/widget\.tsx/.test(path))).toEqual([])
  })

  it('[page-4] the widget’s components name the language of a simulation’s words, and the composer does not', () => {
    const talk = [...code].find(([name]) => name.startsWith('mount-talk-'))?.[1] ?? ''
    expect(talk.match(/dir:"auto",lang:/g)).toHaveLength(10)
    expect(talk.match(/dir:"auto"/g)).toHaveLength(10)
  })

  it('[page-4] asks for no conversation but that of a run', () => {
    const asked = [...code.values()].flatMap((text) =>
      [...text.matchAll(/["'`]?\/api\/sessions([^"'`]*)/g)].map(([, rest]) => rest),
    )
    expect(asked.filter((rest) => !rest?.startsWith('/'))).toEqual([])
    expect([...code.values()].some((text) => text.includes('/api/run/talk'))).toBe(true)
  })

  it('[page-1] makes no code out of text, sets no markup, and names no other host', () => {
    for (const [name, text] of code) {
      expect([
        name,
        text.match(/\beval\(|new Function|insertAdjacentHTML|document\.write|setAttribute\("style"/g),
      ]).toEqual([name, null])
      const hosts = [...text.matchAll(/(?:https?|wss?):\/\/[\w.-]+/g)].map(([url]) => url)
      // `http://www.w3.org` is an XML namespace, and `https://socket.io` is a page in an error message of
      // socket.io-client. The browser fetches neither address.
      expect(hosts.filter((url) => !['http://www.w3.org', 'https://socket.io'].includes(url))).toEqual([])
    }
  })

  it('[page-1] the page has no inline script or style, and every asset’s name has its hash', async () => {
    const page = await readFile(built.page, 'utf8')
    expect(page.match(/<style|style="|<script(?![^>]*src=)|\son\w+="/g)).toBeNull()
    const names = await readdir(join(outdir, 'game'))
    expect(names.filter((name) => !/-[A-Z0-9]{8}\.(js|css|woff2)$/.test(name))).toEqual(['polling.js'])
  })
})
