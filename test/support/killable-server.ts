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
/** The program that wrangler's own miniflare runs. */
const { default: WORKERD } = createRequire(WRANGLER)('workerd') as { default: string }
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  NO_COLOR: '1',
}

/** How often is looked whether a process has gone or come. */
const LOOK_MS = 10
/** How long one answer may take: for a worker that is not there, the one in front waits for ever. */
const ANSWER_MS = 2_000
/** How long a worker may take to come back, on a machine that does much else. */
const RETURN_MS = 60_000
/**
 * What wrangler prints when it gives up. It starts a workerd anew at the ports that the system gave the last one, and each
 * of them may by then be somebody's outgoing connection.
 */
const GAVE_UP = 'failed to restart after an unexpected crash'

interface Files {
  /** The copy of the worker's configuration. */
  readonly copy: string
  readonly bundle: BundleInUse
  readonly folder: string
  /** Where the storage is. */
  readonly state: string
}

/**
 * A worker whose storage is on disk and whose processes can be killed as a power cut kills them: with SIGKILL, workerd and
 * all, and nothing flushed. It comes back on the same port, with the same storage.
 */
export class KillableServer {
  readonly url: URL
  /** Where its storage is. */
  readonly state: string
  readonly #bundle: BundleInUse
  readonly #config: string
  readonly #folder: string
  readonly #workerd: string
  #process: ChildProcess | null = null
  #vars: Record<string, string> = {}
  /** Ends when what wrangler could not start anew is there again. */
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
   * Starts one on what `state` holds, or with empty storage. `config` is the worker's, from the project's root. Stop it, or
   * it stays; a folder that was handed in is left.
   */
  static async start(config: string, vars: Record<string, string>, state?: string): Promise<KillableServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'walkon-'))
    const bundle = await useBundle(config)
    const copy = await copyBuiltConfig(config, folder, bundle.file)
    const own = path.join(folder, 'state')
    await mkdir(own)
    // A write beyond a limit on files (`prlimit --fsize`) is to fail, as on a full disk, and not to end the process.
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

  /** Kills everything, at once. Resolves when it is dead. */
  async kill(): Promise<void> {
    await this.#return
    await this.#killAll()
  }

  async #killAll(): Promise<void> {
    const dying = this.#process
    if (!dying?.pid) throw new Error('there is nothing to kill')
    this.#process = null
    const dead = once(dying, 'exit')
    // Its group: wrangler, esbuild and workerd.
    process.kill(-dying.pid, 'SIGKILL')
    await dead
    while ((await processesOf(dying.pid)).length > 0) await pause(LOOK_MS)
  }

  /**
   * Kills the one workerd that runs the worker and has its storage; wrangler and the one in front of it live, and
   * wrangler starts it anew by itself. In about half a second instead of two and a half, and with no less lost. Where
   * wrangler cannot, everything is started anew. Resolves when it is dead.
   */
  async crash(pid?: number): Promise<void> {
    // To look for it takes so long that what was to be struck may be over.
    const victim = pid ?? (await this.workerPid())
    process.kill(victim, 'SIGKILL')
    while (isAlive(victim)) await pause(LOOK_MS)
  }

  /** The process that runs the worker. @throws when there is none now. */
  async workerPid(): Promise<number> {
    const all = this.#process?.pid === undefined ? [] : await processesOf(this.#process.pid)
    // The other workerd listens at the port that everybody knows, and passes on what comes.
    const found = all.find(({ isWorkerd, line }) => isWorkerd && !line.includes(`127.0.0.1:${this.url.port}`))
    if (!found) throw new Error('no process runs the worker')
    return found.pid
  }

  /** Waits until the worker answers again. @throws when it does not within a minute. */
  async answers(): Promise<void> {
    const end = Date.now() + RETURN_MS
    while (Date.now() < end) {
      // Refused by the worker itself; the one in front would answer with 500 for a worker that is not there.
      const signal = AbortSignal.timeout(ANSWER_MS)
      const response = await this.fetch('api/nothing', { signal }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (response && response.status < 500) return
      await pause(LOOK_MS)
    }
    throw new Error('the worker did not come back')
  }

  /** Resolves when the worker has logged a line with this text, from now on. */
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

  /** Starts it anew, on what the last one has left, with its variables or others. Resolves when it listens. */
  async resume(vars: Record<string, string> = this.#vars): Promise<void> {
    this.#vars = vars
    // Secrets go by a file: everybody on a machine can read command lines.
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

/** The living processes of a group; none that can be told of where there is no Linux. */
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
  /** Its command line. */
  readonly line: string
}

/** What Linux tells of a process; null when it has gone meanwhile. */
async function processOf(name: string): Promise<Process | null> {
  try {
    const [line, stat] = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8'),
      readFile(`/proc/${name}/stat`, 'utf8'),
    ])
    // The second field is the program's name in brackets, with whatever characters it has.
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
