import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, BuildResult, Metafile, Plugin } from 'esbuild'
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
  const [embed, widget, polling] = await Promise.all([
    esbuild.build({
      ...common,
      entryPoints: ['widget/embed.ts'],
      format: 'iife',
      plugins: [stylesheets(minify), writesBuilt()],
    }),
    esbuild.build({
      ...common,
      entryPoints: ['widget/widget.tsx'],
      format: 'esm',
      plugins: [stylesheets(minify), managerAlone(), webSocketAlone(), globalAlias(), signalsAlone(), writesBuilt()],
    }),
    buildPolling(common),
  ])
  return { embed: embed.metafile, widget: widget.metafile, polling: polling.metafile }
}

/**
 * Builds `polling.js`: HTTP long-polling as engine.io-client publishes it, for networks that let no WebSocket through. It
 * carries its own copy of what it shares with the engine in `widget.js`: a shared chunk would be one more file for everybody.
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
 * Leaves out the transports that the widget never uses: engine.io-client lists all of them in its only entry. The widget
 * connects by WebSocket, and loads `polling.js` where it has to. Everything else of the Socket.IO packages is bundled as
 * published, except what `globalAlias` says.
 */
export function webSocketAlone(): Plugin {
  return engineAlias(
    'web-socket-alone',
    /\/(polling-fetch|polling-xhr(\.node)?|webtransport)\.js$/,
    'export const XHR = 0, WT = 0, Fetch = 0',
  )
}

/**
 * Names the global object in place of the module of engine.io-client that looks for it. That module falls back to
 * `Function('return this')`, and no file of ours makes code out of text.
 */
export function globalAlias(): Plugin {
  return engineAlias(
    'global-alias',
    /\/globals\.node\.js$/,
    `export const nextTick = (call) => Promise.resolve().then(call), globalThisShim = globalThis,
       defaultBinaryType = 'arraybuffer', createCookieJar = () => {}`,
  )
}

/**
 * Takes the client's `Manager` from the package's own module. The package's index adds `io()` and a cache of managers by
 * origin, and no bundler can leave them out.
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

/** Puts a module in the place of those of engine.io-client whose path fits. */
function engineAlias(name: string, filter: RegExp, contents: string): Plugin {
  return {
    name,
    setup(build) {
      build.onResolve({ filter }, ({ importer }) =>
        importer.includes('engine.io-client') ? { path: 'engine.io-client', namespace: name } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: name }, () => ({ contents }))
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWidget()
