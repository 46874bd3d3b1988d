import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions, NoOpLog, Response as Answer } from 'miniflare'
import { QUICK_LEARNERS } from './quick-learners.ts'
import { type BundleInUse, codeOf, useBundle } from './worker-bundle.ts'

/** A Durable Object, by its class and its name. */
export interface ObjectName {
  className: string
  name: string
}

/** A Durable Object, by its class and by the id that the platform made for it. */
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
  /** The path of the worker's wrangler configuration, from the project's root or absolute. */
  configPath: string
  vars?: Record<string, string>
  /** How many requests of one client each rate limit allows. The key is the name of the limit's binding. */
  rateLimits?: Record<string, number>
}

/** The name of the worker in the runtime. The server has no other worker. */
const NAME = 'worker'

/**
 * Starts a worker in workerd on a free port. As in production, clients reach the worker over TCP. Its storage is empty
 * at first and is removed with the server. The caller must stop the server, because otherwise the test process does not
 * end.
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
  /** The server's address, such as `http://127.0.0.1:43117/`. */
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

  /** Sends an HTTP request to the worker. `path` is relative to the worker's root. */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(path, this.url), init)
  }

  /**
   * Removes a running object from memory, as the platform does after ten idle seconds. The object keeps its storage and
   * its sockets. With `webSockets: 'close'` it loses the sockets too. The call waits until the object has no work, so
   * it cannot interrupt a reply.
   */
  evict(
    { className, ...object }: ObjectName | ObjectId,
    webSockets: 'hibernate' | 'close' = 'hibernate',
  ): Promise<void> {
    return this.#miniflare.unsafeEvictDurableObject(NAME, className, { ...object, webSockets })
  }

  /** Returns rows of an object's own database. The call wakes the object. */
  async sql({ className, ...object }: ObjectName | ObjectId, query: string, ...bindings: string[]): Promise<unknown[]> {
    const storage = await this.#miniflare.unsafeGetDurableObjectStorage(NAME, className, object)
    return storage.exec(query, ...bindings)
  }

  /** Returns the chain's own database, so that a test can read and write it directly. */
  async database(): Promise<Database> {
    const { DB } = await this.#miniflare.getBindings<{ DB: Database }>()
    return DB
  }

  /**
   * Deploys the worker again, now with `vars`. Every object restarts, and every socket closes (code 1006). The storage
   * stays.
   */
  async redeploy(vars: Record<string, string> = {}): Promise<void> {
    const before = this.#running
    const bundle = await useBundle(before.configPath)
    this.#running = { ...before, bundle, vars: { ...before.vars, ...vars } }
    await this.#miniflare.setOptions(optionsOf(this.#running, this.#logged))
    await this.#miniflare.ready
    await before.bundle.release()
  }

  /** Returns everything that the worker has logged, one string for each entry. */
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
    unsafeModuleFallbackService: async () => new Answer(await codeOf(bundle)),
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
