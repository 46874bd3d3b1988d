import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unstable_startWorker as startWorker } from 'wrangler'
import { copyBuiltConfig } from './built-config.ts'
import { QUICK_LEARNERS } from './quick-learners.ts'
import type { WorkerServerOptions } from './worker-server.ts'

/** A worker as `wrangler dev` runs it. */
export interface DevWorker {
  /** Such as `http://127.0.0.1:43117/`. */
  readonly url: URL
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Everything the worker has logged, one string for each entry. */
  logs(): readonly string[]
  stop(): Promise<void>
}

/**
 * Starts a worker in workerd on a free port whose requests to others are made by workerd's own HTTP client, as in a
 * deployment. wrangler's test harness, which `startWorkerServer` uses, hands them to the `fetch` of Node, and that one
 * understands a broken answer otherwise.
 */
export async function startDevWorker({ configPath, vars = {} }: WorkerServerOptions): Promise<DevWorker> {
  const logged: string[] = []
  const bindings = Object.fromEntries(
    Object.entries({ ...QUICK_LEARNERS, ...vars }).map(([name, value]) => [
      name,
      { type: 'plain_text', value } as const,
    ]),
  )
  const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
  const worker = await startWorker({
    config: await copyBuiltConfig(configPath, folder),
    bindings,
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      logLevel: 'none',
      watch: false,
      persist: false,
      inspector: false,
      structuredLogsHandler: ({ message }: { message: string }) => logged.push(message),
    },
  })
  const url = await worker.url
  return {
    url,
    fetch: (where, init) => fetch(new URL(where, url), init),
    logs: () => logged,
    stop: async () => {
      await worker.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
