import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'

export interface WidgetBuild {
  /** What went into `embed.js` and what went into `widget.js`, by esbuild. */
  embed: Metafile
  widget: Metafile
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds `embed.js` (a classic script) and `widget.js` (a module) into `outdir`.
 *
 * @throws esbuild's BuildFailure when a source does not compile
 */
export async function buildWidget({
  outdir = join(ROOT, 'build/public'),
  minify = true,
}: { outdir?: string; minify?: boolean } = {}): Promise<WidgetBuild> {
  const common = {
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    minify,
    metafile: true,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // streaming-markdown asserts in its hot path; the arguments have no effects.
    pure: ['console.assert'],
    plugins: [stylesheets(minify), withoutTheUnused()],
  } satisfies BuildOptions
  const [embed, widget] = await Promise.all([
    esbuild.build({ ...common, entryPoints: ['widget/embed.ts'], format: 'iife' }),
    esbuild.build({ ...common, entryPoints: ['widget/widget.tsx'], format: 'esm' }),
  ])
  return { embed: embed.metafile, widget: widget.metafile }
}

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
const CSS_TARGET = ['chrome123', 'firefox125', 'safari17.5']

/**
 * Leaves out what the widget never runs. The packages on disk are untouched, and so is every module that stays; only
 * the modules named here are replaced while bundling, because their packages cannot say themselves that nobody needs
 * them:
 *
 * - engine.io-client lists its transports in one object, so `transports: ['websocket']` alone keeps them all;
 * - engine.io-parser and socket.io-parser carry binary frames, which the service neither sends nor takes;
 * - engine.io-client finds the global object with `Function('return this')` where there is no `self`;
 * - engine.io-client takes addresses apart with an expression of its own, where every browser that can run the widget
 *   has `URL`;
 * - preact/hooks registers itself on import, and @preact/signals imports it for hooks of its own. The widget draws from
 *   one effect at its root, so the signals alone are enough.
 */
function withoutTheUnused(): Plugin {
  return {
    name: 'without-the-unused',
    setup(build) {
      for (const [filter, contents] of UNUSED) {
        const namespace = `unused:${filter.source}`
        build.onResolve({ filter }, ({ path, importer }) =>
          /engine\.io|socket\.io/.test(importer) ? { path, namespace } : undefined,
        )
        build.onLoad({ filter: /.*/, namespace }, () => ({ contents }))
      }
      build.onResolve({ filter: /^socket\.io-client$/ }, async ({ path, resolveDir, kind, pluginData }) => {
        // Its index makes `io()` and a cache of managers; the widget takes the Manager beside it.
        if (pluginData === SEEN) return undefined
        const { path: index } = await build.resolve(path, { resolveDir, kind, pluginData: SEEN })
        return { path: join(dirname(index), 'manager.js') }
      })
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
  [/\/base64-arraybuffer\.js$/, 'export const decode = 0'],
  [
    /\/globals\.node\.js$/,
    `export const nextTick = (call) => Promise.resolve().then(call), globalThisShim = globalThis,
       defaultBinaryType = 'arraybuffer', createCookieJar = () => {}`,
  ],
]

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWidget()
