import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { buildGame } from './build-game.ts'
import { buildOperator } from './build-operator.ts'
import { buildWidget } from './build-widget.ts'

/** The size of a built file in bytes, plain and compressed. */
export interface Size {
  file: string
  raw: number
  gzip: number
  brotli: number
}

/**
 * The size limits in bytes after brotli compression: `embed` for the files that load before anyone opens the widget,
 * `all` for the files of a whole conversation in English with plain replies. The files of `LOADED_LATER` are not included,
 * because they load only when a conversation needs them. `language` is for what another language adds, `menu` and
 * `assistant` for `menu.js` and `assistant.js`.
 */
export const BUDGET = { embed: 3_000, all: 39_100, language: 2_000, menu: 5_000, assistant: 11_400 }

/** The files that `widget.js` and `embed.js` load when they need them. */
const LOADED_LATER = [
  'assistant.js',
  'markdown.js',
  'menu.js',
  'polling.js',
  'texts-es.js',
  'texts-de.js',
  'texts-ar.js',
  'diagnose.js',
]

/**
 * The size limit of the operator's page in bytes after brotli compression, for the script and the style sheet together
 * ([operator-19]).
 */
export const OPERATOR_BUDGET = 30_000

/**
 * The size limit of the files that the game loads until its library is visible, in bytes after brotli compression: the
 * page, its scripts in one language, its styles, its fonts and the list of simulations ([page-3]).
 */
export const GAME_BUDGET = 90_000

/**
 * The size limit of the Worker's minified code in bytes. No scenario is among them ([publish-10]).
 */
export const WORKER_BUDGET = 1_200_000

/** Returns the size of the Worker's code in bytes, minified as wrangler does it for a deployment. */
export async function workerSize(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../worker/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    minify: true,
    keepNames: true,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0)
}

/** Measures a built file with each compression at its highest level, as a static host would store the file. */
export async function sizeOf(path: string): Promise<Size> {
  const bytes = await readFile(path)
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  return {
    file: path.split('/').at(-1) ?? path,
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotli.length,
  }
}

/** Returns a sentence for each exceeded limit. */
export function overBudget({
  embed,
  widget,
  language,
  menu,
  assistant,
}: {
  embed: number
  widget: number
  /** The largest file of texts in a language other than English. */
  language: number
  menu: number
  assistant: number
}): string[] {
  const complaints: string[] = []
  if (embed > BUDGET.embed) complaints.push(`embed.js is ${embed} bytes of brotli, ${BUDGET.embed} are allowed`)
  const all = embed + widget
  if (all > BUDGET.all) complaints.push(`embed.js and widget.js are ${all} bytes of brotli, ${BUDGET.all} are allowed`)
  if (language > BUDGET.language)
    complaints.push(`a language is ${language} bytes of brotli, ${BUDGET.language} are allowed`)
  for (const [name, size] of Object.entries({ menu, assistant }))
    if (size > BUDGET[name as 'menu'])
      complaints.push(`${name}.js is ${size} bytes of brotli, ${BUDGET[name as 'menu']} are allowed`)
  return complaints
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await report()

async function report(): Promise<void> {
  const outdir = fileURLToPath(new URL('../build/public', import.meta.url))
  const { widget: metafile } = await buildWidget({ outdir })
  const files = ['embed.js', 'widget.js', ...LOADED_LATER].map((file) => sizeOf(join(outdir, file)))
  const [embed, widget, ...later] = (await Promise.all(files)) as [Size, Size, ...Size[]]
  print('inside widget.js, minified', inputs(metafile))
  print(
    '',
    [embed, widget, ...later].map(({ file, raw, gzip, brotli }) => [file, raw, gzip, brotli]),
    ['raw', 'gzip', 'brotli'],
  )
  const page = await operatorSizes(join(outdir, 'operator'))
  print('inside the operator’s page, minified', page.inside)
  print(
    '',
    page.sizes.map(({ file, raw, gzip, brotli }) => [file, raw, gzip, brotli]),
    ['raw', 'gzip', 'brotli'],
  )
  const game = await gameSizes(outdir)
  print(
    'the game’s first load',
    game.sizes.map(({ file, raw, gzip, brotli }) => [file, raw, gzip, brotli]),
    ['raw', 'gzip', 'brotli'],
  )
  const languages = later.filter(({ file }) => file.startsWith('texts-')).map(({ brotli }) => brotli)
  const of = (name: string) => later.find(({ file }) => file === name)?.brotli ?? 0
  const complaints = overBudget({
    embed: embed.brotli,
    widget: widget.brotli,
    language: Math.max(...languages),
    menu: of('menu.js'),
    assistant: of('assistant.js'),
  })
  if (page.brotli > OPERATOR_BUDGET)
    complaints.push(`the operator’s page is ${page.brotli} bytes of brotli, ${OPERATOR_BUDGET} are allowed`)
  const worker = await workerSize()
  if (worker > WORKER_BUDGET) complaints.push(`the Worker is ${worker} bytes minified, ${WORKER_BUDGET} are allowed`)
  if (game.brotli > GAME_BUDGET)
    complaints.push(`the game’s first load is ${game.brotli} bytes of brotli, ${GAME_BUDGET} are allowed`)
  console.log(
    complaints.length ? complaints.join('\n') : `within budget: ${embed.brotli} and ${embed.brotli + widget.brotli}`,
    `the operator’s page ${page.brotli}, the game ${game.brotli}, the Worker ${worker} minified`,
  )
  if (complaints.length) process.exitCode = 1
}

/**
 * Measures the game's first load in English.
 *
 * @param outdir the folder that contains `scenarios.json`
 */
export async function gameSizes(outdir: string): Promise<{ sizes: readonly Size[]; brotli: number }> {
  const { page, first } = await buildGame({ outdir })
  const sizes = await Promise.all([page, ...first, join(outdir, 'scenarios.json')].map(sizeOf))
  return { sizes, brotli: sizes.reduce((sum, { brotli }) => sum + brotli, 0) }
}

async function operatorSizes(outdir: string) {
  const { metafile, script, style } = await buildOperator({ outdir })
  const sizes = await Promise.all([script, style].map(sizeOf))
  return { sizes, brotli: sizes.reduce((sum, { brotli }) => sum + brotli, 0), inside: inputs(metafile) }
}

function inputs(metafile: Metafile): (string | number)[][] {
  const output = Object.values(metafile.outputs)[0]
  return Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .toSorted(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    .map(([path, { bytesInOutput }]) => [path.replace(/^.*node_modules\//, ''), bytesInOutput])
}

function print(title: string, rows: (string | number)[][], columns: string[] = ['bytes']): void {
  console.log([title.padEnd(60), ...columns.map((column) => column.padStart(8))].join(''))
  for (const [name, ...cells] of rows) {
    console.log([String(name).padEnd(60), ...cells.map((cell) => cell.toLocaleString('en').padStart(8))].join(''))
  }
  console.log()
}
