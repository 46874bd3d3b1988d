import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import type { ScriptResult, ScriptRun } from './script-host.ts'

/**
 * Returns a function that runs one of the project's scripts, as `node SCRIPT …` does. The given lines are the script's
 * input. All runs of a test file use the same process, one after the other.
 */
export function scriptRunner(script: string) {
  let host: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  afterAll(() => void host?.kill())

  const run = async (asked: ScriptRun): Promise<ScriptResult> => {
    host ??= fork(new URL('script-host.ts', import.meta.url), { env: { ...process.env, NO_COLOR: '1' }, execArgv: [] })
    host.send(asked)
    const [result] = (await once(host, 'message')) as [ScriptResult]
    return result
  }
  return (args: readonly string[], lines: readonly string[] = []): Promise<ScriptResult> => {
    const next = last.then(() => run({ script, args, input: lines.join('\n') }))
    last = next
    return next
  }
}
