import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { npm, run, tail, SetupError } from './run.mjs'

/**
 * Returns the Node that package.json pins, from the npm package `node`. The package's install script fetches the
 * binary. This function runs the install script itself, because npm may be set to run no install scripts
 * (`ignore-scripts`).
 *
 * @param {string} root
 * @returns {string} the path of the binary
 */
export function ensurePinnedNode(root) {
  const wanted = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).devDependencies.node
  const home = path.join(root, 'node_modules', 'node')
  const node = path.join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const link = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(link) && versionOf(node, home) === wanted) return node

  console.log(`Fetching Node ${wanted} …`)
  const fetched = run(process.execPath, ['installArchSpecificPackage.js'], { cwd: home })
  const found = versionOf(node, home)
  // npm links a program only if the program exists at the install. Without the link, npm runs the project's scripts
  // with another Node.
  const linked = npm(root, ['rebuild', 'node', '--ignore-scripts'])
  if (found === wanted && existsSync(link)) return node
  throw new SetupError(
    `Node ${wanted} should stand in node_modules/node, but there is ${found ?? 'none'}${existsSync(link) ? '' : ', and no link to it'}. ` +
      `Is this platform (${process.platform} ${process.arch}) one Node is built for?\n\n${tail(fetched.output + linked.output)}`,
  )
}

/** @param {string} node @param {string} cwd */
function versionOf(node, cwd) {
  if (!existsSync(node)) return undefined
  const asked = run(node, ['--version'], { cwd })
  return asked.ok ? asked.output.trim().replace(/^v/, '') : undefined
}
