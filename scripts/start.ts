import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { ConfigError, readConfig } from '../worker/env.ts'
import {
  settingsOf,
  writeEnvFile,
  type EnvFile,
  isPortFree,
  modelLines,
  readPort,
  speakerLine,
} from './start/settings.ts'
import { QuietLines } from './start/quiet-lines.ts'
import { unwatchPage } from './start/watched-page.ts'

const root = path.resolve(import.meta.dirname, '..')
/** The configuration of the worker to start. A test names another configuration as the command's argument. */
const workerConfig = process.argv[2] ?? path.join(root, 'wrangler.toml')
const GRACE_MS = 5_000
/**
 * Settings that make wrangler quiet: no telemetry, no colours in a pipe, no request to Cloudflare for this machine's
 * location (`request.cf`), and no inspector that stores the address of every request, because some addresses contain a
 * person's name.
 */
const QUIET_WRANGLER = {
  X_LOCAL_OBSERVABILITY: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  FORCE_COLOR: '0',
  NO_COLOR: '1',
}

try {
  if (workerConfig.startsWith('-'))
    throw new RangeError(`npm start has no option ${workerConfig}. For another port: PORT=8799 npm start`)
  const port = readPort(process.env['PORT'])
  const settings = settingsOf(path.join(root, '.dev.vars'), process.env)
  const config = readConfig(settings)
  if (!(await isPortFree(port)))
    throw new RangeError(`Port ${port} is taken. Stop what runs there, or set PORT to another.`)
  const speaks = { speaker: speakerLine(config), hasModel: config.speaker.kind === 'model' }
  serve({ port, ...speaks, envFile: writeEnvFile(settings) })
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof RangeError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

interface Serving {
  readonly port: number
  readonly speaker: string
  readonly hasModel: boolean
  readonly envFile: EnvFile
}

function serve({ port, speaker, hasModel, envFile }: Serving): void {
  process.once('exit', () => {
    envFile.remove()
    unwatchPage(path.join(root, 'build', 'public'))
  })
  const server = startWrangler(port, envFile.path)
  let isStopping = false
  let isReady = false

  const hear = (stream: NodeJS.ReadableStream | null, show: (line: string) => void): void => {
    const lines = new QuietLines()
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const heard = lines.feed(text)
      // While workerd stops, it prints errors about lost sockets, which nobody needs to see.
      if (isStopping) return
      for (const line of heard.lines) show(line)
      if (!heard.ready || isReady) return
      isReady = true
      console.log(`http://localhost:${port}\n${speaker}`)
      for (const line of hasModel ? [] : modelLines(path.join(root, 'build', 'public'))) console.log(line)
    })
    stream?.on('end', () => {
      if (!isStopping) for (const line of lines.end()) show(line)
    })
  }
  hear(server.stdout, (line) => console.log(line))
  hear(server.stderr, (line) => console.error(line))

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      stop(server)
    })
  }
  server.once('error', (error) => console.error(`wrangler could not be started: ${error.message}`))
  server.once('exit', (code) => {
    // Kills the rest of wrangler's process group, because a workerd that outlived wrangler would keep the port.
    signalGroup(server, 'SIGKILL')
    if (!isStopping) console.error(`The server ended by itself${code === null ? '' : ` (exit code ${code})`}.`)
    process.exit(isStopping ? 0 : code || 1)
  })
}

function startWrangler(port: number, envFile: string): ChildProcess {
  const wrangler = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  const args = ['dev', '--config', workerConfig, '--ip', 'localhost', '--port', String(port), '--inspector-port', '0']
  const quiet = ['--local', '--show-interactive-dev-session=false', '--env-file', envFile]
  return spawn(process.execPath, [wrangler, ...args, '--persist-to', path.join(root, '.wrangler', 'state'), ...quiet], {
    cwd: root,
    // With `WALKON_WATCHED`, `scripts/build.ts` makes the page reload after each build.
    env: { ...process.env, ...QUIET_WRANGLER, WALKON_WATCHED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // wrangler gets its own process group, so that wrangler, esbuild and workerd all stop together.
    detached: process.platform !== 'win32',
  })
}

function stop(server: ChildProcess): void {
  signalGroup(server, 'SIGINT')
  setTimeout(() => signalGroup(server, 'SIGKILL'), GRACE_MS).unref()
}

function signalGroup(server: ChildProcess, signal: NodeJS.Signals): void {
  if (server.pid === undefined) return
  try {
    if (process.platform === 'win32') server.kill(signal)
    else process.kill(-server.pid, signal)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
