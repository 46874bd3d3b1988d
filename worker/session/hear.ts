import { jsonrepair } from 'jsonrepair'
import { ActorError, type ActorFailure } from '../actor/actor.ts'
import type { Briefing } from '../core/briefing/briefing.ts'
import { outsideOf } from '../core/briefing/outside-of.ts'
import { holdsSeparator } from '../core/reply/neutralise.ts'
import { everything } from '../core/reply/echoes.ts'
import { readReply } from '../core/reply/read-report.ts'
import { SEPARATOR } from '../core/reply/separator.ts'
import { EMPTY_REPORT, type Report, type ReportQuality } from '../core/reply/report.ts'
import { createReplySplitter } from '../core/reply/splitter.ts'
import { createCoalescer } from './coalesce.ts'
import { LiveReply, type ReplySink } from './live-reply.ts'
import type { StoredTurn } from './turn.ts'
import type { TurnDeps } from './turn-deps.ts'
import { stepped } from '../steps.ts'

/** How often clients get a piece of a running reply, and how much text sends it at once. */
const DELTA_MS = 40
const DELTA_CHARACTERS = 64

/** What came of listening to an actor: a reply with its report, or why there is none. */
export type HearOutcome =
  | { readonly ok: true; readonly speech: string; readonly report: Report; readonly quality: ReportQuality }
  | { readonly ok: false; readonly failure: ActorFailure | 'unexpected' }

/** The part of a turn's dependencies that listening needs. */
export type Listening = Pick<TurnDeps, 'actor' | 'npc' | 'after' | 'probe'>

/**
 * Listens to one reply. What is spoken goes out while it is spoken; the report is kept back and read at the end, fail
 * closed. Never throws: an actor that breaks off is an outcome.
 */
export async function hear(
  deps: Listening,
  turn: Pick<StoredTurn, 'id' | 'attempt'>,
  briefing: Briefing,
  signal: AbortSignal,
  show: ReplySink,
): Promise<HearOutcome> {
  const live = new LiveReply(turn.id, turn.attempt)
  const { scene, separator } = briefing
  const outside = outsideOf(scene, scene.node.state?.thoughts ?? [])
  const splitter = createReplySplitter({
    separator,
    // Where one was written to the actor, one in the reply may be a copy of it.
    takesPlain: separator !== SEPARATOR && !everything(outside).some(holdsSeparator),
    npcName: deps.npc.name,
  })
  const coalescer = createCoalescer({
    ms: DELTA_MS,
    limit: DELTA_CHARACTERS,
    after: (ms, task) => deps.after(ms, task),
    send(text) {
      // Added first: a piece that did not go out leaves a gap that clients notice, and ask to have filled.
      const delta = live.add(text)
      stepped(deps.probe, 'show', () => show.piece(delta))
    },
  })
  show.begin(live)
  try {
    for await (const piece of deps.actor.speak(briefing, signal)) coalescer.add(splitter.feed(piece))
    const end = splitter.end()
    coalescer.add(end.tail)
    if (end.speech === '') return SILENCE
    const { report, quality } = readReply(end, { repair: jsonrepair, outside })
    return { ok: true, speech: end.speech, report, quality }
  } catch (error) {
    if (error instanceof ActorError && error.failure === 'empty') return SILENCE
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  } finally {
    coalescer.flush()
  }
}

/** The actor had nothing to say: a refusal, or an empty reply. It counts as a turn, with nothing reported. */
const SILENCE: HearOutcome = { ok: true, speech: '', report: EMPTY_REPORT, quality: 'missing' }
