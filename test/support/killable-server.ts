import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { copyBuiltConfig } from './built-config.ts'
import { freePort } from './free-port.ts'
import { QUICK_LEARNERS } from './quick-learners.ts'
import { type BundleInUse, useBundle } from './worker-bundle.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WRANGLER = path.join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
/** The path of the program workerd, in the version that wrangler itself runs. */
const { default: WORKERD } = createRequire(WRANGLER)('workerd') as { default: string }
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  NO_COLOR: '1',
}

/** The time between two looks at whether a process is running, in milliseconds. */
const LOOK_MS = 10
/**
 * How long a request waits for its response, in milliseconds. If the worker is dead, the proxy in front of it never
 * responds.
 */
const ANSWER_MS = 2_000
/** How long a worker may take until it answers again, in milliseconds. A busy machine needs long. */
const RETURN_MS = 60_000
/**
 * wrangler prints this text when it cannot restart the worker. wrangler wants to reuse the ports that the old workerd
 * had. Another process may have taken such a port for an outgoing connection.
 */
const GAVE_UP = 'failed to restart after an unexpected crash'

interface Files {
  readonly copy: string
  readonly bundle: BundleInUse
  readonly folder: string
  readonly state: string
}

/**
 * A worker with its storage on disk. A test can kill it as a power cut does: SIGKILL ends the processes, workerd too,
 * and nothing is flushed. Afterwards the worker runs again on the same port and with the same storage.
 */
export class KillableServer {
  readonly url: URL
  readonly state: string
  readonly #bundle: BundleInUse
  readonly #config: string
  readonly #folder: string
  readonly #workerd: string
  #process: ChildProcess | null = null
  #vars: Record<string, string> = {}
  /** Null unless wrangler has failed to restart the worker. Then it resolves when everything runs again. */
  #return: Promise<void> | null = null

  private constructor(url: URL, { copy, bundle, folder, state }: Files) {
    this.url = url
    this.state = state
    this.#bundle = bundle
    this.#config = copy
    this.#folder = folder
    this.#workerd = path.join(folder, 'workerd.sh')
  }

