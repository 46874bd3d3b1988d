import { ActorError, type ActorFailure } from '../actor/actor.ts'
import { walkOn } from '../core/walk/engine.ts'
import type { CommandEffect, Effect, SendEffect, Step, WalkEvent } from '../core/walk/event.ts'
import type { LogRecord } from '../core/walk/log-record.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { Report, ReportQuality } from '../core/reply/report.ts'
import { answerRequest } from './answer-request.ts'
import { fallbackLine, LAST_FALLBACK_LINE } from './fallback-line.ts'
import { hear } from './hear.ts'
import { briefingFor, openTurn, type Told, toldBefore } from './open-turn.ts'
import type { StoredTurn } from './session-store.ts'
import type { Conversing } from './stage.ts'

/** What a turn came to, before any of it is written. */
export type Conversed =
  | {
      readonly ok: true
      readonly walk: Walk
      /** What was said; a line in character when the actor had nothing to say. */
      readonly text: string
      readonly report: Report
      readonly quality: ReportQuality
      readonly commands: readonly CommandEffect[]
      readonly sends: readonly SendEffect[]
      readonly records: readonly LogRecord[]
    }
  | { readonly ok: false; readonly failure: ActorFailure | 'unexpected' }

/**
 * Takes one turn from the learner's message to where it comes to rest: the walk says what it needs, somebody does it,
 * and what came of it goes back into the walk, until nothing is asked for any more. Nothing is written and, but for
 * the reply as it is spoken, nothing is sent: a turn is a transaction. Never throws for an actor's sake.
 */
export async function converse(stage: Conversing, turn: StoredTurn, signal: AbortSignal): Promise<Conversed> {
  const { graph } = stage.info
  const done = { commands: [] as CommandEffect[], sends: [] as SendEffect[], records: [] as LogRecord[] }
  const startedAt = stage.now()
  let told: Told | null = null
  let spoken: Spoken | null = null
  let stepped = openTurn(stage, stage.store.walk(), turn.id)
  for (;;) {
    keep(done, stepped, turn, stage.now())
    const asked = stepped.effects.find(isAsked)
    if (!asked) break
    const came = await attempt(() => {
      told ??= toldBefore(stage, turn)
      return serve(stage, { turn, told }, stepped.walk, asked, signal)
    })
    if (!came.ok) return came
    if (came.spoken) spoken = { ...came.spoken, at: stage.now(), place: done.records.length }
    stepped = walkOn(graph, stepped.walk, came.event)
  }
  if (!spoken || stepped.walk.open) return { ok: false, failure: 'unexpected' }
  const { speech, report, quality, metadata, place } = spoken
  const text = speech === '' ? unsaid(stepped.walk, turn) : speech
  done.records.splice(place, 0, said('npc', text, metadata, turn, spoken.at))
  done.records.unshift(said('learner', turn.learner, [], turn, startedAt))
  return {
    ok: true,
    walk: stepped.walk,
    text,
    report,
    quality,
    ...done,
    records: done.records.filter(sentIn(done.sends)),
  }
}

/** What was to be sent on a way that was taken back as a loop never goes out, and the log does not say that it did. */
function sentIn(sends: readonly SendEffect[]): (record: LogRecord) => boolean {
  return ({ entry }) => entry.type !== 'sent' || sends.some(({ id }) => id === entry.id)
}

function unsaid(walk: Walk, turn: StoredTurn): string {
  return walk.end ? LAST_FALLBACK_LINE : fallbackLine(turn.id)
}

function said(
  who: 'learner' | 'npc',
  text: string,
  metadata: readonly string[],
  turn: StoredTurn,
  at: number,
): LogRecord {
  return { at, turn: String(turn.id), entry: { type: 'message', who, text, metadata } }
}

/** The reply, once there is one. */
interface Spoken {
  readonly speech: string
  readonly report: Report
  readonly quality: ReportQuality
  /** Labels of the state it was spoken in. */
  readonly metadata: readonly string[]
  readonly at: number
  /** Where in the records it belongs. */
  readonly place: number
}

type Asked = Exclude<Effect, CommandEffect | SendEffect>

type Served =
  | { readonly ok: true; readonly event: WalkEvent; readonly spoken: Omit<Spoken, 'at' | 'place'> | null }
  | { readonly ok: false; readonly failure: ActorFailure | 'unexpected' }

async function serve(
  stage: Conversing,
  at: { turn: StoredTurn; told: Told },
  walk: Walk,
  asked: Asked,
  signal: AbortSignal,
): Promise<Served> {
  if (asked.type !== 'brief') {
    return { ok: true, event: await answerRequest(stage, at, walk, asked, signal), spoken: null }
  }
  const heard = await hear(stage, at.turn, briefingFor(stage, at.told, walk, asked.node), signal)
  if (!heard.ok) return heard
  const { speech, report, quality } = heard
  const node = stage.info.graph.nodes[walk.node]
  const metadata = node && 'messageMetadata' in node ? node.messageMetadata : []
  return {
    ok: true,
    event: { type: 'report', turnId: String(at.turn.id), seq: walk.seq + 1, report, quality },
    spoken: { speech, report, quality, metadata },
  }
}

async function attempt(work: () => Promise<Served>): Promise<Served> {
  try {
    return await work()
  } catch (error) {
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  }
}

function keep(
  done: { commands: CommandEffect[]; sends: SendEffect[]; records: LogRecord[] },
  { effects, trace }: Step,
  turn: StoredTurn,
  at: number,
): void {
  for (const effect of effects) {
    if (effect.type === 'command') done.commands.push(effect)
    if (effect.type === 'send') done.sends.push(effect)
  }
  done.records.push(...trace.map((entry) => ({ at, turn: String(turn.id), entry })))
}

function isAsked(effect: Effect): effect is Asked {
  return effect.type !== 'command' && effect.type !== 'send'
}
