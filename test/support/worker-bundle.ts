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
    // Each start of a server passes the whole file to workerd. Without this setting, half of the file would be white
    // space and licences.
    minifyWhitespace: true,
    legalComments: 'none',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  const modules = [{ type: 'ESModule' as const, path: file }]
  return { options: { ...options, rootPath: folder, modulesRoot: folder, modules }, file, folder }
}
