import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import type { V4WorkerOptions } from 'miniflare'
import { askShared, isSharing } from './shared.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A worker that is ready to run: its bindings and its code in one file. */
export interface WorkerBundle {
  readonly options: V4WorkerOptions
  readonly file: string
  /** The folder of the file. Remove it when no server uses it any more. */
  readonly folder: string
}

/** A bundle in use; `release` is called when no server uses it any more. */
export interface BundleInUse extends WorkerBundle {
  release(): Promise<void>
}

/**
 * Bundles a worker for one server. A run of tests bundles each worker of the project once for all its servers. A
 * configuration outside the project belongs to one test, and its files may change, so it is bundled each time.
 *
 * @param configPath from the project's root, or absolute
 */
export async function useBundle(configPath: string): Promise<BundleInUse> {
  if (isSharing() && !path.isAbsolute(configPath))
    return { ...(await askShared<WorkerBundle>('bundle', { configPath })), release: () => Promise.resolve() }
  const bundle = await bundleWorker(configPath)
  return { ...bundle, release: () => rm(bundle.folder, { recursive: true, force: true }) }
}

/**
 * Reads a worker's wrangler configuration and bundles its code, as a deploy does.
 *
 * @param configPath from the project's root, or absolute
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
    // Each start passes the file to workerd, and half of it would be white space and licences.
    minifyWhitespace: true,
    legalComments: 'none',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  const modules = [{ type: 'ESModule' as const, path: file }]
  return { options: { ...options, rootPath: folder, modulesRoot: folder, modules }, file, folder }
}
