import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestHarness } from 'wrangler'
import type { TestHarness } from 'wrangler'
import { copyBuiltConfig } from './built-config.ts'
import { QUICK_LEARNERS } from './quick-learners.ts'

/** A Durable Object, by its class and its name. */
export interface ObjectName {
  className: string
  name: string
}

/** A Durable Object, by its class and the id the platform made for it. */
export interface ObjectId {
  className: string
  id: string
}

/** What tests ask of D1. */
export interface Database {
  prepare(sql: string): Prepared
  batch(statements: readonly Prepared[]): Promise<unknown>
}

export interface Prepared {
  bind(...values: readonly (string | number | null)[]): Prepared
  all<T>(): Promise<{ readonly results: readonly T[] }>
}

export interface WorkerServerOptions {
  /** The worker's wrangler configuration, from the project's root, wherever this is run. */
  configPath: string
  vars?: Record<string, string>
}

/**
 * Starts a worker in workerd on a free port, as the outside world sees it: over TCP. Storage is in memory and starts
 * empty. Stop it, or the test process does not end.
 */
export async function startWorkerServer({ configPath, vars = {} }: WorkerServerOptions): Promise<WorkerServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
  const worker = { configPath: await copyBuiltConfig(configPath, folder), vars: { ...QUICK_LEARNERS, ...vars } }
  const harness = createTestHarness({ workers: [worker] })
  const { url } = await harness.listen()
  return new WorkerServer(harness, url, folder)
}

export class WorkerServer {
  /** Such as `http://127.0.0.1:43117/`. */
  readonly url: URL
  readonly #harness: TestHarness
  readonly #folder: string

  /** @param folder where its configuration is, which goes with it */
  constructor(harness: TestHarness, url: URL, folder: string) {
    this.#harness = harness
    this.#folder = folder
    this.url = url
  }

  /** Asks the worker over HTTP; `path` is relative to its root. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(path, this.url), init)
  }

  /**
   * Puts a running object to sleep as the platform does after ten idle seconds: memory is lost, storage and sockets
   * stay. With `webSockets: 'close'` the sockets go too. Waits for running work, so it cannot interrupt a reply.
   */
  evict(
    { className, ...object }: ObjectName | ObjectId,
    webSockets: 'hibernate' | 'close' = 'hibernate',
  ): Promise<void> {
    return this.#harness.getWorker().evictDurableObject(className, { ...object, webSockets })
  }

  /** Rows of an object's own database. Wakes the object. */
  async sql({ className, ...object }: ObjectName | ObjectId, query: string, ...bindings: string[]): Promise<unknown[]> {
    const storage = await this.#harness.getWorker().getDurableObjectStorage(className, object)
    return storage.exec(query, ...bindings)
  }

  /** The chain's own database, past the worker. */
  async database(): Promise<Database> {
    const { DB } = await this.#harness.getWorker<{ DB: Database }>().getEnv()
    return DB
  }

  /** What a deploy does: every object starts anew and every socket drops (1006). Storage stays; `vars` change. */
  redeploy(vars: Record<string, string> = {}): Promise<void> {
    return this.#harness.update((options) => ({
      ...options,
      workers: options.workers.map((worker) =>
        'configPath' in worker ? { ...worker, vars: { ...worker.vars, ...vars } } : worker,
      ),
    }))
  }

  /** Everything the worker has logged, one string for each entry. */
  logs(): string[] {
    return this.#harness.getLogs().map((entry) => entry.message)
  }

  async stop(): Promise<void> {
    await this.#harness.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
