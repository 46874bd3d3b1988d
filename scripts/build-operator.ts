import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Metafile } from 'esbuild'
import { CSS_TARGET } from './build-widget.ts'
import { PAGE_OPTIONS } from './page-options.ts'
import { writeBuilt, writesBuilt } from './write-built.ts'

export interface OperatorBuild {
  /** esbuild's metafile for the page's script and style sheet. */
  readonly metafile: Metafile
  readonly script: string
  readonly style: string
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'sims/operator')

/**
 * Builds the operator's page into `outdir`: `index.html`, and a script and a style sheet in `assets`. The names of the
 * files in `assets` contain a hash of their content, so that a browser may cache the files for ever.
 *
 * @throws esbuild's BuildFailure if a source does not compile
 */
export async function buildOperator({
  outdir = join(ROOT, 'build/public/operator'),
  minify = true,
}: { outdir?: string; minify?: boolean } = {}): Promise<OperatorBuild> {
  const assets = join(outdir, 'assets')
  const { metafile } = await esbuild.build({
    ...PAGE_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: { operator: 'sims/operator/operator.tsx', page: 'sims/operator/styles/operator.css' },
    entryNames: '[name]-[hash]',
    outdir: assets,
    minify,
    format: 'esm',
    target: [PAGE_OPTIONS.target, ...CSS_TARGET],
    plugins: [writesBuilt()],
  })
  const built = Object.keys(metafile.outputs).map((path) => basename(path))
  const [script = '', style = ''] = ['.js', '.css'].map((end) => built.find((file) => file.endsWith(end)) ?? '')
  await writePage(outdir, { 'operator.js': script, 'operator.css': style })
  await removeOthers(assets, built)
  return { metafile, script: join(assets, script), style: join(assets, style) }
}

/**
 * Writes the page with the names of the built files.
 *
 * @throws Error if `index.html` lacks a placeholder, because the page would then load nothing
 */
async function writePage(outdir: string, names: Readonly<Record<string, string>>): Promise<void> {
  let page = await readFile(join(SOURCE, 'index.html'), 'utf8')
  for (const [plain, hashed] of Object.entries(names)) {
    if (!page.includes(`"${plain}"`) || hashed === '') throw new Error(`the operator's page has no place for ${plain}`)
    page = page.replace(`"${plain}"`, `"/operator/assets/${hashed}"`)
  }
  await writeBuilt(join(outdir, 'index.html'), page)
}

async function removeOthers(assets: string, built: readonly string[]): Promise<void> {
  const left = (await readdir(assets)).filter((file) => !built.includes(file))
  await Promise.all(left.map((file) => rm(join(assets, file))))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildOperator()
