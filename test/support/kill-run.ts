import { setTimeout as pause } from 'node:timers/promises'
import { Crowd, type CrowdOptions } from './crowd.ts'
import type { KillableServer } from './killable-server.ts'
import { lots } from './lots.ts'
import type { MarkedModel } from './marked-model.ts'
import type { Breach } from './stream-watcher.ts'
import type { Closed } from './talk.ts'

export interface KillPlan extends CrowdOptions {
  readonly kills: number
  /**
   * Which kills strike wrangler and all its processes. These are the kills whose number is a multiple of `wholeEvery`;
   * 0 means none. All other kills strike only the process that runs the worker.
   */
  readonly wholeEvery: number
  /** Called after each kill with a line that describes it. */
  readonly told?: (line: string) => void
}

/** The results of a run of kills. */
export interface KillSummary {
  readonly kills: number
  /** How many of the kills struck wrangler and all its processes. */
  readonly whole: number
  /**
   * How many replies were being streamed when the kills struck, for all kills together. `fewestHit` is the number for
   * the kill that struck the fewest.
   */
  readonly streamsHit: number
  readonly fewestHit: number
  readonly conversations: number
  readonly messages: { readonly written: number; readonly acknowledged: number }
  readonly turns: { readonly complete: number; readonly cut: number; readonly failed: number; readonly voided: number }
  readonly characters: { readonly stored: number; readonly voided: number }
  readonly commands: number
  readonly modelCalls: number
  /** How long it took from a kill until every client had a `hello` again, in milliseconds. */
  readonly back: { readonly median: number; readonly longest: number }
  readonly breaches: readonly Breach[]
}

/**
 * What happens at the moment of a kill, and how many percent of the kills have such a moment. `said` means that a
 * learner has just sent a message.
 */
const MOMENTS = [
  ['delta', 45],
  ['turn-start', 10],
  ['turn', 10],
  ['acknowledged', 10],
  ['said', 25],
] as const

type Moment = (typeof MOMENTS)[number][0]

/** About how long a message needs to the server and back, in milliseconds. */
const SOON_MS = 25
/** The share of the learners who must be receiving a reply when a kill strikes, at least. */
const ENOUGH = 2 / 3
/** The most pieces of a reply that each learner receives between two kills, on average. */
const PIECES = 30

/**
 * Lets learners talk while the process of their server is killed again and again. A seed decides at which moments. At
 * the end, compares everything that the learners saw with what the server has stored.
 */
export async function runKills(server: KillableServer, model: MarkedModel, plan: KillPlan): Promise<KillSummary> {
  const { kills, wholeEvery, learners, told } = plan
  const crowd = new Crowd(server, model, plan)
  const draw = lots(plan.seed)
  const hits: number[] = []
  const backMs: number[] = []
  crowd.live()
  for (let n = 1; n <= kills; n++) {
    const isWhole = wholeEvery > 0 && n % wholeEvery === 0
    const pid = isWhole ? undefined : await server.workerPid()
    await moment(crowd, learners, draw)
    const { streaming, tabs } = crowd
    const hellos = tabs.map((tab) => tab.hellos)
    const from = performance.now()
    await (isWhole ? killAll(server) : server.crash(pid))
    await crowd.allBack(tabs, hellos)
    hits.push(streaming)
    backMs.push(performance.now() - from)
    told?.(`kill ${n}${isWhole ? ' (all)' : ''}: ${streaming} streams, back in ${backMs.at(-1)?.toFixed(0)} ms`)
  }
  const { conversations, breaches } = await crowd.settle()
  return {
    ...sum(conversations),
    ...struck(hits, backMs),
    whole: wholes(plan),
    modelCalls: model.said.length,
    breaches,
  }
}

async function killAll(server: KillableServer): Promise<void> {
  await server.kill()
  await server.resume()
}

/**
 * Waits for the moment of a kill: first until three quarters of the learners are receiving a reply, and then for a
 * certain event.
 */
async function moment(crowd: Crowd, learners: number, draw: (below: number) => number): Promise<void> {
  await crowd.until('most to be spoken to', () => crowd.streaming >= Math.ceil(learners * 0.75))
  const name = drawMoment(draw)
  let target = crowd.pulse.count(name) + 1 + (name === 'delta' ? draw(PIECES * learners) : 0)
  do {
    await crowd.until(`the next ${name}`, () => crowd.pulse.count(name) >= target)
    // A message is now on its way to the server, is being stored, or is being answered. The kill strikes then.
    if (name === 'said') await pause(draw(SOON_MS))
    target = crowd.pulse.count(name) + 1
    // If the machine is slow, the model is quicker than everything else. Most learners may then be waiting for a reply
    // when the event comes. In this case, the loop waits for the event again.
  } while (crowd.streaming < learners * ENOUGH)
}

function drawMoment(draw: (below: number) => number): Moment {
  let at = draw(100)
  for (const [name, share] of MOMENTS) {
    if (at < share) return name
    at -= share
  }
  return 'delta'
}

function struck(hits: readonly number[], backMs: readonly number[]) {
  const sorted = backMs.toSorted((a, b) => a - b)
  return {
    kills: hits.length,
    streamsHit: hits.reduce((total, hit) => total + hit, 0),
    fewestHit: Math.min(...hits),
    back: { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 },
  }
}

function wholes({ kills, wholeEvery }: KillPlan): number {
  return wholeEvery > 0 ? Math.floor(kills / wholeEvery) : 0
}

function sum(conversations: readonly Closed[]) {
  const stored = conversations.flatMap(({ stored: log }) => log)
  const ends = (outcome: string) => stored.filter((event) => event.type === 'turn' && event.outcome === outcome).length
  const total = (of: (each: Closed) => number) => conversations.reduce((all, each) => all + of(each), 0)
  return {
    conversations: conversations.length,
    messages: { written: total(({ written }) => written), acknowledged: total(({ acknowledged }) => acknowledged) },
    turns: {
      complete: ends('complete'),
      cut: ends('cut'),
      failed: ends('failed'),
      voided: stored.filter((event) => event.type === 'turn-start' && event.attempt > 1).length,
    },
    characters: { stored: total(({ shown }) => shown.stored), voided: total(({ shown }) => shown.voided) },
    commands: stored.filter(({ type }) => type === 'command').length,
  }
}
