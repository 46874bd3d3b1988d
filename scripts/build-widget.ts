import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, BuildResult, Metafile, Plugin } from 'esbuild'
import { PAGE_OPTIONS } from './page-options.ts'
import { writesBuilt } from './write-built.ts'

export interface WidgetBuild {
  /** esbuild's metafiles of `embed.js`, of `widget.js`, and of the files that `widget.js` loads when it needs them. */
  embed: Metafile
  widget: Metafile
  parts: readonly Metafile[]
  /** The hash of each file, as the attribute `integrity` takes it. */
  integrity: Readonly<Record<string, string>>
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The entries of the files that `widget.js` loads when it needs them, except `polling.js`. */
const PARTS = {
  assistant: 'widget/assistant/assistant.ts',
  markdown: 'widget/markdown.ts',
  menu: 'widget/menu.ts',
  'texts-es': 'widget/texts/es.ts',
  'texts-de': 'widget/texts/de.ts',
  'texts-ar': 'widget/texts/ar.ts',
}

/**
 * Builds the widget into `outdir`: `embed.js` (a classic script), which loads `widget.js` (a module), which loads a part
 * when it needs it: `markdown.js` for a reply in Markdown, `menu.js`, `texts-es.js` and so on for a language other than
 * English, and `polling.js` when WebSockets are blocked. `embed.js` also loads `diagnose.js`, for `Walkon.diagnose`. Each
 * file contains the hashes of the files that it loads.
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
    format: 'esm',
    // streaming-markdown calls `console.assert` in its hot path. The arguments have no side effects, so esbuild can
    // remove the calls.
    pure: ['console.assert'],
  } satisfies BuildOptions
  const [parts, polling, diagnose] = await Promise.all([
    esbuild.build({
      ...common,
      entryPoints: PARTS,
      define: { INTEGRITY: '{}' },
      plugins: [stylesheets(minify), writesBuilt()],
    }),
    buildPolling(common),
    esbuild.build({ ...common, entryPoints: ['widget/diagnose.ts'], plugins: [writesBuilt()] }),
  ])
  const integrity = await hashesOf(outdir, [...Object.keys(PARTS), 'polling'])
  const widget = await esbuild.build({
    ...common,
    entryPoints: ['widget/widget.tsx'],
    define: { INTEGRITY: JSON.stringify(integrity) },
    plugins: [
      stylesheets(minify),
      managerAlone(),
      webSocketAlone(),
      textAlone(),
      addressAlone(),
      globalAlias(),
      signalsAlone(),
      writesBuilt(),
    ],
  })
  const ofEmbed = await hashesOf(outdir, ['widget', 'diagnose'])
  const embed = await esbuild.build({
    ...common,
    entryPoints: ['widget/embed.ts'],
    format: 'iife',
    define: {
      WIDGET_INTEGRITY: JSON.stringify(ofEmbed['widget.js']),
      DIAGNOSE_INTEGRITY: JSON.stringify(ofEmbed['diagnose.js']),
    },
    plugins: [stylesheets(minify), writesBuilt()],
  })
  return {
    embed: embed.metafile,
    widget: widget.metafile,
    parts: [parts.metafile, polling.metafile, diagnose.metafile],
    integrity: { ...integrity, ...ofEmbed, ...(await hashesOf(outdir, ['embed'])) },
  }
}

async function hashesOf(outdir: string, names: readonly string[]): Promise<Record<string, string>> {
  const hash = async (name: string) => {
    const content = await readFile(join(outdir, `${name}.js`))
    return [`${name}.js`, `sha256-${createHash('sha256').update(content).digest('base64')}`] as const
  }
  return Object.fromEntries(await Promise.all(names.map(hash)))
}

/**
 * Builds `polling.js`: engine.io-client's HTTP long-polling, for networks that block WebSockets. Code that `widget.js`
 * also needs is in both files, because a shared file would be one more file for every page to load.
 */
export function buildPolling(options: BuildOptions & { metafile: true }): Promise<BuildResult<{ metafile: true }>> {
  const client = createRequire(import.meta.resolve('socket.io-client'))
  const engine = dirname(client.resolve('engine.io-client/package.json'))
  return esbuild.build({
    ...options,
    entryPoints: [{ in: join(engine, 'build/esm/transports/polling-fetch.js'), out: 'polling' }],
    format: 'esm',
    plugins: [globalAlias(), writesBuilt()],
  })
}

/**
 * Turns a style sheet into a module that exports its minified text. The widget adopts the text as a constructed style
 * sheet, which a page's CSP allows.
 */
export function stylesheets(minify: boolean): Plugin {
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

/**
 * The target for style sheets: the first browser versions with popover, `light-dark()` and nesting. For older targets
 * esbuild would rewrite the colours.
 */
export const CSS_TARGET = ['chrome123', 'firefox125', 'safari17.5']

/**
 * Replaces every transport but WebSocket by a dummy, because engine.io-client can only be imported with all its
 * transports. The build bundles the rest of the Socket.IO packages as published, except what `textAlone`,
 * `globalAlias` and `managerAlone` change.
 */
export function webSocketAlone(): Plugin {
  return alias(
    'web-socket-alone',
    'engine.io-client',
    /\/(polling-fetch|polling-xhr(\.node)?|webtransport)\.js$/,
    'export const XHR = 0, WT = 0, Fetch = 0',
  )
}

/**
 * Replaces engine.io-client's own parser of addresses by the browser's, which gives the same four fields. The client
 * adds the brackets of an IPv6 address itself.
 */
function addressAlone(): Plugin {
  return alias(
    'address-alone',
    'engine.io-client',
    /\/parseuri\.js$/,
    `export const parse = (address) => {
       const { hostname, protocol, port, search } = new URL(address)
       return { host: hostname.replace(/[[\\]]/g, ''), protocol: protocol.slice(0, -1), port, query: search.slice(1) }
     }`,
  )
}

/**
 * Replaces the modules of socket.io-parser and engine.io-parser that handle binary data, because every message of
 * Walkon is text. The client refuses a binary packet that arrives nevertheless, and closes the connection.
 */
function textAlone(): Plugin {
  return alias(
    'text-alone',
    'io-parser',
    /\/((is-)?binary|base64-arraybuffer)\.js$/,
    `export const isBinary = () => false, hasBinary = isBinary, deconstructPacket = isBinary,
       reconstructPacket = isBinary, decode = isBinary`,
  )
}

/**
 * Replaces the module of engine.io-client that looks for the global object. That module may call `Function('return
 * this')`, and no file of Walkon may evaluate text as code.
 */
export function globalAlias(): Plugin {
  return alias(
    'global-alias',
    'engine.io-client',
    /\/globals\.node\.js$/,
    `export const nextTick = (call) => Promise.resolve().then(call), globalThisShim = globalThis,
       defaultBinaryType = 'arraybuffer', createCookieJar = () => {}`,
  )
}

/**
 * Imports the `Manager` of socket.io-client from the module that defines it. The package's main module adds `io()` and
 * a cache of managers, which no bundler can remove.
 */
export function managerAlone(): Plugin {
  return {
    name: 'manager-alone',
    setup(build) {
      build.onResolve({ filter: /^socket\.io-client$/ }, () => ({
        path: join(dirname(fileURLToPath(import.meta.resolve('socket.io-client'))), '../esm/manager.js'),
      }))
    },
  }
}

function alias(name: string, from: string, filter: RegExp, contents: string): Plugin {
  return {
    name,
    setup(build) {
      build.onResolve({ filter }, ({ importer }) =>
        importer.includes(from) ? { path: from, namespace: name } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: name }, () => ({ contents }))
    },
  }
}

/**
 * Puts `widget/signals.ts` in the place of @preact/signals, which imports preact/hooks. The widget renders from one
 * effect at its root, so the widget needs no hooks.
 */
function signalsAlone(): Plugin {
  return {
    name: 'signals-alone',
    setup(build) {
      build.onResolve({ filter: /^@preact\/signals$/ }, () => ({ path: join(ROOT, 'widget/signals.ts') }))
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWidget()
