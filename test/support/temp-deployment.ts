import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatFinding } from '../../sims/authoring/finding.ts'
import { buildScenarios } from '../../scripts/build-scenarios.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WORKER_FOLDER = 'test/conversations'

/**
 * A deployment of the worker with the test routes ("doors") and with scenarios and graphs of its own. Its sources are a
 * copy in a temporary folder. So a test can change the graphs and deploy them again.
 */
export class TempDeployment {
  readonly configPath: string
  readonly #root: string
  /** The folders of earlier builds, by the content of their input files. */
  readonly #built = new Map<string, string>()

  private constructor(root: string) {
    this.#root = root
    this.configPath = path.join(root, WORKER_FOLDER, 'context-worker.toml')
  }

  static async create(): Promise<TempDeployment> {
    const root = await mkdtemp(path.join(tmpdir(), 'walkon-'))
    await Promise.all([
      cp(path.join(ROOT, 'worker'), path.join(root, 'worker'), { recursive: true }),
      cp(path.join(ROOT, WORKER_FOLDER), path.join(root, WORKER_FOLDER), {
        recursive: true,
        filter: (file) => !file.endsWith('.test.ts') && !file.includes('.wrangler'),
      }),
      cp(path.join(ROOT, 'package.json'), path.join(root, 'package.json')),
      symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules')),
    ])
    return new TempDeployment(root)
  }

  /**
   * Builds the scenarios and graphs for the worker, as the project's build does.
   *
   * @param files the content of each file under `sims`, by the file's path in that folder
   * @throws with every finding when the build fails
   */
  async build(files: Readonly<Record<string, string>>): Promise<void> {
    const folder = path.join(this.#root, 'build')
    const out = path.join(folder, 'scenarios.ts')
    await rm(folder, { recursive: true, force: true })
    const all = JSON.stringify(files)
    const known = this.#built.get(all)
    if (known !== undefined) return cp(known, folder, { recursive: true })
    const sims = path.join(this.#root, 'sims')
    await rm(sims, { recursive: true, force: true })
    // The worker checks published scenarios with the code of the authors' tools.
    await cp(path.join(ROOT, 'sims/authoring'), path.join(sims, 'authoring'), { recursive: true })
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.join(sims, path.dirname(file)), { recursive: true })
      await writeFile(path.join(sims, file), text)
    }
    const built = await buildScenarios({ root: this.#root, out })
    if (!built.ok) throw new Error(built.findings.map(formatFinding).join('\n'))
    const kept = path.join(this.#root, `build-${this.#built.size}`)
    await cp(folder, kept, { recursive: true })
    this.#built.set(all, kept)
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true })
  }
}

/** Returns the content of a file in the project's own `sims`. */
export function simsFile(file: string): Promise<string> {
  return readFile(path.join(ROOT, 'sims', file), 'utf8')
}
