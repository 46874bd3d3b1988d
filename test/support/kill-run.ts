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
   * Every kill whose number is a multiple of `wholeEvery` strikes wrangler and all its processes, instead of only the
   * process that runs the worker. 0 means no such kill.
   */
  readonly wholeEvery: number
  /** Called after each kill with a line that describes it. */
  readonly told?: (line: string) => void
}

/** The results of a run of kills. */
export interface KillSummary {
  readonly kills: number
  /** How many of these kills struck wrangler and all its processes. */
  readonly whole: number
  /**
   * How many replies were being streamed when a kill struck, summed over all kills. `fewestHit` is the smallest number
   * at one kill.
   */
  readonly streamsHit: number
  readonly fewestHit: number
  readonly conversations: number
  readonly messages: { readonly written: number; readonly acknowledged: number }
  readonly turns: { readonly complete: number; readonly cut: number; readonly failed: number; readonly voided: number }
  readonly characters: { readonly stored: number; readonly voided: number }
  readonly commands: number
  readonly modelCalls: number
  /** Time from a kill until every client had its `hello` again, in milliseconds. */
  readonly back: { readonly median: number; readonly longest: number }
  readonly breaches: readonly Breach[]
}

/** The events at which a kill strikes, each with its share of the kills in percent. */
const MOMENTS = [
  ['delta', 45],
  ['turn-start', 10],
  ['turn', 10],
  ['acknowledged', 10],
  ['said', 25],
] as const

type Moment = (typeof MOMENTS)[number][0]

/** About the time of a message's round trip, in milliseconds. */
const SOON_MS = 25
/** The smallest share of learners who must be receiving a reply when a kill strikes. */
const ENOUGH = 2 / 3
/** The most pieces of a reply per learner between two kills. */
const PIECES = 30

/**
 * Lets learners talk while their server's process is killed again and again, at moments that a seed draws. Then
 * compares everything that the learners were shown with what the server has stored.
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
 * Waits until three quarters of the learners are receiving a reply. Then waits for the event at which the kill strikes.
 */
async function moment(crowd: Crowd, learners: number, draw: (below: number) => number): Promise<void> {
  await crowd.until('most to be spoken to', () => crowd.streaming >= Math.ceil(learners * 0.75))
  const name = drawMoment(draw)
  let target = crowd.pulse.count(name) + 1 + (name === 'delta' ? draw(PIECES * learners) : 0)
  do {
    await crowd.until(`the next ${name}`, () => crowd.pulse.count(name) >= target)
    // The kill strikes while a learner's message is under way, is being stored, or is being answered.
    if (name === 'said') await pause(draw(SOON_MS))
    target = crowd.pulse.count(name) + 1
    // On a slow machine, everything but the model is slower. When the event comes, most learners may therefore be
    // waiting for a reply. In this case the loop waits for another event.
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
