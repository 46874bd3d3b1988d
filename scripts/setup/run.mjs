import { spawnSync } from 'node:child_process'
import path from 'node:path'

/**
 * Runs a program to its end and keeps its output, so that a successful setup is quiet.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 * @returns {{ ok: boolean, output: string }} `output` is stdout and stderr
 */
export function run(command, args, options) {
  const done = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${done.stdout ?? ''}${done.stderr ?? ''}${done.error === undefined ? '' : String(done.error)}`
  return { ok: done.status === 0, output }
}

/**
 * Returns the last lines of a long output.
 *
 * @param {string} output
 */
export function tail(output, lines = 25) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}

/** Thrown if a step of the setup failed and a person can repair the cause. The message tells how. */
export class SetupError extends Error {
  name = 'SetupError'
}

/**
 * Runs npm with the machine's own Node instead of the pinned Node. An install deletes `node_modules`, which contains
 * the pinned Node. npm puts the pinned Node first on the PATH of every script, so an install would delete the program
 * that runs npm.
 *
 * npm always logs errors here, even under `npm run -s`, because the setup shows the last lines of the log.
 *
 * @param {string} root
 * @param {string[]} args
 */
export function npm(root, args) {
  const inside = path.join(root, 'node_modules') + path.sep
  const entries = (process.env.PATH ?? '').split(path.delimiter)
  const PATH = entries.filter((entry) => !`${path.resolve(entry)}${path.sep}`.startsWith(inside)).join(path.delimiter)
  // On Windows npm is a .cmd file, which only a shell can start.
  const env = { ...process.env, PATH, npm_config_loglevel: 'notice' }
  return run('npm', args, { cwd: root, env, shell: process.platform === 'win32' })
}
