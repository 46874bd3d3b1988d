import { spawnSync } from 'node:child_process'

/**
 * Runs a program to its end and keeps what it says, since a set-up that goes well should be quiet.
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

/** The last lines of a long output. @param {string} output */
export function tail(output, lines = 25) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
