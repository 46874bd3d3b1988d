import { execFile } from 'node:child_process'

export interface ProgramResult {
  readonly ok: boolean
  readonly stdout: string
  /** The failure in a few lines; empty if the program succeeded. */
  readonly trouble: string
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly cwd?: string
}

/**
 * Runs a program to its end, or kills it after `timeoutMs`. Never throws. If the program does not exist, `ok` is false.
 */
export function runQuietly(
  file: string,
  args: readonly string[],
  { env, timeoutMs, cwd }: RunOptions,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = {
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: 32 * 1024 * 1024,
      ...(cwd === undefined ? {} : { cwd }),
    } as const
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, trouble: error === null ? '' : troubleOf(error.message, stderr) })
    })
  })
}

function troubleOf(message: string, stderr: string): string {
  const last = stderr.trim().split('\n').slice(-3).join(' / ')
  return last === '' ? (message.split('\n')[0] ?? message) : last
}
