import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Where systems take none of their own: Linux's own begin at 32,768, those of others at 49,152. */
const FIRST = 20_000
const END = 32_000

/**
 * A port of this machine that nobody listens at, and that nobody is given who asks the system for just any: an outgoing
 * connection of another process would be in the way of a server that comes back to its port.
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
