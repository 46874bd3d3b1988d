import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Writes a file of the build, unless the file already has this content. A server may be serving the file, and a file
 * that is being written is empty for a moment. An unchanged file only gets the time of this build as its modification
 * time.
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

/** Makes an esbuild plugin that writes the outputs with `writeBuilt`. */
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
