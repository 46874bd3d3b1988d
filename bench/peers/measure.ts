import { setTimeout as pause } from 'node:timers/promises'
import type { ModelProcess } from './model-process.ts'
import { median, now, quantile, sum } from './numbers.ts'
import type { Peer, Served, Talk } from './peer.ts'
import { bytesIn, cpuMs, residentBytes } from './process-stats.ts'

/** How much is measured. */
export interface Extent {
  /** The number of streams that begin within a second. */
  readonly streams: number
  /** The number of streams of the crowd, and of tokens that each of them gets. */
  readonly crowd: number
  readonly crowdTokens: number
  /** How long the sessions are idle before their memory is measured, in seconds. */
  readonly idleSeconds: number
  /** The turns of a long conversation. The last ten are compared with turns 6 to 15. With 0 there is none. */
  readonly turns: number
}

/** The figures of one run. Null: the server does not have what is measured. */
export interface Figures {
  readonly coldMs: number
  /** What a token takes from the model to the client, in milliseconds. */
  readonly firstP50: number
  readonly firstP99: number
  readonly everyP50: number
  readonly everyP99: number
  /** As `first…`, but in the first turn after the idle time, for which a Durable Object has to be woken. */
  readonly wokenP50: number
  readonly wokenP99: number
  readonly turnCpuMs: number
  readonly turnBytes: number
  readonly turnFrames: number
  readonly begunPerSecond: number | null
  readonly begunCpuMs: number | null
  readonly connectedPerSecond: number | null
  readonly connectedCpuMs: number | null
  readonly idleBytes: number | null
  /** Of all files, after the idle time: a Durable Object that sleeps has no open journal. */
  readonly diskBytes: number | null
  readonly crowdP50: number | null
  readonly crowdP99: number | null
  /** Why the crowd was not served; null if it was. */
  readonly crowdFailure: string | null
  /** How late the client's own timers are in the crowd at most, in milliseconds: what of `crowdP99` may be its fault. */
  readonly clientLateP99: number | null
  /** The computing time of a turn, and the time from a message to the end of the turn: near turn 10, and at the end. */
  readonly earlyCpuMs: number | null
  readonly lateCpuMs: number | null
  readonly earlyMs: number | null
  readonly lateMs: number | null
  /** The turns that the long conversations had. They end early if they take too long. */
  readonly longTurns: number | null
}

const TOKENS = 60
const PACE_MS = 25
/** Conversations that are held before anything is measured, so that the code is compiled. */
const WARM_UP = 20
/** After this time a Durable Object sleeps and has written its journal into its file, in milliseconds. */
const SLEEP_MS = 13_000
/** How many sessions begin at the same time. */
const AT_ONCE = 10
/** How long the last frames of a turn may take to arrive after its end, in milliseconds. */
const LATE_FRAMES_MS = 200
/** How long a turn may take, in milliseconds. */
const TURN_MS = 60_000
/** How long a run of one server may take, in milliseconds. */
const RUN_MS = 600_000
/** How many long conversations go on at the same time, and how long they may take together, in milliseconds. */
const LONG_TALKS = 3
const LONG_MS = 180_000
/** The turns of which the time is measured together. */
const BLOCK = 10
const TEXT = 'Tell me more about this, please.'

