import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBrowser } from './browser.ts'
import { Player } from './player.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

interface Closable {
  close(): Promise<unknown>
}

/** The real worker and a Chromium for the tests of one file, with settings of its own. */
export interface Served {
  readonly server: WorkerServer
  readonly browser: Browser
  /** Closed when the test at hand has ended, oldest first. */
  closeAfterwards(...opened: Closable[]): void
}

/** Starts both before a file's tests and stops them after. Call it once, at the top of the file. */
export function serveInBrowser(vars: Record<string, string>): Served {
  const worker = serveWorker(vars)
  const opened: Closable[] = []
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
  })
  afterAll(() => browser.close())
  return {
    get server() {
      return worker.server
    },
    get browser() {
      return browser
    },
    closeAfterwards: (...more) => void opened.push(...more),
  }
}

/** The real worker for the tests of one file, and learners who leave when their test has ended. */
export function servePlayers(vars: Record<string, string>): {
  readonly server: WorkerServer
  readonly join: (session: string, auth?: object) => Promise<Player>
} {
  const worker = serveWorker(vars)
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

function serveWorker(vars: Record<string, string>): { readonly server: WorkerServer } {
  let server: WorkerServer
  beforeAll(async () => {
    server = await startWorkerServer({ configPath: 'wrangler.toml', vars })
  })
  afterAll(() => server.stop())
  return {
    get server() {
      return server
    },
  }
}
