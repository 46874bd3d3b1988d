import path from 'node:path'
import { run } from './run.mjs'

/**
 * Runs npm with the machine's own Node. An install removes `node_modules`, and with it the pinned Node: whatever
 * would run from there (npm puts it first on the path of every script) would saw off the branch it sits on.
 *
 * @param {string} root
 * @param {string[]} args
 */
export function npm(root, args) {
  const inside = path.join(root, 'node_modules') + path.sep
  const entries = (process.env.PATH ?? '').split(path.delimiter)
  const PATH = entries.filter((entry) => !`${path.resolve(entry)}${path.sep}`.startsWith(inside)).join(path.delimiter)
  // On Windows npm is a .cmd, which only a shell starts.
  return run('npm', args, { cwd: root, env: { ...process.env, PATH }, shell: process.platform === 'win32' })
}