/** Starts the server, measures everything once, and stops the server. */
export async function measure(peer: Peer, model: ModelProcess, extent: Extent): Promise<Figures> {
  const server = await peer.start(model.url(peer.modelPath))
  const talks: Talk[] = []
  // Without a server every wait ends, and the run has failed.
  const limit = setTimeout(() => void server.stop(), RUN_MS)
  try {
    await warmUp(server, model)
    const idle = await openIdle(server, talks, peer.opens === null ? { ...extent, idleSeconds: 0 } : extent)
    const woken = await stream(server, model, talks.slice(0, extent.streams), { tokens: TOKENS, paceMs: PACE_MS })
    const awake = await stream(server, model, talks.slice(0, extent.streams), { tokens: TOKENS, paceMs: PACE_MS })
    const crowd = await serveCrowd(server, model, talks, extent)
    for (const talk of talks) talk.close()
    return {
      coldMs: server.coldMs,
      firstP50: awake.firstP50,
      firstP99: awake.firstP99,
      everyP50: awake.everyP50,
      everyP99: awake.everyP99,
      wokenP50: woken.firstP50,
      wokenP99: woken.firstP99,
      turnCpuMs: awake.cpuMs,
      turnBytes: awake.bytes,
      turnFrames: awake.frames,
      ...(peer.opens === null ? NOTHING_OPENED : idle),
      ...(peer.opens === 'sessions' ? {} : { begunPerSecond: null, begunCpuMs: null }),
      ...crowd,
      ...(await converse(server, model, extent.turns)),
    }
  } finally {
    clearTimeout(limit)
    for (const talk of talks) talk.close()
    await server.stop()
  }
}

async function warmUp(server: Served, model: ModelProcess): Promise<void> {
  const talks: Talk[] = []
  await open(WARM_UP, server, talks)
  for (let turn = 0; turn < 5; turn++) await stream(server, model, talks, { tokens: TOKENS, paceMs: 2 })
  for (const talk of talks) talk.close()
  await pause(server.data === null ? 2_000 : SLEEP_MS)
}

const NOTHING_OPENED = {
  begunPerSecond: null,
  begunCpuMs: null,
  connectedPerSecond: null,
  connectedCpuMs: null,
  idleBytes: null,
  diskBytes: null,
}

/** Begins sessions, connects to them, and leaves them alone. */
async function openIdle(server: Served, talks: Talk[], { streams, idleSeconds }: Extent) {
  const count = streams * 2
  const memory = await residentBytes(server.pid)
  const disk = server.data === null ? 0 : await bytesIn(server.data)
  const begun = await timed(server, count, async () => void talks.push(await server.begin()))
  let next = 0
  const connected = await timed(server, count, async () => talks[next++]?.connect())
  await pause(idleSeconds * 1_000)
  const onDisk = server.data === null ? null : (await bytesIn(server.data)) - disk
  return {
    begunPerSecond: begun.perSecond,
    begunCpuMs: begun.cpuMs,
    connectedPerSecond: connected.perSecond,
    connectedCpuMs: connected.cpuMs,
    idleBytes: ((await residentBytes(server.pid)) - memory) / count,
    diskBytes: onDisk === null ? null : onDisk / count,
  }
}

async function open(count: number, server: Served, talks: Talk[]): Promise<void> {
  await inTurn(count, async () => {
    const talk = await server.begin()
    talks.push(talk)
    await talk.connect()
  })
}

async function timed(server: Served, count: number, act: () => Promise<void>) {
  const [cpu, from] = [await cpuMs(server.pid), now()]
  await inTurn(count, act)
  return { perSecond: (count / (now() - from)) * 1_000, cpuMs: ((await cpuMs(server.pid)) - cpu) / count }
}

/** Acts `count` times, with `AT_ONCE` of them at the same time. */
async function inTurn(count: number, act: () => Promise<void>): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) await act()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