  /**
   * Starts a server. Its storage is the folder `state`, or is empty. `config` is the path of the worker's configuration
   * from the project's root. The caller stops the server. A folder that the caller has passed as `state` remains.
   */
  static async start(config: string, vars: Record<string, string>, state?: string): Promise<KillableServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
    const bundle = await useBundle(config)
    const copy = await copyBuiltConfig(config, folder, bundle.file)
    const own = path.join(folder, 'state')
    await mkdir(own)
    // A test may limit the size of files (`prlimit --fsize`). A write beyond the limit must fail as on a full disk.
    // Without the `trap`, the write would end the process.
    await writeFile(path.join(folder, 'workerd.sh'), `#!/bin/sh\ntrap '' XFSZ\nexec '${WORKERD}' "$@"\n`, {
      mode: 0o700,
    })
    const server = new KillableServer(new URL(`http://127.0.0.1:${await freePort()}/`), {
      copy,
      bundle,
      folder,
      state: state ?? own,
    })
    await server.resume(vars)
    return server
  }

  fetch(where: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(where, this.url), init)
  }

  /** Kills all processes at once. Resolves when they are dead. */
  async kill(): Promise<void> {
    await this.#return
    await this.#killAll()
  }

  async #killAll(): Promise<void> {
    const dying = this.#process
    if (!dying?.pid) throw new Error('there is nothing to kill')
    this.#process = null
    const dead = once(dying, 'exit')
    // Kills the whole process group: wrangler, esbuild and workerd.
    process.kill(-dying.pid, 'SIGKILL')
    await dead
    while ((await processesOf(dying.pid)).length > 0) await pause(LOOK_MS)
  }

  /**
   * Kills only the workerd that runs the worker and has the storage open. As much data is lost as with `kill`, but the
   * worker is back sooner: wrangler and its proxy stay, and wrangler restarts the worker in about half a second. All
   * processes would need two and a half seconds. If wrangler cannot restart the worker, this class restarts all
   * processes. Resolves when the process is dead.
   */
  async crash(pid?: number): Promise<void> {
    // To find the process takes so long that the right moment for the kill may then be over. So a test may pass the
    // process's id.
    const victim = pid ?? (await this.workerPid())
    process.kill(victim, 'SIGKILL')
    while (isAlive(victim)) await pause(LOOK_MS)
  }

  /** Returns the id of the process that runs the worker. @throws when no process runs the worker at the moment */
  async workerPid(): Promise<number> {
    const all = this.#process?.pid === undefined ? [] : await processesOf(this.#process.pid)
    // There is another workerd: the proxy in front of the worker. Only the proxy listens on the public port.
    const found = all.find(({ isWorkerd, line }) => isWorkerd && !line.includes(`127.0.0.1:${this.url.port}`))
    if (!found) throw new Error('no process runs the worker')
    return found.pid
  }

  /** Waits until the worker answers again. @throws when the worker does not answer within a minute */
  async answers(): Promise<void> {
    const end = Date.now() + RETURN_MS
    while (Date.now() < end) {
      // The worker answers a request for this path with a status below 500. The proxy answers with 500 if no worker
      // runs.
      const signal = AbortSignal.timeout(ANSWER_MS)
      const response = await this.fetch('api/nothing', { signal }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (response && response.status < 500) return
      await pause(LOOK_MS)
    }
    throw new Error('the worker did not come back')
  }

  /** Resolves when the worker next prints a line that contains this text. */
  printed(text: string): Promise<void> {
    const stdout = this.#process?.stdout
    if (!stdout) throw new Error('nobody is there to print anything')
    return new Promise((resolve) => {
      let line = ''
      const hear = (more: Buffer) => {
        line = line.slice(line.lastIndexOf('\n') + 1) + String(more)
        if (!line.includes(text)) return
        stdout.off('data', hear)
        resolve()
      }
      stdout.on('data', hear)
    })
  }

  /** Starts the server again on the storage that it had. The variables may be new. Resolves when the server listens. */
  async resume(vars: Record<string, string> = this.#vars): Promise<void> {
    this.#vars = vars
    // A file holds the variables. On a command line, every user of the machine could read them.
    const envFile = path.join(this.#folder, 'vars.env')
    await writeFile(
      envFile,
      Object.entries({ ...QUICK_LEARNERS, ...vars })
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
      { mode: 0o600 },
    )
    const where = ['--ip', this.url.hostname, '--port', this.url.port, '--inspector-port', '0']
    const kept = ['--local', '--persist-to', this.state, '--env-file', envFile]
    const child = spawn(
      process.execPath,
      [WRANGLER, 'dev', '--config', this.#config, '--show-interactive-dev-session=false', ...where, ...kept],
      {
        cwd: ROOT,
        env: { ...process.env, ...QUIET, MINIFLARE_WORKERD_PATH: this.#workerd },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    )
    this.#process = child
    await listening(child)
    whenGivenUp(child, () => {
      if (this.#process === child) this.#return = this.#comeBack()
    })
  }

  async #comeBack(): Promise<void> {
    await this.#killAll()
    await this.resume()
  }

  async stop(): Promise<void> {
    await this.#return
    if (this.#process) await this.kill()
    await this.#bundle.release()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Resolves when the server listens. @throws Error with everything that the server has printed, when the server ends
 * before it listens
 */
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

function whenGivenUp(child: ChildProcess, act: () => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let end = ''
    stream?.on('data', (more: Buffer) => {
      end += String(more)
      if (end.includes(GAVE_UP)) act()
      end = end.slice(-GAVE_UP.length)
    })
  }
}

/** Returns the living processes of a process group. Returns an empty list on systems other than Linux. */
async function processesOf(group: number): Promise<readonly Process[]> {
  if (process.platform !== 'linux') return []
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(names.map(processOf))
  return all.filter((each) => each !== null).filter((each) => each.group === group)
}

interface Process {
  readonly pid: number
  readonly group: number
  readonly isWorkerd: boolean
  readonly line: string
}

/** Reads about a process in `/proc`. Returns null if the process has ended. */
async function processOf(name: string): Promise<Process | null> {
  try {
    const [line, stat] = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8'),
      readFile(`/proc/${name}/stat`, 'utf8'),
    ])
    // The second field is the program's name in parentheses. The name may contain any character, also `)`, so the
    // fields are counted from the last `)`.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return null
    const [program = ''] = line.split('\0')
    return { pid: Number(name), group: Number(fields[2]), isWorkerd: path.basename(program) === 'workerd', line }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
