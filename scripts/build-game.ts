import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { buildPolling, CSS_TARGET, globalAlias, managerAlone, webSocketAlone } from './build-widget.ts'
import { fonts } from './game/fonts.ts'
import { PAGE_OPTIONS } from './page-options.ts'
import { writeBuilt, writesBuilt } from './write-built.ts'

export interface GameBuild {
  readonly metafile: Metafile
  readonly page: string
  /** The scripts, styles and fonts that a browser loads before it shows the library in English. */
  readonly first: readonly string[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds the game into `outdir`: `index.html`, and all other files in the folder `game`. The names of the files in
 * `game` contain a hash of their content, so that a browser may cache the files for ever. Only `polling.js` has a fixed
 * name, because the conversation loads it by that name.
 *
 * @throws esbuild's BuildFailure if a source does not compile
 */
export async function buildGame({
  outdir = join(ROOT, 'build/public'),
  minify = true,
}: { outdir?: string; minify?: boolean } = {}): Promise<GameBuild> {
  const assets = join(outdir, 'game')
  const common = {
    ...PAGE_OPTIONS,
    absWorkingDir: ROOT,
    outdir: assets,
    minify,
    format: 'esm',
    target: [PAGE_OPTIONS.target, ...CSS_TARGET],
    pure: ['console.assert'],
    // The game's files have hashes in their names.
    define: { INTEGRITY: '{}' },
  } satisfies BuildOptions
  const { metafile } = await esbuild.build({
    ...common,
    entryPoints: { game: 'sims/game/boot.ts', page: 'sims/game/styles/game.css' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    plugins: [
      stylesAsText(minify),
      fonts(ROOT, join(ROOT, 'build/fonts')),
      managerAlone(),
      webSocketAlone(),
      globalAlias(),
      writesBuilt(),
    ],
  })
  await buildPolling(common)
  const built = Object.keys(metafile.outputs).map((path) => basename(path))
  const parts = firstParts(metafile)
  await writePage(outdir, parts)
  await removeOthers(assets, [...built, 'polling.js'])
  const { script, style, scripts, faces, words } = parts
  return {
    metafile,
    page: join(outdir, 'index.html'),
    first: [script, style, ...scripts, ...faces, words].map((name) => join(assets, name)),
  }
}

/**
 * Turns a style sheet that a script imports into a module with its minified text. So a screen that loads later brings
 * its own styles, which `adoptStyles` adds to the page. The page's main style sheet stays a file.
 */
function stylesAsText(minify: boolean): Plugin {
  return {
    name: 'styles-as-text',
    setup(build) {
      build.onResolve({ filter: /\.css$/ }, ({ path, resolveDir, kind }) =>
        kind === 'import-statement' ? { path: join(resolveDir, path), namespace: 'style-text' } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: 'style-text' }, async ({ path }) => {
        const { outputFiles, metafile } = await esbuild.build({
          entryPoints: [path],
          bundle: true,
          write: false,
          minify,
          metafile: true,
          charset: 'utf8',
          target: CSS_TARGET,
          logLevel: 'silent',
        })
        const text = outputFiles[0]?.text.trim() ?? ''
        return {
          contents: `export const css = ${JSON.stringify(text)}`,
          resolveDir: dirname(path),
          watchFiles: Object.keys(metafile.inputs),
        }
      })
    },
  }
}

interface FirstParts {
  readonly script: string
  readonly style: string
  /**
   * The scripts that the page's main script and the module with the page's texts import. The page tells the browser to
   * preload these scripts.
   */
  readonly scripts: readonly string[]
  readonly faces: readonly string[]
  readonly words: string
}

/**
 * Returns the files that the browser loads first.
 *
 * @throws Error if the build lacks a file that the page needs
 */
function firstParts({ outputs }: Metafile): FirstParts {
  const made = (source: string) => {
    const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
    if (path === undefined) throw new Error(`the game's build has no ${source}`)
    return path
  }
  const withImports = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const part of outputs[path]?.imports ?? []) if (part.kind === 'import-statement') withImports(part.path, seen)
    return seen
  }
  const [script, app, words] = [
    made('sims/game/boot.ts'),
    made('sims/game/start-game.tsx'),
    made('sims/game/texts/en.ts'),
  ]
  const all = new Set([...withImports(script), ...withImports(app), ...withImports(words)])
  const scripts = [...all].filter((path) => path !== script && path !== words)
  return {
    script: basename(script),
    style: basename(made('sims/game/styles/game.css')),
    scripts: scripts.map((path) => basename(path)),
    faces: Object.keys(outputs)
      .filter((path) => path.endsWith('.woff2'))
      .map((path) => basename(path)),
    words: basename(words),
  }
}

/**
 * Writes the page with the names of the built files.
 *
 * @throws Error if `index.html` lacks a placeholder, because the page would then load nothing
 */
async function writePage(outdir: string, { script, style, scripts, faces }: FirstParts): Promise<void> {
  let page = await readFile(join(ROOT, 'sims/game/index.html'), 'utf8')
  for (const [plain, hashed] of [
    ['"game.js"', `"/game/${script}"`],
    ['"game.css"', `"/game/${style}"`],
  ] as const) {
    if (!page.includes(plain)) throw new Error(`the game's page has no place for ${plain}`)
    page = page.replace(plain, hashed)
  }
  const early = [
    ...scripts.map((name) => `<link rel="modulepreload" href="/game/${name}" />`),
    ...faces.map((name) => `<link rel="preload" href="/game/${name}" as="font" type="font/woff2" crossorigin />`),
    // Every screen needs `scenarios.json`, and without this line would request it only after the scripts have loaded.
    '<link rel="preload" href="/scenarios.json" as="fetch" crossorigin />',
  ]
  page = page.replace('  </head>', [...early.map((link) => `    ${link}`), '  </head>'].join('\n'))
  await writeBuilt(join(outdir, 'index.html'), page)
}

/**
 * Removes the files of earlier builds that are older than `KEPT_MS`. Younger files stay, because a page that was open
 * during the build may still load them.
 */
async function removeOthers(assets: string, built: readonly string[]): Promise<void> {
  const left = (await readdir(assets)).filter((file) => !built.includes(file))
  for (const file of left) {
    const path = join(assets, file)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { force: true })
  }
}

const KEPT_MS = 15 * 60_000

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildGame()
