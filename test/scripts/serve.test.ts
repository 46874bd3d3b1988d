import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isPortFree } from '../../scripts/start/settings.ts'
import { freePort } from '../support/free-port.ts'
import { IS_LONG } from '../support/runs.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The configuration of a small worker, which needs no build. */
const WORKER = path.join(ROOT, 'test/worker/socket/wrangler.toml')

const folder = mkdtempSync(path.join(tmpdir(), 'walkon serve '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('npm start', { timeout: 180_000 }, () => {
  it('[setup-8] [setup-9] prints one address, and Ctrl-C ends the server and all it started', async () => {
    const port = await freePort()
    const server = serve(port, WORKER)
    await server.says(`http://localhost:${port}`)
    expect(server.output().match(/http:\/\//g)).toHaveLength(1)
    expect(await isPortFree(port)).toBe(false)
    server.process.kill('SIGINT')
    expect(await server.ended).toBe(0)
    // The server has exited, but its last child process may need a moment to end.
    await expect.poll(() => isPortFree(port), { timeout: 20_000 }).toBe(true)
  })

  it.runIf(IS_LONG)('[setup-9] a server that ends by itself is told with an exit code that is not 0', async () => {
    const server = serve(await freePort(), path.join(folder, 'nothing.toml'))
    expect(await server.ended).not.toBe(0)
    expect(server.output()).toContain('The server ended by itself')
  })

  it('[setup-6] a port that is taken is an error that names it', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const server = serve(port, WORKER)
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`Port ${port} is taken`)
    await new Promise((resolve) => other.close(resolve))
  })
})

/**
 * Runs `scripts/start.ts` with another worker. `says` waits for a text in the output, and `ended` for the exit code.
 */
function serve(port: number, config: string) {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/start.ts'), config], {
    env: { ...process.env, PORT: String(port) },
  })
  let output = ''
  let heard = Promise.withResolvers<void>()
  const hear = (text: string) => {
    output += text
    heard.resolve()
    heard = Promise.withResolvers()
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const says = async (text: string) => {
    while (!output.includes(text)) await Promise.race([heard.promise, ended.then(() => fail(output))])
  }
  return { process: child, ended, says, output: () => output }
}

function fail(output: string): never {
  throw new Error(`it ended before it said so:\n${output}`)
}
