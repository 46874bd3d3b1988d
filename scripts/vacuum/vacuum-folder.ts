import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Writes every SQLite file of a folder anew, with what its rows hold and nothing else ([person-14]): what was deleted is gone
 * from unused pages, from the rest of pages in use, and from the log. Rows stay as they are.
 *
 * @returns how many files there were
 * @throws when a file is in use or broken. Those before it are done; all of it may be asked for again.
 */
export async function vacuumFolder(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sqlite'))
  for (const file of files) vacuum(path.join(folder, file))
  return files.length
}

function vacuum(file: string): void {
  const database = new DatabaseSync(file)
  try {
    // Leaving the log's mode takes the log into the file and deletes it, and is refused while anybody else has it open.
    const mode = database.prepare('PRAGMA journal_mode = DELETE').get()
    if (mode?.['journal_mode'] !== 'delete') throw new Error('it is in use')
    database.exec('VACUUM')
    database.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw new Error(`${file} was not written anew: ${why}. Stop the server, and try again.`, { cause: error })
  } finally {
    database.close()
  }
}
