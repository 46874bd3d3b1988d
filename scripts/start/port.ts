import { createServer } from 'node:net'

const HIGHEST_PORT = 65_535

/** @throws RangeError if it is not a whole number from 1 to 65535 */
export function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 8787
  const port = /^\d+$/.test(text) ? Number(text) : 0
  if (port < 1 || port > HIGHEST_PORT) throw new RangeError(`PORT must be a whole number from 1 to ${HIGHEST_PORT}.`)
  return port
}

/** Is it free on both families? A browser asks `localhost` on either. A machine without IPv6 counts as free there. */
export async function isPortFree(port: number): Promise<boolean> {
  const taken = await Promise.all(['127.0.0.1', '::1'].map((host) => isTaken(port, host)))
  return !taken.includes(true)
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'),
    )
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}
