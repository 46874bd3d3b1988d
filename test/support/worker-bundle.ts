import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import type { V4WorkerOptions } from 'miniflare'
import { askShared, isSharing } from './shared.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** A worker that is ready to run: its bindings, and its code in one file. */
export interface WorkerBundle {
  readonly options: V4WorkerOptions
  readonly file: string
  /** The folder that the file is in. Remove it when no server runs it. */
  readonly folder: string
}

/** A bundle that somebody runs, and what to call when nobody does any more. */
export interface BundleInUse extends WorkerBundle {
  release(): Promise<void>
}

/**
 * Bundles a worker for one server. A run of tests bundles each worker of the project once, for all its servers; a
 * configuration outside the project belongs to one test, and what it names may change.
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
    // Each start hands the file to workerd: half of it is spaces and licences.
    minifyWhitespace: true,
    legalComments: 'none',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  const modules = [{ type: 'ESModule' as const, path: file }]
  return { options: { ...options, rootPath: folder, modulesRoot: folder, modules }, file, folder }
}
