import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { PAGE_OPTIONS } from './page-options.ts'
import { writesBuilt } from './write-built.ts'

export interface WidgetBuild {
  /** What went into `embed.js`, into `widget.js` and into `polling.js`, by esbuild. */
  embed: Metafile
  widget: Metafile
  polling: Metafile
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds `embed.js` (a classic script), `widget.js` (a module) and `polling.js` (a module that `widget.js` loads where no
 * WebSocket can be had) into `outdir`.
 *
 * @throws esbuild's BuildFailure when a source does not compile
 */
export async function buildWidget({
  outdir = join(ROOT, 'build/public'),
  minify = true,
}: { outdir?: string; minify?: boolean } = {}): Promise<WidgetBuild> {
  const common = {
    ...PAGE_OPTIONS,
    absWorkingDir: ROOT,
    outdir,
    minify,
    // streaming-markdown asserts in its hot path; the arguments have no effects.
    pure: ['console.assert'],
  } satisfies BuildOptions
  // The packages call each other's `_private` fields through both files, so both get the same short names for them.
  const modules = { ...common, format: 'esm', mangleProps: PRIVATE, mangleQuoted: true } satisfies BuildOptions
  const [embed, widget] = await Promise.all([
    esbuild.build({
      ...common,
      entryPoints: ['widget/embed.ts'],
      format: 'iife',
      plugins: [stylesheets(minify), writesBuilt()],
    }),
    esbuild.build({
      ...modules,
      entryPoints: ['widget/widget.tsx'],
      plugins: [stylesheets(minify), withoutTheUnused('socket.io-client', 'manager.js'), signalsAlone(), writesBuilt()],
      mangleCache: {},
    }),
  ])
  const polling = await esbuild.build({
    ...modules,
    entryPoints: ['widget/polling.ts'],
    plugins: [withoutTheUnused('engine.io-client', 'transports/polling-fetch.js'), writesBuilt()],
    mangleCache: widget.mangleCache,
  })
  return { embed: embed.metafile, widget: widget.metafile, polling: polling.metafile }
}

/** Fields that socket.io-client and engine.io-client keep to themselves. Nothing on the wire begins like this. */
export const PRIVATE = /^_[a-zA-Z]/

/** A stylesheet becomes a module that exports its text, shrunk: constructed sheets need no place in the page's CSP. */
function stylesheets(minify: boolean): Plugin {
  return {
    name: 'stylesheets',
    setup(build) {
      build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
          loader: 'css',
          minify,
          target: CSS_TARGET,
        })
        return { contents: `export const css = ${JSON.stringify(code.trim())}` }
      })
    },
  }
}

/** Browsers with popover, `light-dark()` and nesting in their default state; older targets would expand the colours. */
export const CSS_TARGET = ['chrome123', 'firefox125', 'safari17.5']

/**
 * Leaves out what the widget never runs. The packages on disk are untouched, and so is every line that stays; only what
 * is named here is replaced or left out while bundling, because the packages cannot say themselves that nobody needs it.
 * A name that is not there any more, after an update, stops the build.
 *
 * - Methods that nobody calls: no bundler can leave out one method of a class.
 * - What the packages' errors say: nobody reads it, where only that something was thrown counts.
 * - engine.io-client lists its transports in one object, so `transports: ['websocket']` alone keeps them all;
 * - engine.io-parser and socket.io-parser carry binary frames, which the service neither sends nor takes;
 * - engine.io-client finds the global object with `Function('return this')` where there is no `self`;
 * - engine.io-client takes addresses apart with an expression of its own, where every browser that can run the widget
 *   has `URL`.
 *
 * @param client where `socket.io-client` leads instead: a module beside the entry of this package
 */
export function withoutTheUnused(client: string, module: string): Plugin {
  return {
    name: 'without-the-unused',
    setup(build) {
      for (const [filter, contents] of UNUSED) {
        const namespace = `unused:${filter.source}`
        build.onResolve({ filter }, ({ path, importer, resolveDir }) =>
          /engine\.io|socket\.io/.test(importer) ? { path, namespace, pluginData: resolveDir } : undefined,
        )
        build.onLoad({ filter: /.*/, namespace }, ({ pluginData }) => ({ contents, resolveDir: String(pluginData) }))
      }
      for (const [filter, methods] of UNCALLED) {
        build.onLoad({ filter }, async ({ path }) => ({
          contents: leaveOut(methods, await readFile(path, 'utf8'), path),
        }))
      }
      build.onResolve({ filter: /^socket\.io-client$/ }, async ({ path, resolveDir, kind, pluginData }) => {
        // Its index makes `io()` and a cache of managers; the widget takes what stands beside it.
        if (pluginData === SEEN) return undefined
        const index = await build.resolve(path, { resolveDir, kind, pluginData: SEEN })
        const other = await build.resolve(client, { resolveDir: dirname(index.path), kind, pluginData: SEEN })
        return { path: join(dirname(other.path), module) }
      })
    },
  }
}

