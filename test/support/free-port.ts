import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The limits of a range of ports that no operating system gives to a program unasked. Linux gives ports from 32,768 on,
 * other systems from 49,152 on.
 */
const FIRST = 20_000
const END = 32_000

/**
 * Returns a port of this machine on which no process listens, outside the range from which the system assigns ports. A
 * port inside that range could be taken by an outgoing connection of another process while a server restarts.
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