/** Says something in all talks within a second, and measures the answers. */
async function stream(
  server: Served,
  model: ModelProcess,
  talks: readonly Talk[],
  plan: { tokens: number; paceMs: number },
) {
  await model.plan(plan)
  const cpu = await cpuMs(server.pid)
  const watch = watchTimers()
  const from = now()
  await within(
    Promise.all(
      talks.map(async (talk, at) => {
        await pause(Math.max(0, from + (at * 1_000) / talks.length - now()))
        const end = talk.ear.listen()
        talk.say(TEXT)
        await end
      }),
    ),
  )
  const used = (await cpuMs(server.pid)) - cpu
  await pause(LATE_FRAMES_MS)
  for (const { ear } of talks) ear.stop()
  const late = watch()
  const sent = await model.sent()
  const delays = talks.map(({ ear }) => [...ear.arrived].map(([number, at]) => at - (sent[number] ?? Number.NaN)))
  const missing = talks.length * plan.tokens - sum(delays.map(({ length }) => length))
  if (missing > 0) throw new Error(`${missing} tokens did not arrive`)
  const first = talks.map(({ ear }) => {
    const number = Math.min(...ear.arrived.keys())
    return (ear.arrived.get(number) ?? Number.NaN) - (sent[number] ?? Number.NaN)
  })
  const every = delays.flat()
  return {
    firstP50: quantile(first, 0.5) ?? Number.NaN,
    firstP99: quantile(first, 0.99) ?? Number.NaN,
    everyP50: quantile(every, 0.5) ?? Number.NaN,
    everyP99: quantile(every, 0.99) ?? Number.NaN,
    cpuMs: used / talks.length,
    bytes: sum(talks.map(({ ear }) => ear.bytes)) / talks.length,
    frames: sum(talks.map(({ ear }) => ear.frames)) / talks.length,
    clientLateP99: quantile(late, 0.99) ?? 0,
  }
}

async function serveCrowd(server: Served, model: ModelProcess, talks: Talk[], { crowd, crowdTokens }: Extent) {
  try {
    await open(crowd - talks.length, server, talks)
    const plan = { tokens: crowdTokens, paceMs: PACE_MS }
    const { everyP50, everyP99, clientLateP99 } = await stream(server, model, talks.slice(0, crowd), plan)
    return { crowdP50: everyP50, crowdP99: everyP99, crowdFailure: null, clientLateP99 }
  } catch (error) {
    return { crowdP50: null, crowdP99: null, crowdFailure: String(error), clientLateP99: null }
  }
}

/** Holds a few long conversations without pauses, and compares the turns near the tenth with the last ten. */
async function converse(server: Served, model: ModelProcess, turns: number) {
  const nothing = { earlyCpuMs: null, lateCpuMs: null, earlyMs: null, lateMs: null, longTurns: null }
  const { beginLong } = server
  if (!beginLong || turns === 0) return nothing
  await pause(2_000)
  await model.plan({ tokens: TOKENS, paceMs: 0 })
  const talks = await Promise.all(Array.from({ length: LONG_TALKS }, () => beginLong()))
  const until = now() + LONG_MS
  try {
    for (const talk of talks) await talk.connect()
    await block(server, talks, 5)
    const early = await block(server, talks, BLOCK)
    let [late, held] = [early, 5 + BLOCK]
    while (held < turns && now() < until) {
      late = await block(server, talks, BLOCK)
      held += BLOCK
    }
    return { earlyCpuMs: early.cpuMs, lateCpuMs: late.cpuMs, earlyMs: early.ms, lateMs: late.ms, longTurns: held }
  } finally {
    for (const talk of talks) talk.close()
  }
}

/** Says something in all talks, again and again. */
async function block(server: Served, talks: readonly Talk[], turns: number) {
  const [cpu, times] = [await cpuMs(server.pid), [] as number[]]
  for (let turn = 0; turn < turns; turn++)
    await Promise.all(
      talks.map(async (talk) => {
        const from = now()
        const end = talk.ear.listen()
        talk.say(TEXT)
        await within(end)
        times.push(now() - from)
      }),
    )
  return { cpuMs: ((await cpuMs(server.pid)) - cpu) / turns / talks.length, ms: median(times) }
}

async function within<T>(done: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = pause(TURN_MS, null, { signal: stop.signal }).then(() => {
    throw new Error('a turn did not end')
  })
  try {
    return await Promise.race([done, late])
  } finally {
    late.catch(() => {})
    stop.abort()
  }
}

/** Watches how late this process runs its timers. Returns a function that ends the watch and returns the delays. */
function watchTimers(): () => readonly number[] {
  const [late, step] = [[] as number[], 5]
  let due = now() + step
  const timer = setInterval(() => {
    late.push(Math.max(0, now() - due))
    due = now() + step
  }, step)
  return () => {
    clearInterval(timer)
    return late
  }
}
