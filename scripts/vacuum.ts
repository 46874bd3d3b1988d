import path from 'node:path'
import { parseArgs } from 'node:util'
import { vacuumFolder } from './vacuum/vacuum-folder.ts'

const HELP = `Leaves nothing of what was deleted in the files of a server that keeps its own, such as \`npm start\`. Stop it first.

  npm run vacuum [-- FOLDER]

  FOLDER     where its storage is; .wrangler/state otherwise

Every SQLite file in it is written anew with what its rows hold.`

const STATE = path.resolve(import.meta.dirname, '../.wrangler/state')

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(HELP)
  else console.log(`${await vacuumFolder(positionals[0] ?? STATE)} files written anew.`)
} catch (error) {
  // A wrong option, a folder that is not there, or a file that is in use: what to do about it is in the message.
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
