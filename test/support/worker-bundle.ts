import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import type { V4WorkerOptions } from 'miniflare'
import { askShared, isSharing } from './shared.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The name under which workerd asks for a worker's code. */
const CODE = 'code.js'

/** A worker that is ready to run: its bindings, and its code in one file. */
export interface WorkerBundle {
  /** Options whose only module imports the code. workerd then asks for the code: see `codeOf`. */
  readonly options: V4WorkerOptions
  readonly file: string
  /**
   * The folder that contains the code's file. Whoever made the bundle removes the folder when no server uses it any
   * more.
   */
  readonly folder: string
}

/** A bundle that a server uses. The server calls `release` when it no longer uses the bundle. */
export interface BundleInUse extends WorkerBundle {
  release(): Promise<void>
}

/**
 * Bundles a worker for a server. In a run of tests, each worker of the project is bundled only once, for all servers. A
 * configuration outside the project belongs to a single test, which may change its files. So such a worker is bundled
 * for every server again.
 *
 * @param configPath a path from the project's root, or an absolute path
 */
export async function useBundle(configPath: string): Promise<BundleInUse> {
  if (isSharing() && !path.isAbsolute(configPath))
    return { ...(await askShared<WorkerBundle>('bundle', { configPath })), release: () => Promise.resolve() }
  const bundle = await bundleWorker(configPath)
  return { ...bundle, release: () => rm(bundle.folder, { recursive: true, force: true }) }
}

/**
 * Reads a worker's wrangler configuration and bundles the worker's code, as a deployment does.
 *
 * @param configPath a path from the project's root, or an absolute path
 */
export async function bundleWorker(configPath: string): Promise<WorkerBundle> {
  const { unstable_getMiniflareWorkerOptions: readOptions } = await import('wrangler')
  const {
    main,
    workerOptions: { modulesRules: _, ...options },
  } = readOptions(path.resolve(ROOT, configPath))
  if (main === undefined) throw new Error(`${configPath} names no "main" file`)
  const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
  const file = path.join(folder, 'worker.js')
  await build({
    entryPoints: [main],
    outfile: file,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    keepNames: true,
    // Each start of a server passes the whole code to workerd. Without this setting, half of it would be white space and
    // licences.
    minifyWhitespace: true,
    legalComments: 'none',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  await writeFile(answerFile(folder), JSON.stringify({ name: CODE, esModule: await readFile(file, 'utf8') }))
  const entry = `export * from './${CODE}'; export { default } from './${CODE}'`
  const modules = [{ type: 'ESModule' as const, path: path.join(folder, 'entry.js'), contents: entry }]
  return {
    options: { ...options, rootPath: folder, modulesRoot: folder, modules, unsafeUseModuleFallbackService: true },
    file,
    folder,
  }
}

/**
 * Returns a bundle's code in the form in which workerd asks for it. Miniflare would also pass the code as a part of its
 * configuration, but takes half a second of computing time to write several megabytes there.
 */
export function codeOf({ folder }: WorkerBundle): Promise<Uint8Array> {
  return readFile(answerFile(folder))
}

function answerFile(folder: string): string {
  return path.join(folder, 'code.json')
}
