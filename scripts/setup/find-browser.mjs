import { run, tail } from './run.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Finds a Chromium for the tests, or brings one.
 *
 * @param {string} root
 * @param {string} node the pinned Node
 */
export function findBrowser(root, node) {
  const found = run(node, ['scripts/find-chromium.ts'], { cwd: root })
  if (!found.ok) throw new SetupError(`there is no Chromium for the tests.\n\n${tail(found.output, 40)}`)
  console.log(found.output.trimEnd())
}
