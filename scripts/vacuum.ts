import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

const HELP = `Removes deleted data from the files of a server that keeps its own, such as \`npm start\`. Stop the server first.

  npm run vacuum [-- FOLDER]

  FOLDER     where its storage is; .wrangler/state otherwise

Rewrites every SQLite file in the folder with the rows it holds, and nothing else.`

const STATE = path.resolve(import.meta.dirname, '../.wrangler/state')

/**
 * Rewrites every SQLite file in a folder, so that the file contains only its current rows ([person-14]). The rewrite
 * removes deleted data from unused pages, from the unused part of other pages, and from the write-ahead log.
 *
 * @returns the number of files
 * @throws Error if a file is in use or broken. The files before that file are already rewritten, and the caller may
 * call this function again.
 */
export async function vacuumFolder(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sqlite'))
  for (const file of files) vacuum(path.join(folder, file))
  return files.length
}

function vacuum(file: string): void {
  const database = new DatabaseSync(file)
  try {
    // Leaving WAL mode writes the write-ahead log into the database file and deletes the log. SQLite refuses to leave
    // WAL mode while another process has the file open.
    const mode = database.prepare('PRAGMA journal_mode = DELETE').get()
    if (mode?.['journal_mode'] !== 'delete') throw new Error('it is in use')
    database.exec('VACUUM')
    database.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw new Error(`${file} was not rewritten: ${why}. Stop the server, and try again.`, { cause: error })
  } finally {
    database.close()
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(HELP)
  else console.log(`${await vacuumFolder(positionals[0] ?? STATE)} files rewritten.`)
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    // The error comes from a wrong option, a missing folder, or a file in use. Its message tells what to do.
    if (!(error instanceof Error)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
