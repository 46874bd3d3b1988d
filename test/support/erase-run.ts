import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { ChainClientError, type ChainClient } from '../../worker/chain/client/chain-client.ts'
import { credentialsOf } from './credentials.ts'
import type { KillableServer } from './killable-server.ts'
import type { MarkedModel } from './marked-model.ts'
import { chainOf, identityOf } from './people-server.ts'
import { newCid, openSession, Player } from './player.ts'
import { vacuumFolder } from '../../scripts/vacuum.ts'
import { type Found, searchBytes, searchStorage } from './storage-search.ts'

export interface EraseOptions {
  /** How many people are erased in total. `others` is the number of people who talk too and are not erased. */
  readonly people: number
  readonly others: number
  /** How many people are erased at once. The server is sending a reply to each of them at that moment. */
  readonly crowd: number
  /** Of every `killEvery` crowds, one is erased while the process is killed. */
  readonly killEvery: number
  readonly told?: (line: string) => void
}

export interface EraseSummary {
  readonly people: number
  readonly conversations: number
  readonly underWay: number
  readonly kills: number
  readonly deaths: number
  /** What all erasures together have changed: a number for each kind of data. */
  readonly effect: Readonly<Record<string, number>>
  /**
   * The number of erasures with another effect than the dry run before them had announced. One is added if the stored
   * total is not the sum of the dry runs.
   */
  readonly unforeseen: number
  /**
   * How many of the people who were not erased have changed data. `changedAgain`: how much a second erasure of all
   * erased people changed, which should be nothing.
   */
  readonly othersChanged: number
  readonly changedAgain: number
  /**
   * Where the search still finds text of the erased people: in rows and indexes (`inRows`), elsewhere in the objects'
   * files (`inObjects`), and in unused pages of D1's file (`inUnused`).
   */
  readonly inRows: readonly Found[]
  readonly inObjects: readonly Found[]
  readonly inUnused: number
  /**
   * The files that contain text of the erased people even at the very end: the server has stopped, and its files have
   * been rewritten without unused pages.
   */
  readonly afterVacuum: readonly Found[]
  readonly found: { readonly ofOthers: number; readonly before: number }
}

/** A word that every piece of data of an erased person contains, so that a search finds the data. */
const MARK = 'zqperson'

/**
 * Lets people talk in crowds, and erases each crowd while the server is sending a reply to each of its members. Objects
 * die during the erasures, and sometimes the whole process is killed. At the end, searches every file for data of the
 * erased people.
 */
export async function runErasures(
  server: KillableServer,
  model: MarkedModel,
  { people, others, crowd, killEvery, told = () => {} }: EraseOptions,
): Promise<EraseSummary> {
  const chain = chainOf(server)
  const promised: Record<string, number> = {}
  const summary = { underWay: 0, conversations: 0, kills: 0, deaths: 0, unforeseen: 0, changedAgain: 0 }
  const codes: string[] = []

  model.paceMs = 0
  const bystanders = await inCrowds(others, crowd, (place) => talk(server, chain, `wombat-${place}`))
  const before = await Promise.all(bystanders.map((each) => everything(server, chain, each)))
  told(`${others} others have talked`)
  let seenBefore = 0

  for (let from = 0, round = 1; from < people; from += crowd, round += 1) {
    model.paceMs = 0
    const size = Math.min(crowd, people - from)
    const talked = await inCrowds(size, size, (place) => talk(server, chain, `${MARK}-${from + place}`))
    codes.push(...talked.map(({ code }) => code))
    // At this pace, a reply takes minutes.
    model.paceMs = 30_000
    const begun = await Promise.all(talked.map((each) => beginReply(server, model, each)))
    summary.conversations += talked.length
    summary.underWay += begun.length
    if (round === 1)
      seenBefore = (await searchStorage(server.state, [MARK])).filter(({ table }) => table !== null).length
    const foreseen = await Promise.all(
      talked.map(async ({ user }) => (await retried(() => chain.erasePerson({ user, dryRun: true }))).effect),
    )
    for (const effect of foreseen) addUp(promised, effect)
    const asked = talked.map(({ user }) => retried(() => chain.erasePerson({ user })))
    const isKilled = round % killEvery === 0
    if (isKilled) {
      await Promise.race(asked)
      summary.deaths += await deathsOf(server)
      await server.crash()
      await server.answers()
      summary.kills += 1
    }
    const erasures = await Promise.all(asked)
    const done = await Promise.all(erasures.map(({ erasure }) => finished(chain, erasure?.id ?? '')))
    for (const player of begun) player.leave()
    for (const [place, { effect }] of done.entries()) {
      // If the process was killed, it may have erased everything without answering. A second attempt then finds no data
      // and has no effect.
      const isLost = isKilled && isNothing(effect)
      if (!isLost && !isDeepStrictEqual(effect, foreseen[place])) summary.unforeseen += 1
    }
    told(`${from + size} of ${people} erased`)
  }

  for (let from = 0; from < people; from += crowd) {
    const users = Array.from({ length: Math.min(crowd, people - from) }, (_, place) => `${MARK}-${from + place}`)
    const again = await Promise.all(users.map((user) => retried(() => chain.erasePerson({ user }))))
    const done = await Promise.all(again.map(({ erasure }) => finished(chain, erasure?.id ?? '')))
    const changes: Record<string, number> = {}
    for (const { effect } of done) addUp(changes, effect)
    summary.changedAgain += Object.values(changes).reduce((sum, each) => sum + each, 0)
  }
  const after = await Promise.all(bystanders.map((each) => everything(server, chain, each)))
  summary.deaths += await deathsOf(server)
  // An object may have died while it received a request to erase. It then restarts, finds the stored request, and
  // erases. The search waits for this.
  await again(async () => {
    const left = await searchStorage(server.state, [MARK, ...codes])
    if (left.some(({ table }) => table !== null)) throw new Error('somebody has not forgotten yet')
  }, 50).catch(() => undefined)
  await server.kill()
  const found = await searchStorage(server.state, [MARK, 'wombat', ...codes])
  const theirs = found.filter(({ text }) => text !== 'wombat')
  await vacuumFolder(server.state)
  const afterVacuum = await searchBytes(server.state, [MARK, ...codes])
  const effect = await erasedIn(server.state)
  return {
    people,
    ...summary,
    effect,
    unforeseen: summary.unforeseen + (isDeepStrictEqual(effect, promised) ? 0 : 1),
    othersChanged: after.filter((text, place) => text !== before[place]).length,
    inRows: theirs.filter(({ table }) => table !== null),
    inObjects: theirs.filter(({ table, file }) => table === null && !file.includes('d1')),
    inUnused: theirs.filter(({ table, file }) => table === null && file.includes('d1')).length,
    afterVacuum,
    found: {
      before: seenBefore,
      ofOthers: found.filter(({ text, table }) => text === 'wombat' && table !== null).length,
    },
  }
}

