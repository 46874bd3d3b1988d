import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { BrowserServer } from 'playwright-core'
import { type HostSite, startHostSite } from './host-page.ts'
import { type Call, SHARED_ADDRESS, SHARED_FOLDER, type SharedName } from './shared.ts'
import type { WorkerBundle } from './worker-bundle.ts'
import type { WorkerServer, WorkerServerOptions } from './worker-server.ts'

/**
 * Rate limits that a whole run of tests cannot reach: no test may fail because other tests have sent too many requests.
 */
const UNLIMITED = { LIMIT_SESSIONS: 1_000_000, LIMIT_REQUESTS: 1_000_000, LIMIT_ADMIN: 1_000_000 }

/** The shared servers by name. The workers allow requests from the origin `site`, which is an ordinary website. */
const SERVERS = {
  /** The deployed worker with a rehearsal actor that replies without pauses. */
  plain: (site: string) => ({
    configPath: 'wrangler.toml',
    vars: { WALKON_REHEARSAL_PACE_MS: '0', WALKON_ORIGINS: `self none ${site}` },
    rateLimits: UNLIMITED,
  }),
  /** The deployed worker with a slow rehearsal actor, which sends a reply in many pieces. */
  paced: (site: string) => ({
    configPath: 'wrangler.toml',
    vars: { WALKON_REHEARSAL_PACE_MS: '15', WALKON_ORIGINS: `self none ${site}` },
    rateLimits: UNLIMITED,
  }),
  /** The socket engine without the conversations, in an object that sends events back. */
  echo: () => ({ configPath: 'test/worker/socket/wrangler.toml' }),
} satisfies Record<SharedName, (site: string) => WorkerServerOptions>

/** Everything that the test files of a run share. A server is started only when the first test file asks for it. */
class SharedServers {
  readonly #bundles = new Map<string, Promise<WorkerBundle>>()
  readonly #servers = new Map<SharedName, Promise<WorkerServer>>()
  #browser: Promise<BrowserServer> | undefined
  #site: Promise<HostSite> | undefined

  /** The answers to the requests of the test files, by the path of the request. */
  readonly answers: Record<string, (asked: never) => Promise<unknown>> = {
    '/bundle': ({ configPath }: { configPath: string }) => this.#bundle(configPath),
    '/server': async ({ name }: { name: SharedName }) => (await this.#server(name)).url.href,
    '/call': (call: Call) => this.#call(call),
    '/browser': async () => (await this.#chromium()).wsEndpoint(),
    '/site': async () => (await this.#website()).origin,
    '/page': async ({ body, headers }: { body: string; headers?: Record<string, string> }) =>
      (await this.#website()).put(body, headers),
  }

  async close(): Promise<void> {
    const running = await Promise.allSettled(this.#servers.values())
    await Promise.all(running.filter((each) => each.status === 'fulfilled').map((each) => each.value.stop()))
    await this.#browser?.then((browser) => browser.close())
    await this.#site?.then((site) => site.close())
    for (const made of await Promise.allSettled(this.#bundles.values()))
      if (made.status === 'fulfilled') await rm(made.value.folder, { recursive: true, force: true })
  }

  #bundle(configPath: string): Promise<WorkerBundle> {
    const made =
      this.#bundles.get(configPath) ?? import('./worker-bundle.ts').then(({ bundleWorker }) => bundleWorker(configPath))
    this.#bundles.set(configPath, made)
    return made
  }

  #server(name: SharedName): Promise<WorkerServer> {
    const started = this.#servers.get(name) ?? this.#start(name)
    this.#servers.set(name, started)
    return started
  }

  async #start(name: SharedName): Promise<WorkerServer> {
    const { startWorkerServer } = await import('./worker-server.ts')
    return startWorkerServer(SERVERS[name]((await this.#website()).origin))
  }

  async #call(call: Call): Promise<unknown> {
    const server = await this.#server(call.name)
    if (call.method === 'evict') await server.evict(...call.args)
    if (call.method === 'sql') return server.sql(...call.args)
    if (call.method === 'logs') return server.logs()
    return null
  }

  #chromium(): Promise<BrowserServer> {
    this.#browser ??= import('./browser.ts').then(({ launchBrowserServer }) => launchBrowserServer())
    return this.#browser
  }

  #website(): Promise<HostSite> {
    this.#site ??= startHostSite()
    return this.#site
  }
}

/**
 * vitest calls this function once, before all test files. It listens at an address at which test files ask for shared
 * things, and starts nothing else yet.
 *
 * @returns the function that stops everything
 */
export async function setup(): Promise<() => Promise<void>> {
  const shared = new SharedServers()
  const server = createServer((request, response) => {
    answer(shared, request)
      .then((value) => response.end(JSON.stringify({ value })))
      .catch((error: unknown) => response.end(JSON.stringify({ error: String(error) })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[SHARED_ADDRESS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const folder = await mkdtemp(path.join(tmpdir(), 'walkon-test-'))
  process.env[SHARED_FOLDER] = folder
  return async () => {
    await rm(folder, { recursive: true, force: true })
    await shared.close()
    server.closeAllConnections()
    server.close()
  }
}

async function answer({ answers }: SharedServers, request: IncomingMessage): Promise<unknown> {
  const found = answers[request.url ?? '']
  if (!found) throw new Error(`nothing is shared at ${request.url}`)
  return found(JSON.parse(await text(request)) as never)
}
