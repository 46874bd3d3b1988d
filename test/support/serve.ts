import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { connectBrowser } from './browser.ts'
import { Player } from './player.ts'
import { askShared, type SharedName, SharedServer } from './shared.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

interface Closable {
  close(): Promise<unknown>
}

interface Site {
  readonly origin: string
  /** Publishes a page with the given body and headers, and returns the page's address. */
  put(body: string, headers?: Record<string, string>): Promise<string>
}

interface Served<Server> {
  readonly server: Server
  readonly browser: Browser
  readonly site: Site
  /** Closes the given objects after the current test, oldest first. */
  closeAfterwards(...opened: Closable[]): void
}

/**
 * Gives the tests of one file a browser page and a server. The browser is shared by the whole run of tests. The server
 * is shared too, unless the file passes its own settings: then a server is started for this file only. A file calls
 * this function once, at its top.
 */
export function serveInBrowser(shared?: SharedName): Served<SharedServer>
export function serveInBrowser(vars: Record<string, string>): Served<WorkerServer>
export function serveInBrowser(
  settings: SharedName | Record<string, string> = 'plain',
): Served<SharedServer | WorkerServer> {
  const opened: Closable[] = []
  let browser: Browser
  let site: Site
  let server: SharedServer | WorkerServer
  beforeAll(async () => {
    const origin = await askShared<string>('site')
    site = { origin, put: (body, headers) => askShared('page', { body, headers }) }
    browser = await connectBrowser()
    const vars = { WALKON_ORIGINS: `self none ${origin}` }
    server =
      typeof settings === 'string'
        ? await SharedServer.open(settings)
        : await startWorkerServer({ configPath: 'wrangler.toml', vars: { ...vars, ...settings } })
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
  afterAll(async () => {
    await browser.close()
    if ('stop' in server) await server.stop()
  })
  return {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    get site() {
      return site
    },
    closeAfterwards: (...more) => void opened.push(...more),
  }
}

interface ServedPlayers<Server> {
  readonly server: Server
  readonly join: (session: string, auth?: object) => Promise<Player>
}

/**
 * Gives the tests of one file a real worker: a shared one, or one with settings of its own, for this file only. After
 * each test, all players of this test leave.
 */
export function servePlayers(shared: SharedName): ServedPlayers<SharedServer>
export function servePlayers(vars: Record<string, string>): ServedPlayers<WorkerServer>
export function servePlayers(
  settings: SharedName | Record<string, string>,
): ServedPlayers<SharedServer | WorkerServer> {
  let server: SharedServer | WorkerServer
  beforeAll(async () => {
    server =
      typeof settings === 'string'
        ? await SharedServer.open(settings)
        : await startWorkerServer({ configPath: 'wrangler.toml', vars: settings })
  })
  afterAll(async () => {
    if ('stop' in server) await server.stop()
  })
  const players: Player[] = []
  afterEach(() => {
    for (const player of players.splice(0)) player.leave()
  })
  return {
    get server() {
      return server
    },
    join: async (session, auth = {}) => {
      const player = await Player.join(server, session, auth)
      players.push(player)
      return player
    },
  }
}
