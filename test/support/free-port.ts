import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The first and the last port of the range from which tests take ports. No operating system gives these ports to a
 * program that asks for any port: Linux gives ports from 32,768 on, and other systems from 49,152 on.
 */
const FIRST = 20_000
const END = 32_000

/**
 * Returns a port of this machine that no process uses. The port is outside the range from which the system gives ports
 * to outgoing connections. Otherwise another process could take the port while a server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
