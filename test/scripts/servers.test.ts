import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Matches calls of the functions in test/support that start a server for one file only. */
const STARTS =
  /\b(?:startWorkerServer|startDevWorker|TempDeployment\.create|KillableServer\.start)\(|\b(?:serveInBrowser|servePlayers)\((?=[^')])/

/**
 * How many files of each folder may start their own server. Lower the number when a file begins to use a shared server.
 */
const FILES: Readonly<Record<string, number>> = { conversations: 37, e2e: 14, socket: 13 }

it.each(Object.entries(FILES))(
  '[setup-15] in test/%s, at most %i files start a server of their own',
  (folder, count) => {
    const files = globSync(`test/${folder}/**/*.test.ts`, { cwd: ROOT })
    const starting = files.filter((file) => STARTS.test(readFileSync(path.join(ROOT, file), 'utf8')))
    expect(starting.length).toBeLessThanOrEqual(count)
  },
)
