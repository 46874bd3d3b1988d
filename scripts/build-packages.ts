import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as esbuild from 'esbuild'
import { buildWidget, stylesheets } from './build-widget.ts'
import { PAGE_OPTIONS } from './page-options.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(ROOT, 'widget/packages')
const run = promisify(execFile)

/**
 * Builds the packages `@walkon/widget` and `@walkon/react` into folders of `outdir`, and packs each.
 *
 * @returns the paths of the two tarballs
 */
export async function buildPackages({
  outdir = join(ROOT, 'build/packages'),
  version,
}: { outdir?: string; version?: string } = {}): Promise<{ widget: string; react: string }> {
  const widget = join(outdir, 'widget')
  const react = join(outdir, 'react')
  await rm(outdir, { recursive: true, force: true })
  await mkdir(outdir, { recursive: true })
  await cp(join(SOURCES, 'react'), react, { recursive: true })
  await cp(join(SOURCES, 'widget'), widget, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  const { integrity } = await buildWidget({ outdir: join(outdir, 'files') })
  await esbuild.build({
    ...PAGE_OPTIONS,
    metafile: false,
    absWorkingDir: ROOT,
    entryPoints: ['widget/packages/widget/index.ts'],
    outfile: join(widget, 'index.js'),
    format: 'esm',
    // Minifying would remove the comments that tell bundlers to leave the import of the service's files alone.
    minifySyntax: true,
    define: {
      WIDGET_INTEGRITY: JSON.stringify(integrity['widget.js']),
      DIAGNOSE_INTEGRITY: JSON.stringify(integrity['diagnose.js']),
      WIDGET_VERSION: JSON.stringify(version ?? (await widgetVersion())),
    },
    plugins: [stylesheets(true)],
  })
  await declare(join(widget, 'types'))
  const pack = async (folder: string) => {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', outdir], { cwd: folder })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    return join(outdir, filename)
  }
  return { widget: await pack(widget), react: await pack(react) }
}

/** Returns the version of the widget, which is also the version of its packages. */
export async function widgetVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(SOURCES, 'widget/package.json'), 'utf8')) as { version: string }
  return version
}

/** Writes the declarations of `@walkon/widget` and of the files that it takes types from. */
async function declare(outdir: string): Promise<void> {
  const config = join(outdir, '../tsconfig.json')
  const options = {
    extends: join(ROOT, 'widget/tsconfig.json'),
    compilerOptions: {
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      declarationMap: false,
      rootDir: ROOT,
      outDir: outdir,
      rewriteRelativeImportExtensions: true,
    },
    include: [],
    files: [join(SOURCES, 'widget/index.ts'), join(ROOT, 'widget/css.d.ts')],
    references: [],
  }
  await mkdir(outdir, { recursive: true })
  await writeFile(config, JSON.stringify(options))
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { cwd: ROOT })
  await rm(config)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(Object.values(await buildPackages()).join('\n'))
