import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { type Child, startChild } from './child.ts'
import { makeFolder, removeFolder } from './temp-folder.ts'

export const ROOT = path.resolve(import.meta.dirname, '../..')
/** The program workerd, in the version that the project's own wrangler runs. */
const { default: WORKERD } = createRequire(path.join(ROOT, 'node_modules/wrangler/bin/wrangler.js'))('workerd') as {
  default: string
}
const DATE = '2026-09-01'

/** A Worker in one file. */
export interface Bundle {
  readonly file: string
  readonly bytes: number
  readonly gzipped: number
}

/** What a Worker needs besides its code. */
export interface Worker {
  readonly bundle: Bundle
  /** The names of the bindings of its Durable Objects, by class. */
  readonly objects: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
  /** Whether it has a D1 database, as `DB`. */
  readonly hasDatabase: boolean
  /** The folder with the static files that the Worker reads by its binding `ASSETS`; none if it reads none. */
  readonly assets?: string
}

/** A Worker that runs in `workerd serve`, with nothing before it. */
export interface WorkerChild extends Child {
  /** The folder with the files of its Durable Objects. */
  readonly data: string
}

/** Bundles a Worker as `wrangler deploy --minify` does. */
export async function bundleWorker(entry: string, folder: string): Promise<Bundle> {
  const file = path.join(folder, 'worker.js')
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    target: 'es2024',
    legalComments: 'none',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [requiredBuiltins, noEmail],
    logLevel: 'error',
  })
  const code = await readFile(file)
  return { file, bytes: code.length, gzipped: gzipSync(code, { level: 9 }).length }
}

/** Lets CommonJS modules require Node's modules, which workerd has only as ES modules. */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(made) {
    made.onResolve({ filter: /^[a-z_/:]+$/ }, ({ path: name, kind }) => {
      if (!isBuiltin(name)) return null
      const full = name.startsWith('node:') ? name : `node:${name}`
      return kind === 'require-call' ? { path: full, namespace: 'required' } : { path: full, external: true }
    })
    made.onLoad({ filter: /.*/, namespace: 'required' }, ({ path: name }) => ({
      contents: `import builtin from '${name}'; module.exports = builtin`,
    }))
  },
}

/** The package agents imports this module, which only Cloudflare and Miniflare have. Nobody here sends a mail. */
const noEmail: Plugin = {
  name: 'no-email',
  setup(made) {
    made.onResolve({ filter: /^cloudflare:email$/ }, ({ path: name }) => ({ path: name, namespace: 'no-email' }))
    made.onLoad({ filter: /.*/, namespace: 'no-email' }, () => ({ contents: 'export class EmailMessage {}' }))
  },
}

/** Starts a Worker with empty storage on disk. It can reach nothing but this machine. */
export async function startWorker(worker: Worker): Promise<WorkerChild> {
  const folder = makeFolder()
  const data = path.join(folder, 'data')
  await mkdir(data)
  const config = path.join(folder, 'config.capnp')
  // workerd embeds only files below the configuration's own folder.
  await copyFile(worker.bundle.file, path.join(folder, 'worker.js'))
  await copyFile(path.join(import.meta.dirname, 'servers/database.js'), path.join(folder, 'database.js'))
  await writeFile(config, configOf(worker, data))
  const child = await startChild(WORKERD, ['serve', '--control-fd=3', config], { tells: 3 })
  return {
    ...child,
    data,
    async stop() {
      await child.stop()
      removeFolder(folder)
    },
  }
}

/** Writes workerd's configuration. The text of a Cap'n Proto string is that of a JSON string, for ASCII. */
function configOf({ objects, vars, hasDatabase, assets }: Worker, data: string): string {
  const text = JSON.stringify
  const list = (items: readonly string[]) => `[${items.join(', ')}]`
  const durable = (classes: readonly string[], prefix: string) =>
    `durableObjectNamespaces = ${list(classes.map((name) => `(className = ${text(name)}, uniqueKey = ${text(prefix + name)}, enableSql = true)`))},
  durableObjectStorage = (localDisk = "data"),`
  const bindings = [
    ...Object.entries(vars).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
    ...Object.entries(objects).map(
      ([name, binding]) => `(name = ${text(binding)}, durableObjectNamespace = ${text(name)})`,
    ),
    ...(assets === undefined ? [] : ['(name = "ASSETS", service = "assets")']),
    ...(hasDatabase
      ? [
          '(name = "DB", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = "database")]))',
        ]
      : []),
  ]
  const database = `
const database :Workerd.Worker = (
  modules = [(name = "database.js", esModule = embed "database.js")],
  compatibilityDate = ${text(DATE)},
  bindings = [(name = "DATABASES", durableObjectNamespace = "Database")],
  ${durable(['Database'], 'database-')}
);`
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    ${hasDatabase ? '(name = "database", worker = .database),' : ''}
    (name = "data", disk = (path = ${text(data)}, writable = true)),
    ${assets === undefined ? '' : `(name = "assets", disk = (path = ${text(assets)})),`}
    (name = "internet", network = (allow = ["127.0.0.0/8"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = ${text(DATE)},
  compatibilityFlags = ["no_web_socket_compression"],
  bindings = ${list(bindings)},
  ${Object.keys(objects).length > 0 ? durable(Object.keys(objects), '') : ''}
);
${hasDatabase ? database : ''}
`
}
