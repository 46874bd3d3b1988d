import { readdir, readFile, rm, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { KillableServer } from '../test/support/killable-server.ts'
import { beginSession, Player } from '../test/support/player.ts'

// Measures a beginning: the computing time of workerd for one `POST /api/sessions`, and what the conversation's object
// then has on disk, fresh and after one turn. The time includes what the runtime itself does for a request, for the
// database and for the object.

const WARM_UP = 100
const COUNTED = 400
/** After this time without a request the platform puts an object to sleep and closes its database. */
const ASLEEP_MS = 15_000
/** The unit of the times in /proc/<pid>/stat, in milliseconds. */
const TICK_MS = 10

const folder = await mkdtemp(path.join(tmpdir(), 'walkon-begin-'))
const server = await KillableServer.start('wrangler.toml', { WALKON_REHEARSAL_PACE_MS: '0' }, folder)
try {
  for (let n = 0; n < WARM_UP; n += 1) await beginSession(server)
  const before = await computed()
  for (let n = 0; n < COUNTED; n += 1) await beginSession(server)
  const each = ((await computed()) - before) / COUNTED
  const idle = await computed()
  for (let n = 0; n < COUNTED; n += 1) await (await server.fetch('api/nothing')).text()
  const bare = ((await computed()) - idle) / COUNTED

  const session = await beginSession(server)
  await pause(ASLEEP_MS)
  const fresh = await onDisk(session)
  const player = await Player.join(server, session)
  await player.say('What does run 47 show?')
  player.leave()
  await pause(ASLEEP_MS)
  const turned = await onDisk(session)
  console.log(
    [
      `${COUNTED} beginnings of launch-decision/maya`,
      `a beginning        ${each.toFixed(2)} ms of computing time`,
      `a request for nothing ${bare.toFixed(2)} ms`,
      `on disk, fresh     ${fresh} bytes`,
      `after one turn     ${turned} bytes`,
    ].join('\n'),
  )
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Returns the computing time of all workerd processes that this process has started, in milliseconds. */
async function computed(): Promise<number> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((pid) => statOf(pid)))
  const known = all.filter((each) => each !== null)
  const isOurs = (pid: number): boolean => {
    const found = known.find((each) => each.pid === pid)
    return found !== undefined && (found.parent === process.pid || isOurs(found.parent))
  }
  return known.filter((each) => each.name === 'workerd' && isOurs(each.pid)).reduce((sum, each) => sum + each.ms, 0)
}

async function statOf(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
  return { pid: Number(pid), name, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
}

/** Returns the bytes of all files of a conversation's object. */
async function onDisk(session: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes(session))
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
