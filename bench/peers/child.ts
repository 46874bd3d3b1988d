import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { now } from './numbers.ts'

/** A process that serves HTTP on a port of 127.0.0.1. */
export interface Child {
  readonly pid: number
  readonly url: URL
  /** The time from the start of the process to its first answer, in milliseconds. */
  readonly coldMs: number
  stop(): Promise<void>
}

/** How long a process may take until it tells its port, in milliseconds. */
const START_MS = 20_000

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/**
 * Starts a process that tells its port as JSON, as `{"port":…}`, and asks it for an answer.
 *
 * @param tells the number of the file descriptor on which the process tells its port
 */
export async function startChild(
  command: string,
  args: readonly string[],
  { env = {}, tells = 1 }: { readonly env?: Record<string, string>; readonly tells?: number } = {},
): Promise<Child> {
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(tells === 3 ? ['pipe' as const] : [])]
  const from = now()
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (more: Buffer) => {
      said = (said + String(more)).slice(-4_000)
      if (process.env['PEERS_DEBUG']) process.stderr.write(more)
    })
  const told = child.stdio[tells]
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`${command} ${why}:\n${said}`))
    }
    const timer = setTimeout(() => fail('did not start in time'), START_MS)
    child.once('error', (error) => fail(error.message))
    child.once('exit', () => setTimeout(() => fail('ended at once'), 100))
    let text = ''
    told?.on('data', (more: Buffer) => {
      const found = /"port":\s*(\d+)/.exec((text += String(more)))
      if (!found) return
      clearTimeout(timer)
      resolve(Number(found[1]))
    })
  })
  const url = new URL(`http://127.0.0.1:${port}/`)
  await (await fetch(new URL('api/nothing', url))).arrayBuffer()
  const coldMs = now() - from
  if (child.pid === undefined) throw new Error(`${command} has no process`)
  return {
    pid: child.pid,
    url,
    coldMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
