import { ActorError, type ActorFailure } from '../actor/actor.ts'
import type { Walk } from '../core/walk/walk.ts'
import { answerRequest } from './answer-request.ts'
import { hear } from './hear.ts'
import type { ReplySink } from './live-reply.ts'
import { briefingFor, type TurnContext, turnContextOf } from './turn-context.ts'
import type { AwaitedWork, StoredTurn, TurnLoop } from './turn.ts'
import type { ConverseDeps } from './turn-deps.ts'
import { stepped, steppedAsync } from '../steps.ts'
import { advance, beginLoop, type WorkResult, type TurnResult, conclude, noAnswer } from './turn-loop.ts'

/** The result of a turn before the turn's end is written. */
export type ConverseOutcome = ({ readonly ok: true } & TurnResult) | { readonly ok: false; readonly failure: Failure }

/** `superseded`: another runner has taken the turn over, or ended it. */
type Failure = ActorFailure | 'unexpected' | 'superseded'

/** Connects a turn to its store and its clients. */
export interface TurnLinks {
  /** The progress from which the turn continues; null to begin the turn. */
  readonly from: TurnLoop | null
  /** Stores the turn's progress. Returns true if the turn still belongs to this runner. */
  readonly keep: (loop: TurnLoop) => boolean
  /** Says that the turn makes progress, so that it is not called off. */
  readonly alive: () => void
  readonly show: ReplySink
}

const NO_LINKS: TurnLinks = {
  from: null,
  keep: () => true,
  alive: () => {},
  show: { begin: () => {}, piece: () => {} },
}

/**
 * Runs one turn from the learner's message until the walk is at rest. The walk requests work, the actor or a memory
 * source does the work, and the walk gets the result, until the walk requests no more work. A turn is a transaction:
 * before its end, only the spoken part of the reply is sent, and only the turn's progress is stored. If the actor
 * fails, `converse` does not throw.
 */
export async function converse(
  deps: ConverseDeps,
  turn: StoredTurn,
  signal: AbortSignal,
  links: Partial<TurnLinks> = {},
): Promise<ConverseOutcome> {
  const { from, keep, show } = { ...NO_LINKS, ...links }
  let context: TurnContext | null = null
  let loop = from ?? stepped(deps.probe, 'open', () => beginLoop(deps, deps.store.walk(), turn, deps.now()))
  while (loop.asked) {
    const { asked, walk } = loop
    const served = await serve(() => {
      context ??= turnContextOf(deps, turn)
      return asked.type === 'brief'
        ? speak(deps, { turn, context, show }, walk, asked, signal)
        : ask(deps, { turn, context }, walk, asked, signal)
    })
    // If work after the spoken reply fails, the reply stays valid, and the walk gets an empty answer to that work.
    if (!served.ok && (!loop.spoken || signal.aborted)) return served
    loop = advance(deps, loop, served.ok ? served : noAnswer(asked, turn), turn, deps.now())
    // The last progress need not be stored, because the end of the turn is written next, without an await in between.
    if (loop.asked && !keep(loop)) return { ok: false, failure: 'superseded' }
  }
  const result = conclude(deps, loop, turn)
  return result ? { ok: true, ...result } : { ok: false, failure: 'unexpected' }
}

type WorkOutcome = ({ readonly ok: true } & WorkResult) | { readonly ok: false; readonly failure: Failure }

interface At {
  readonly turn: StoredTurn
  readonly context: TurnContext
}

type Briefed = Extract<AwaitedWork, { type: 'brief' }>

async function ask(
  deps: ConverseDeps,
  at: At,
  walk: Walk,
  asked: Exclude<AwaitedWork, Briefed>,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const event = await steppedAsync(deps.probe, 'ask', () => answerRequest(deps, at, walk, asked, signal))
  return { ok: true, event, spoken: null }
}

async function speak(
  deps: ConverseDeps,
  at: At & { readonly show: ReplySink },
  walk: Walk,
  asked: Briefed,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const brought = (await deps.brought?.(at.turn)) ?? null
  // The learner may have stopped the turn during the await above. In that case, the actor is not called.
  if (signal.aborted) return { ok: false, failure: 'aborted' }
  const briefing = briefingFor(deps, { ...at.context, brought }, walk, asked.node)
  const heard = await steppedAsync(deps.probe, 'speak', () => hear(deps, at.turn, briefing, signal, at.show))
  if (!heard.ok) return heard
  const { speech, report, quality, work } = heard
  const offers = deps.actor.offers?.(briefing) ?? []
  const node = deps.info.graph.nodes[walk.node]
  const metadata = node && 'messageMetadata' in node ? node.messageMetadata : []
  return {
    ok: true,
    event: { type: 'report', turnId: String(at.turn.id), seq: walk.seq + 1, report, quality },
    spoken: {
      speech,
      report,
      quality,
      metadata,
      ...(offers.length > 0 && { offers }),
      ...(brought && { brought }),
      ...(work && { work }),
    },
  }
}

async function serve(work: () => Promise<WorkOutcome>): Promise<WorkOutcome> {
  try {
    return await work()
  } catch (error) {
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  }
}
