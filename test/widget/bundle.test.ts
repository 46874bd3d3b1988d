import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWidget } from '../../scripts/build-widget.ts'
import type { WidgetBuild } from '../../scripts/build-widget.ts'
import { BUDGET, overBudget, sizeOf } from '../../scripts/size.ts'

let outdir: string
let built: WidgetBuild
const code = { embed: '', widget: '' }

beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'walkon-widget-'))
  built = await buildWidget({ outdir })
  code.embed = await readFile(join(outdir, 'embed.js'), 'utf8')
  code.widget = await readFile(join(outdir, 'widget.js'), 'utf8')
})
afterAll(() => rm(outdir, { recursive: true }))

describe('what is shipped', () => {
  it('[E50] is two files, and neither loads a third', async () => {
    expect((await readdir(outdir)).toSorted()).toEqual(['embed.js', 'widget.js'])
    for (const { imports } of [...Object.values(built.embed.outputs), ...Object.values(built.widget.outputs)]) {
      expect(imports.filter(({ external }) => !external)).toEqual([])
    }
  })

  it('[E50] embed.js is made of the launcher alone', () => {
    expect(inputs(built.embed)).toEqual([
      'widget/embed.ts',
      'widget/launcher.ts',
      'widget/styles/launcher.css',
      'widget/texts.ts',
      'widget/walkon.ts',
    ])
  })

  it('[E50] widget.js is made of the widget, the small part of the wire, and the named packages', () => {
    const allowed = [
      /^widget\//,
      /^worker\/wire\/(messages|decode|version)\.ts$/,
      /^node_modules\/preact\//,
      /^node_modules\/@preact\/signals(-core)?\//,
      /^node_modules\/(socket\.io-client|socket\.io-parser|engine\.io-client|engine\.io-parser)\//,
      /^node_modules\/@socket\.io\/component-emitter\//,
      /^node_modules\/streaming-markdown\//,
      /^unused:/,
    ]
    expect(inputs(built.widget).filter((path) => !allowed.some((rule) => rule.test(path)))).toEqual([])
  })

  it('[E50] carries no transport but WebSocket', () => {
    expect(inputs(built.widget).filter((path) => /polling|webtransport/.test(path))).toEqual([])
    expect(code.widget).not.toMatch(/XMLHttpRequest|WebTransport\(/)
  })

  it('[E51] stays within its budget', async () => {
    const [embed, widget] = [await sizeOf(join(outdir, 'embed.js')), await sizeOf(join(outdir, 'widget.js'))]
    expect(overBudget({ embed: embed.brotli, widget: widget.brotli })).toEqual([])
  })

  it('[E51] says by how much it is over', () => {
    expect(overBudget({ embed: BUDGET.embed + 1, widget: BUDGET.all })).toEqual([
      'embed.js is 3001 bytes of brotli, 3000 are allowed',
      'embed.js and widget.js are 37001 bytes of brotli, 34000 are allowed',
    ])
  })

  it.each(['embed', 'widget'] as const)(
    '[E52] %s.js makes no code out of text, and sets no style or source by attribute',
    (name) => {
      expect(code[name].match(/\beval\(|new Function|\bFunction\(|insertAdjacentHTML|document\.write/g)).toBeNull()
      expect(code[name].match(/setAttribute\("style"|createElement\("style"\)|\.src=/g)).toBeNull()
    },
  )

  it('[E52] no source of the widget hands markup to the browser', async () => {
    // Preact carries `dangerouslySetInnerHTML`; it is nothing as long as nobody asks for it.
    const sources = inputs(built.widget)
      .concat(inputs(built.embed))
      .filter((path) => path.startsWith('widget/'))
    for (const path of sources) {
      const source = await readFile(join(import.meta.dirname, '../..', path), 'utf8')
      expect([path, source.match(/innerHTML|outerHTML|parseFromString|setHTML/gi)]).toEqual([path, null])
    }
  })

  it('[E52] names no other host', () => {
    const hosts = [...`${code.embed}${code.widget}`.matchAll(/(?:https?|wss?):\/\/[\w.-]+/g)].map(([url]) => url)
    expect([...new Set(hosts)].filter((url) => !NEVER_FETCHED.includes(url))).toEqual([])
  })
})

/** An XML namespace, and a page that socket.io's error for a server of another version tells of. */
const NEVER_FETCHED = ['http://www.w3.org', 'https://socket.io']

function inputs({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
    .toSorted()
}
