import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WRANGLER = path.join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
const QUIET = { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NO_COLOR: '1' }

/**
 * A worker whose storage is on disk and whose processes can be killed as a power cut kills them: with SIGKILL, workerd and
 * all, and nothing flushed. It comes back on the same port, with the same storage.
 */
export class KillableServer {
  readonly url: URL
  readonly #config: string
  readonly #folder: string
  #process: ChildProcess | null = null

  private constructor(url: URL, config: string, folder: string) {
    this.url = url
    this.#config = config
    this.#folder = folder
  }

  /** Starts one with empty storage. `config` is the worker's, from the project's root. Stop it, or it stays. */
  static async start(config: string, vars: Record<string, string>): Promise<KillableServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
    // wrangler writes beside its configuration, and whoever is killed clears nothing up.
    const text = await readFile(path.join(ROOT, config), 'utf8')
    const copy = path.join(folder, 'wrangler.toml')
    const main = (file: string) => JSON.stringify(path.resolve(ROOT, path.dirname(config), file))
    await writeFile(
      copy,
      text.replace(/^main = "(.*)"$/m, (_, file: string) => `main = ${main(file)}`),
    )
    const server = new KillableServer(new URL(`http://127.0.0.1:${await freePort()}/`), copy, folder)
    await server.resume(vars)
    return server
  }

  fetch(where: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(where, this.url), init)
  }

  /** Kills everything, at once. Resolves when it is dead. */
  async kill(): Promise<void> {
    const dying = this.#process
    if (!dying?.pid) throw new Error('there is nothing to kill')
    this.#process = null
    const dead = once(dying, 'exit')
    // Its group: wrangler, esbuild and workerd.
    process.kill(-dying.pid, 'SIGKILL')
    await dead
  }

  /** Starts it anew, on what the last one has left. Resolves when it listens. */
  async resume(vars: Record<string, string>): Promise<void> {
    // Secrets go by a file: everybody on a machine can read command lines.
    const envFile = path.join(this.#folder, 'vars.env')
    await writeFile(
      envFile,
      Object.entries(vars)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
      { mode: 0o600 },
    )
    const where = ['--ip', this.url.hostname, '--port', this.url.port, '--inspector-port', '0']
    const kept = ['--local', '--persist-to', path.join(this.#folder, 'state'), '--env-file', envFile]
    const child = spawn(
      process.execPath,
      [WRANGLER, 'dev', '--config', this.#config, '--show-interactive-dev-session=false', ...where, ...kept],
      { cwd: ROOT, env: { ...process.env, ...QUIET }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    )
    this.#process = child
    await listening(child)
  }

  async stop(): Promise<void> {
    if (this.#process) await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** @throws with what it printed, when it ends before it listens. */
function listening(child: ChildProcess): Promise<void> {
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer) => {
      said.push(String(text))
      if (said.join('').includes('Ready on http')) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(`the server ended before it listened:\n${said.join('')}`)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
