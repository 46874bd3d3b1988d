import { ActorError, type ActorFailure } from '../actor/actor.ts'
import type { Walk } from '../core/walk/walk.ts'
import { answerRequest } from './answer-request.ts'
import { hear } from './hear.ts'
import { briefingFor, type Told, toldBefore } from './open-turn.ts'
import type { StoredTurn } from './turn.ts'
import type { Conversing } from './stage.ts'
import { stepped, steppedAsync } from '../steps.ts'
import { advance, beginLoop, type Brought, type Came, conclude, noAnswer } from './turn-loop.ts'
import { type Asked, type TurnLoop } from './turn.ts'

/** What a turn came to, before any of it is written. */
export type Conversed = ({ readonly ok: true } & Came) | { readonly ok: false; readonly failure: Failure }

/** `superseded`: somebody else has taken the turn over, or ended it. */
type Failure = ActorFailure | 'unexpected' | 'superseded'

/** What a turn has of being stored. */
export interface Keeping {
  /** Where it goes on; null to begin it. */
  readonly from: TurnLoop | null
  /** Keeps how far it has come. Returns whether the turn still is whose it was. */
  readonly keep: (loop: TurnLoop) => boolean
}

const NOTHING_KEPT: Keeping = { from: null, keep: () => true }

/**
 * Takes one turn from the learner's message to where it comes to rest: the walk says what it needs, somebody does it,
 * and what came of it goes back into the walk, until nothing is asked for any more. But for the reply as it is spoken,
 * nothing is sent, and nothing is written but how far it has come: a turn is a transaction. Never throws for an actor's
 * sake.
 */
export async function converse(
  stage: Conversing,
  turn: StoredTurn,
  signal: AbortSignal,
  { from, keep }: Keeping = NOTHING_KEPT,
): Promise<Conversed> {
  let told: Told | null = null
  let loop = from ?? stepped(stage.probe, 'open', () => beginLoop(stage, stage.store.walk(), turn, stage.now()))
  while (loop.asked) {
    const { asked, walk } = loop
    const served = await serve(() => {
      told ??= toldBefore(stage, turn)
      return asked.type === 'brief'
        ? speak(stage, { turn, told }, walk, asked, signal)
        : ask(stage, { turn, told }, walk, asked, signal)
    })
    // Nothing may void a reply that was spoken: what is asked after it and fails has no answer.
    if (!served.ok && (!loop.spoken || signal.aborted)) return served
    loop = advance(stage, loop, served.ok ? served : noAnswer(asked, turn), turn, stage.now())
    // What the turn ends with is written whole, in the same stretch: it need not be kept before.
    if (loop.asked && !keep(loop)) return { ok: false, failure: 'superseded' }
  }
  const came = conclude(loop, turn)
  return came ? { ok: true, ...came } : { ok: false, failure: 'unexpected' }
}

type Served = ({ readonly ok: true } & Brought) | { readonly ok: false; readonly failure: Failure }

interface At {
  readonly turn: StoredTurn
  readonly told: Told
}

type Briefed = Extract<Asked, { type: 'brief' }>

async function ask(
  stage: Conversing,
  at: At,
  walk: Walk,
  asked: Exclude<Asked, Briefed>,
  signal: AbortSignal,
): Promise<Served> {
  const event = await steppedAsync(stage.probe, 'ask', () => answerRequest(stage, at, walk, asked, signal))
  return { ok: true, event, spoken: null }
}

async function speak(stage: Conversing, at: At, walk: Walk, asked: Briefed, signal: AbortSignal): Promise<Served> {
  const briefing = briefingFor(stage, at.told, walk, asked.node)
  const heard = await steppedAsync(stage.probe, 'speak', () => hear(stage, at.turn, briefing, signal))
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

async function serve(work: () => Promise<Served>): Promise<Served> {
  try {
    return await work()
  } catch (error) {
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  }
}
