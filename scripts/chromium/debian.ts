import { existsSync } from 'node:fs'
import { runQuietly } from './run-quietly.ts'
import { argsForThisUser } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const PROGRAM = '/usr/bin/chromium'

/** Debian's package, where we may install it. */
export const debianChromium: Strategy = {
  name: "Debian's chromium",
  async offer({ env }) {
    if (process.getuid?.() !== 0) return { candidates: [], otherwise: 'only root may install it' }
    if (!existsSync('/usr/bin/apt-get')) return { candidates: [], otherwise: 'there is no apt-get' }
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 600_000 }
    const updated = await runQuietly('apt-get', ['update'], quiet)
    if (!updated.ok) return { candidates: [], otherwise: `apt-get update failed: ${updated.trouble}` }
    const installed = await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
    if (!installed.ok) return { candidates: [], otherwise: `apt-get install chromium failed: ${installed.trouble}` }
    return { candidates: [{ path: PROGRAM, args: argsForThisUser(), env: {}, source: 'Debian' }], otherwise: '' }
  },
}
