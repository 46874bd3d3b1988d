import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBrowser } from './browser.ts'
import { startHostSite, type HostSite } from './host-page.ts'
import { Player } from './player.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

interface Closable {
  close(): Promise<unknown>
}

/** The real worker and a Chromium for the tests of one file, with settings of its own. */
export interface Served {
  readonly server: WorkerServer
  readonly browser: Browser
  /** A website that the worker lets in. */
  readonly site: HostSite
  /** Closed when the test at hand has ended, oldest first. */
  closeAfterwards(...opened: Closable[]): void
}

/** Starts both before a file's tests and stops them after. Call it once, at the top of the file. */
export function serveInBrowser(vars: Record<string, string>): Served {
  const opened: Closable[] = []
  let browser: Browser
  let site: HostSite
  beforeAll(async () => {
    site = await startHostSite()
    browser = await startBrowser()
  })
  const worker = serveWorker(() => ({ WALKON_ORIGINS: `self none ${site.origin}`, ...vars }))
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })
  return {
    get server() {
      return worker.server
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

/** The real worker for the tests of one file, and learners who leave when their test has ended. */
export function servePlayers(vars: Record<string, string>): {
  readonly server: WorkerServer
  readonly join: (session: string, auth?: object) => Promise<Player>
} {
  const worker = serveWorker(() => vars)
  const players: Player[] = []
  afterEach(() => {
    for (const player of players.splice(0)) player.leave()
  })
  return {
    get server() {
      return worker.server
    },
    join: async (session, auth = {}) => {
      const player = await Player.join(worker.server, session, auth)
      players.push(player)
      return player
    },
  }
}

function serveWorker(vars: () => Record<string, string>): { readonly server: WorkerServer } {
  let server: WorkerServer
  beforeAll(async () => {
    server = await startWorkerServer({ configPath: 'wrangler.toml', vars: vars() })
  })
  afterAll(() => server.stop())
  return {
    get server() {
      return server
    },
  }
}
