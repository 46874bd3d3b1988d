import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWhenStale } from './setup/build-when-stale.mjs'
import { installWhenStale } from './setup/install-when-stale.mjs'
import { ensurePinnedNode } from './setup/pinned-node.mjs'
import { SetupError, run, tail } from './setup/run.mjs'

// Sets up a fresh machine that has only Node 20 and npm. npm runs this script before `start`, `test` and the other
// scripts. The script is plain JavaScript without packages, because no package is installed yet and Node 20 doesn't run
// TypeScript.

const LEAST_NODE = 20

try {
  checkNode()
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
  installWhenStale(root)
  const node = ensurePinnedNode(root)
  // Commands that check scenarios need no build, and a build would fail on a broken scenario.
  if (!process.argv.includes('--no-build')) buildWhenStale(root, node)
  if (process.argv.includes('--browser')) findBrowser(root, node)
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
 * Finds a Chromium for the tests, or installs one.
 *
 * @param {string} root
 * @param {string} node the path of the pinned Node
 */
function findBrowser(root, node) {
  const found = run(node, ['scripts/chromium.ts'], { cwd: root })
  if (!found.ok) throw new SetupError(`there is no Chromium for the tests.\n\n${tail(found.output, 40)}`)
  console.log(found.output.trimEnd())
}
