import { createHash } from 'node:crypto'
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
const code: Record<string, string> = {}
const FILES = [
  'assistant',
  'diagnose',
  'embed',
  'markdown',
  'menu',
  'polling',
  'texts-ar',
  'texts-de',
  'texts-es',
  'widget',
]

beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), 'walkon-widget-'))
  built = await buildWidget({ outdir })
  for (const name of FILES) code[name] = await readFile(join(outdir, `${name}.js`), 'utf8')
})
afterAll(() => rm(outdir, { recursive: true }))

describe('what is shipped', () => {
  it('[embed-50] is ten files, and none is made to load another', async () => {
    expect((await readdir(outdir)).toSorted()).toEqual(FILES.map((name) => `${name}.js`))
    for (const { imports } of [built.embed, built.widget, ...built.parts].flatMap(({ outputs }) =>
      Object.values(outputs),
    )) {
      expect(imports.filter(({ external }) => !external)).toEqual([])
    }
  })

  it('[embed-8] the hashes of all files that are loaded are in the file that loads them', async () => {
    for (const name of FILES.filter((each) => each !== 'embed')) {
      const hash = createHash('sha256')
        .update(await readFile(join(outdir, `${name}.js`)))
        .digest('base64')
      expect(code[name === 'widget' || name === 'diagnose' ? 'embed' : 'widget']).toContain(hash)
    }
  })

  it('[embed-50] embed.js is made of the launcher alone', () => {
    expect(inputs(built.embed)).toEqual([
      'widget/element.ts',
      'widget/embed.ts',
      'widget/fetch-module.ts',
      'widget/launcher.ts',
      'widget/styles/launcher.css',
      'widget/walkon.ts',
    ])
  })

  it('[embed-50] widget.js is made of the widget, the small part of the wire, and the named packages', () => {
    const allowed = [
      /^widget\//,
      /^worker\/wire\/(messages|decode|version|text-hash)\.ts$/,
      /^node_modules\/preact\//,
      /^node_modules\/(socket\.io-client|socket\.io-parser|engine\.io-client|engine\.io-parser)\//,
      /^node_modules\/@socket\.io\/component-emitter\//,
      /^(web-socket-alone|text-alone|address-alone|global-alias):/,
    ]
    expect(inputs(built.widget).filter((path) => !allowed.some((rule) => rule.test(path)))).toEqual([])
  })

  it('[embed-50] widget.js carries no transport but WebSocket, polling.js nothing but polling', () => {
    expect(inputs(built.widget).filter((path) => /polling|webtransport/.test(path))).toEqual([])
    for (const name of ['widget', 'polling'] as const) expect(code[name]).not.toMatch(/XMLHttpRequest|WebTransport\(/)
    expect(inputs(polling()).filter((path) => /websocket|socket\.io-|widget/.test(path))).toEqual([])
  })

  it('[embed-50] the Socket.IO packages are bundled as published: only unused transports, binary data, the parser of addresses and the global object are replaced', () => {
    const replaced = inputs(built.widget).filter((path) => !/^(widget|worker|node_modules)\//.test(path))
    expect(replaced).toEqual([
      'address-alone:engine.io-client',
      'global-alias:engine.io-client',
      'text-alone:io-parser',
    ])
    // `_transportsByName` is a private name of the package. The test would not find it if a build setting had shortened
    // it.
    expect(code.widget).toContain('_transportsByName')
  })

  it('[embed-50] has what only assistants need in assistant.js alone', () => {
    const onlyThere = (metafile: Metafile) => inputs(metafile).filter((path) => path.startsWith('widget/assistant/'))
    expect(onlyThere(part('assistant'))).toContain('widget/assistant/conversation-list.ts')
    for (const metafile of [built.embed, built.widget, part('menu')]) expect(onlyThere(metafile)).toEqual([])
  })

  it('[embed-51] stays within its budget', async () => {
    const [embed, widget] = [await sizeOf(join(outdir, 'embed.js')), await sizeOf(join(outdir, 'widget.js'))]
    const languages = await Promise.all(['es', 'de', 'ar'].map((lang) => sizeOf(join(outdir, `texts-${lang}.js`))))
    const language = Math.max(...languages.map(({ brotli }) => brotli))
    const [menu, assistant] = [await sizeOf(join(outdir, 'menu.js')), await sizeOf(join(outdir, 'assistant.js'))]
    const later = { menu: menu.brotli, assistant: assistant.brotli }
    expect(overBudget({ embed: embed.brotli, widget: widget.brotli, language, ...later })).toEqual([])
  })

  it('[embed-51] says by how much it is over', () => {
    const over = { embed: 3_001, widget: BUDGET.all, language: 2_001, menu: 5_001, assistant: 11_401 }
    expect(overBudget(over)).toEqual([
      'embed.js is 3001 bytes of brotli, 3000 are allowed',
      'embed.js and widget.js are 42101 bytes of brotli, 39100 are allowed',
      'a language is 2001 bytes of brotli, 2000 are allowed',
      'menu.js is 5001 bytes of brotli, 5000 are allowed',
      'assistant.js is 11401 bytes of brotli, 11400 are allowed',
    ])
  })

  it.each(FILES)('[embed-52] %s.js makes no code out of text, and sets no style or source by attribute', (name) => {
    expect(code[name]!.match(/\beval\(|new Function|\bFunction\(|insertAdjacentHTML|document\.write/g)).toBeNull()
    expect(code[name]!.match(/setAttribute\("style"|createElement\("style"\)|\.src=/g)).toBeNull()
  })

  it('[embed-52] no source of the widget hands markup to the browser', async () => {
    // Preact itself contains `dangerouslySetInnerHTML`, which does no harm as long as no source of the widget uses it.
    const sources = inputs(built.widget)
      .concat(inputs(built.embed), built.parts.flatMap(inputs))
      .filter((path) => path.startsWith('widget/'))
    for (const path of sources) {
      const source = await readFile(join(import.meta.dirname, '../..', path), 'utf8')
      expect([path, source.match(/innerHTML|outerHTML|parseFromString|setHTML/gi)]).toEqual([path, null])
    }
  })

  it('[embed-52] names no other host', () => {
    const hosts = [
      ...Object.values(code)
        .join('')
        .matchAll(/(?:https?|wss?):\/\/[\w.-]+/g),
    ].map(([url]) => url)
    expect([...new Set(hosts)].filter((url) => !NEVER_FETCHED.includes(url))).toEqual([])
  })
})

/** Addresses that a browser never fetches: an XML namespace, and a page in an error message of socket.io-client. */
const NEVER_FETCHED = ['http://www.w3.org', 'https://socket.io']

function polling(): Metafile {
  return built.parts.find(({ outputs }) => Object.keys(outputs).some((path) => path.endsWith('polling.js')))!
}

/** Returns what esbuild says of one of the files that `widget.js` loads when it needs them. */
function part(name: string): Metafile {
  const files = built.parts.flatMap(({ outputs }) => Object.entries(outputs))
  return { inputs: {}, outputs: Object.fromEntries(files.filter(([path]) => path.endsWith(`/${name}.js`))) }
}

function inputs({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
    .filter((path) => !path.startsWith('<define:'))
    .toSorted()
}
