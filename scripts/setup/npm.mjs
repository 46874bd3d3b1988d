import path from 'node:path'
import { run } from './run.mjs'

/**
 * Runs npm with the machine's own Node. An install removes `node_modules`, and with it the pinned Node: whatever
 * would run from there (npm puts it first on the path of every script) would saw off the branch it sits on.
 *
 * It says what goes wrong however silent the npm is that called us (`npm run -s`): its last words are read.
 *
 * @param {string} root
 * @param {string[]} args
 */
export function npm(root, args) {
  const inside = path.join(root, 'node_modules') + path.sep
  const entries = (process.env.PATH ?? '').split(path.delimiter)
  const PATH = entries.filter((entry) => !`${path.resolve(entry)}${path.sep}`.startsWith(inside)).join(path.delimiter)
  // On Windows npm is a .cmd, which only a shell starts.
  const env = { ...process.env, PATH, npm_config_loglevel: 'notice' }
  return run('npm', args, { cwd: root, env, shell: process.platform === 'win32' })
}