/**
 * preact/hooks registers itself on import, and @preact/signals imports it for hooks of its own. The widget draws from one
 * effect at its root, so the signals alone are enough.
 */
function signalsAlone(): Plugin {
  return {
    name: 'signals-alone',
    setup(build) {
      build.onResolve({ filter: /^@preact\/signals$/ }, ({ resolveDir }) =>
        build.resolve('@preact/signals-core', { resolveDir, kind: 'import-statement' }),
      )
    },
  }
}

const SEEN = Symbol('resolved once')

const UNUSED: readonly [RegExp, string][] = [
  [/\/(polling-fetch|polling-xhr(\.node)?|webtransport)\.js$/, 'export const XHR = 0, WT = 0, Fetch = 0'],
  [/\/binary\.js$/, 'export const deconstructPacket = 0, reconstructPacket = 0'],
  [/\/is-binary\.js$/, 'export const isBinary = () => false, hasBinary = isBinary'],
  [
    /\/parseuri\.js$/,
    `export const parse = (uri) => {
       const { hostname, protocol, port } = new URL(uri)
       return { host: hostname.replace(/[[\\]]/g, ''), protocol: protocol.slice(0, -1), port }
     }`,
  ],
  [
    /\/encodePacket\.js$/,
    `import { PACKET_TYPES } from './commons.js'
     export const encodePacketToBinary = 0,
       encodePacket = ({ type, data }, _, give) => give(PACKET_TYPES[type] + (data || ''))`,
  ],
  [
    /\/decodePacket\.js$/,
    `import { PACKET_TYPES_REVERSE, ERROR_PACKET } from './commons.js'
     export const decodePacket = (packet) => {
       const type = typeof packet === 'string' && PACKET_TYPES_REVERSE[packet[0]]
       return type ? { type, data: packet.slice(1) || undefined } : ERROR_PACKET
     }`,
  ],
  [/\/backo2\.js$/, 'export class Backoff { reset() {} }'],
  [/\/parseqs\.js$/, 'export const decode = 0, encode = (query) => String(new URLSearchParams(query))'],
  [
    /\/globals\.node\.js$/,
    `export const nextTick = (call) => Promise.resolve().then(call), globalThisShim = globalThis,
       defaultBinaryType = 'arraybuffer', createCookieJar = () => {}`,
  ],
]

const UNCALLED: readonly [RegExp, readonly string[]][] = [
  [
    /socket\.io-client\/build\/esm\/socket\.js$/,
    [
      'disconnected',
      'send',
      'emitWithAck',
      '_addToQueue',
      'close',
      'compress',
      'prependAny',
      'listenersAny',
      'onAnyOutgoing',
      'prependAnyOutgoing',
      'offAnyOutgoing',
      'listenersAnyOutgoing',
    ],
  ],
  [/socket\.io-client\/build\/esm\/manager\.js$/, ['connect', 'disconnect', 'reconnect', 'onreconnect']],
  [/socket\.io-parser\/build\/esm\/index\.js$/, ['encodeAsBinary', 'takeBinaryData']],
  [/engine\.io-client\/build\/esm\/socket\.js$/, ['_probe', 'send']],
]

/**
 * Takes methods out of a class as TypeScript prints one: four spaces in, from the name to the brace below it. What an
 * error says goes too; those that the service causes bring their own words.
 */
function leaveOut(methods: readonly string[], source: string, path: string): string {
  const speechless = source.replaceAll(/new Error\("[^"]*"(?: \+ [\w.]+)?\)/g, 'new Error()')
  return methods.reduce((rest, method) => {
    const printed = new RegExp(`^    (?:get )?${method}\\(.*\\) \\{\\n(?:(?:     .*)?\\n)*?    \\}\\n`, 'm')
    if (!printed.test(rest)) throw new Error(`${path} has no method ${method} to leave out`)
    return rest.replace(printed, '')
  }, speechless)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWidget()
