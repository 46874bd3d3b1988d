import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Writes a file of the build, unless it is there already, word for word: a server may be handing it out at this moment, and
 * what is written anew is empty for an instant. Either way it is as young as this build.
 */
export async function writeBuilt(file: string, content: string | Uint8Array): Promise<void> {
  const wanted = Buffer.from(content)
  const there = await readFile(file).catch(() => null)
  if (there?.equals(wanted)) {
    const now = new Date()
    return utimes(file, now, now)
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, wanted)
}

/** Has what esbuild makes written like that. */
export function writesBuilt(): Plugin {
  return {
    name: 'writes-built',
    setup(build) {
      build.initialOptions.write = false
      build.onEnd(async ({ outputFiles = [] }) => {
        await Promise.all(outputFiles.map(({ path, contents }) => writeBuilt(path, contents)))
      })
    },
  }
}