interface Talked {
  readonly user: string
  readonly session: string
  /** The text that stands for the learner in the learner's conversations. */
  readonly code: string
}

/**
 * Returns how many objects have died in the server's current process. Objects of an earlier process are not counted.
 */
async function deathsOf(server: KillableServer): Promise<number> {
  return Number(await (await server.fetch('doors/death-count')).json())
}

/**
 * Creates data about a person: a conversation, a context with a child context of another person, a memory and a fact.
 */
async function talk(server: KillableServer, chain: ChainClient, user: string): Promise<Talked> {
  const session = await again(() =>
    openSession(server, { scenario: 'launch-decision', npc: 'maya', identity: identityOf(user) }),
  )
  const player = await Player.join(server, session)
  await player.say(`Hello from mark-${user}-1.`)
  player.leave()
  const own = await retried(() =>
    chain.createContext({ purpose: `help ${user}`, memorySpaceId: 'team', userId: user, data: { note: user } }),
  )
  await retried(() =>
    chain.createContext({ purpose: 'somebody else of wombat', memorySpaceId: 'team', parentId: own.id }),
  )
  await retried(() => chain.storeMemory({ memorySpaceId: 'team', userId: user, content: `${user} likes leaves` }))
  await retried(() => chain.putFact({ user, key: 'food', value: `leaves of ${user}`, source: 'bench' }))
  // Waits until every chain event is delivered. Later, the test compares this data, so nothing may change it in
  // between.
  await again(async () => {
    const object = (await (await server.fetch(`doors/${session}/everything`)).json()) as { chain_events: unknown[] }
    if (object.chain_events.length > 0) throw new Error('what was said is not in the chain yet')
  })
  const info = (await (await server.fetch(`doors/${session}/info`)).json()) as { learner: { id: string } }
  return { user, session, code: info.learner.id }
}

async function beginReply(server: KillableServer, model: MarkedModel, { user, session }: Talked): Promise<Player> {
  const player = await Player.join(server, session)
  await player.emit('say', { cid: newCid(), text: `Go on, mark-${user}-2.` })
  await again(async () => {
    if (!model.said.some(({ mark }) => mark === `mark-${user}-2`)) throw new Error('nobody speaks yet')
  })
  return player
}

async function everything(server: KillableServer, chain: ChainClient, { user, session }: Talked): Promise<string> {
  const object = await (await server.fetch(`doors/${session}/everything`)).text()
  const { exportedAt: _, ...known } = await retried(() => chain.exportPerson({ user }))
  return object + JSON.stringify([known, credentialsOf(session).key])
}

async function finished(chain: ChainClient, erasure: string) {
  for (;;) {
    const found = await retried(() => chain.getErasure({ erasure }))
    if (found.status === 'done') return found
    await pause(LOOK_MS)
  }
}

const LOOK_MS = 100
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends a request again as long as the error says that this may help: the process may be dead at this moment. */
async function retried<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ChainClientError) || error.next !== 'retry-after') throw error
      await pause(LOOK_MS)
    }
  }
}

async function again<T>(ask: () => Promise<T>, most = 600): Promise<T> {
  for (let tries = most; ; tries -= 1) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 0) throw error
      await pause(LOOK_MS)
    }
  }
}

async function inCrowds<T>(all: number, crowd: number, act: (place: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let from = 0; from < all; from += crowd) {
    const places = Array.from({ length: Math.min(crowd, all - from) }, (_, place) => from + place)
    done.push(...(await Promise.all(places.map(act))))
  }
  return done
}

/** Adds up the effects of all erasures. Reads them from the stopped server's database. */
async function erasedIn(state: string): Promise<Record<string, number>> {
  const total: Record<string, number> = {}
  for (const file of (await readdir(state, { recursive: true })).filter((each) => /d1.*\.sqlite$/.test(each))) {
    const database = new DatabaseSync(path.join(state, file))
    const knows = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'erasures'"
    if (database.prepare(knows).get())
      for (const row of database.prepare(`SELECT ${COUNTED} FROM erasures`).all()) addUp(total, row)
    database.close()
  }
  return total
}

const COUNTED = 'sessions, ledgers, deleted, reparented, promoted, scrubbed, memories, facts'

function isNothing(effect: object): boolean {
  const counts: Record<string, number> = {}
  addUp(counts, effect)
  return Object.values(counts).every((each) => each === 0)
}

function addUp(sum: Record<string, number>, counts: object): void {
  for (const [name, value] of Object.entries(counts)) {
    if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value
    else addUp(sum, value as object)
  }
}
