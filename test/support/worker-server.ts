import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions, NoOpLog } from 'miniflare'
import { QUICK_LEARNERS } from './quick-learners.ts'
import { type BundleInUse, useBundle } from './worker-bundle.ts'

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

/** The part of D1 that tests use. */
export interface Database {
  prepare(sql: string): Prepared
  batch(statements: readonly Prepared[]): Promise<unknown>
}

export interface Prepared {
  bind(...values: readonly (string | number | null)[]): Prepared
  all<T>(): Promise<{ readonly results: readonly T[] }>
}

export interface WorkerServerOptions {
  /** The worker's wrangler configuration, relative to the project's root or absolute. */
  configPath: string
  vars?: Record<string, string>
  /** The limits of requests per client, by the name of the rate limiting binding. */
  rateLimits?: Record<string, number>
}

/** The name of the server's only worker in the runtime. */
const NAME = 'worker'

/**
 * Starts a worker in workerd on a free port, reached over TCP as in production. Its storage starts empty and is removed
 * with the server. The caller stops it; otherwise the test process does not end.
 */
export async function startWorkerServer({
  configPath,
  vars = {},
  rateLimits = {},
}: WorkerServerOptions): Promise<WorkerServer> {
  const bundle = await useBundle(configPath)
  return WorkerServer.start({ configPath, bundle, vars: { ...QUICK_LEARNERS, ...vars }, rateLimits })
}

interface Running {
  readonly configPath: string
  readonly bundle: BundleInUse
  readonly vars: Record<string, string>
  readonly rateLimits: Record<string, number>
}

export class WorkerServer {
  /** For example `http://127.0.0.1:43117/`. */
  readonly url: URL
  readonly #miniflare: Miniflare
  readonly #logged: string[]
  #running: Running

  private constructor(url: URL, miniflare: Miniflare, logged: string[], running: Running) {
    this.url = url
    this.#miniflare = miniflare
    this.#logged = logged
    this.#running = running
  }

  static async start(running: Running): Promise<WorkerServer> {
    const logged: string[] = []
    const miniflare = new Miniflare(optionsOf(running, logged))
    return new WorkerServer(await miniflare.ready, miniflare, logged, running)
  }

  /** Sends an HTTP request to the worker; `path` is relative to its root. */
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
    return this.#miniflare.unsafeEvictDurableObject(NAME, className, { ...object, webSockets })
  }

  /** Returns rows of an object's own database. Wakes the object. */
  async sql({ className, ...object }: ObjectName | ObjectId, query: string, ...bindings: string[]): Promise<unknown[]> {
    const storage = await this.#miniflare.unsafeGetDurableObjectStorage(NAME, className, object)
    return storage.exec(query, ...bindings)
  }

  /** Returns the chain's own database for direct access. */
  async database(): Promise<Database> {
    const { DB } = await this.#miniflare.getBindings<{ DB: Database }>()
    return DB
  }

  /** Redeploys the worker: every object restarts and every socket drops (1006). The storage stays; `vars` change. */
  async redeploy(vars: Record<string, string> = {}): Promise<void> {
    const before = this.#running
    const bundle = await useBundle(before.configPath)
    this.#running = { ...before, bundle, vars: { ...before.vars, ...vars } }
    await this.#miniflare.setOptions(optionsOf(this.#running, this.#logged))
    await this.#miniflare.ready
    await before.bundle.release()
  }

  /** Everything the worker has logged, one string for each entry. */
  logs(): string[] {
    return [...this.#logged]
  }

  async stop(): Promise<void> {
    await this.#miniflare.dispose()
    await this.#running.bundle.release()
  }
}

function optionsOf({ bundle, vars, rateLimits }: Running, logged: string[]): MiniflareOptions {
  const { options } = bundle
  const limits = Object.entries(options.ratelimits ?? {}).map(([name, { simple, ...rest }]) => [
    name,
    { ...rest, simple: { ...simple, limit: rateLimits[name] ?? simple.limit } },
  ])
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    unsafeInspectDurableObjects: true,
    log: new NoOpLog(),
    handleStructuredLogs: ({ message }) => logged.push(message),
    workers: [
      {
        ...options,
        name: NAME,
        bindings: { ...options.bindings, ...vars },
        ratelimits: Object.fromEntries(limits),
      },
    ],
  })
}
