import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folders = new Set<string>()
process.once('exit', () => folders.forEach(removeFolder))

/** Makes an empty folder, which is removed at the latest when this process ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkon-peers-'))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  try {
    // A process that was killed a moment ago may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  } catch (error) {
    console.error(`${folder} is left: ${String(error)}`)
  }
}
