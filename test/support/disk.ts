import { execFile } from 'node:child_process'
import { cp, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Limits the size of every file that a process writes to `bytes` from now on; null removes the limit. Works on Linux
 * only, because it uses `prlimit`.
 */
export async function limitFiles(pid: number, bytes: number | null): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`])
}

/** A separate file system that is small enough to fill up. */
export class SmallDisk {
  readonly path: string

  private constructor(folder: string) {
    this.path = folder
  }

  /** Mounts a new file system. @returns null if the process is not root, because mounting requires root */
  static async mount(megabytes: number): Promise<SmallDisk | null> {
    const folder = await mkdtemp(path.join(tmpdir(), 'walkon-disk-'))
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
      return new SmallDisk(folder)
    } catch {
      await rm(folder, { recursive: true })
      return null
    }
  }

  async fill(): Promise<void> {
    const ballast = await open(this.#ballast, 'w')
    try {
      for (;;) await ballast.write(Buffer.alloc(65_536, 1))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      await ballast.close()
    }
  }

  free(): Promise<void> {
    return rm(this.#ballast)
  }

  /** Unmounts the disk. Tries again for a while, because a process that was just killed may still keep a file open. */
  async unmount(): Promise<void> {
    for (let tries = 600; ; tries--) {
      const isOut = await run('umount', [this.path]).then(
        () => true,
        () => false,
      )
      if (isOut) break
      if (tries === 0) throw new Error(`${this.path} is still in use`)
      await pause(50)
    }
    await rm(this.path, { recursive: true })
  }

  get #ballast(): string {
    return path.join(this.path, 'ballast')
  }
}

/** Copies a server's storage into a new folder. The caller removes the folder. */
export async function copyOf(state: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkon-copy-'))
  await cp(state, folder, { recursive: true })
  return folder
}

/** How a test damages the files of a conversation. */
export type Damage = 'truncated' | 'no-database' | 'overwritten' | 'gone'

/** Damages the files of a conversation. No server may have the storage open at that time. */
export async function damage(state: string, session: string, how: Damage): Promise<void> {
  const names = (await readdir(state, { recursive: true })).filter((name) => name.includes(session))
  if (names.length === 0) throw new Error('there is nothing to damage')
  for (const name of names) await DAMAGES[how](path.join(state, name))
}

const DAMAGES: Record<Damage, (file: string) => Promise<void>> = {
  truncated: async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  'no-database': (file) => overwrite(file, 0, 4_096),
  overwritten: async (file) => {
    const { size } = await stat(file)
    for (let at = 4_096; at < size; at += 4_096) await overwrite(file, at + 512, 1_024)
  },
  gone: (file) => rm(file),
}

async function overwrite(file: string, at: number, length: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.write(Buffer.alloc(length, 0x5a), 0, length, at)
  } finally {
    await handle.close()
  }
}
