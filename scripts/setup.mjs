import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildWhenStale } from './setup/build-when-stale.mjs'
import { installWhenStale } from './setup/install-when-stale.mjs'
import { ensurePinnedNode } from './setup/pinned-node.mjs'
import { SetupError, tail } from './setup/run.mjs'

// Sets up a fresh machine that has only Node (20 or later) and npm. npm runs this script before `start`, `test` and the
// other scripts. The script is plain JavaScript without packages, because no package is installed yet and Node 20
// doesn't run TypeScript.

const LEAST_NODE = 20

try {
  checkNode()
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
  installWhenStale(root)
  const node = ensurePinnedNode(root)
  // The search for a browser and the build run at the same time, because each of them keeps only one core busy.
  const browser = process.argv.includes('--browser') ? findBrowser(root, node) : null
  // Commands that check scenarios need no build, and a build would fail on a broken scenario.
  if (!process.argv.includes('--no-build')) buildWhenStale(root, node)
  if (browser) await reportBrowser(browser)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(`\nWalkon could not be set up: ${error.message}`)
  process.exitCode = 1
}

function checkNode() {
  if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE) return
  throw new SetupError(
    `it needs Node ${LEAST_NODE} or later to begin with, and this is ${process.versions.node} (${process.execPath}).`,
  )
}

/**
 * Finds a Chromium for the tests, or installs one, in a process of its own.
 *
 * @param {string} root
 * @param {string} node the path of the pinned Node
 */
function findBrowser(root, node) {
  const search = spawn(node, ['scripts/chromium.ts'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  return Promise.all([text(search.stdout), text(search.stderr), once(search, 'close')])
}

/** @param {ReturnType<typeof findBrowser>} search */
async function reportBrowser(search) {
  const [out, err, [code]] = await search
  if (code !== 0) throw new SetupError(`there is no Chromium for the tests.\n\n${tail(out + err, 40)}`)
  console.log(out.trimEnd())
}
