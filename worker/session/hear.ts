import { jsonrepair } from 'jsonrepair'
import { ActorError, type ActorFailure } from '../actor/actor.ts'
import { type AgentWork, readWork } from '../core/assistant/read-work.ts'
import type { Briefing } from '../core/briefing/briefing.ts'
import { outsideOf } from '../core/briefing/latest.ts'
import { holdsSeparator } from '../core/reply/neutralise.ts'
import { inputTexts } from '../core/reply/echoes.ts'
import { readReply } from '../core/reply/read-report.ts'
import { SEPARATOR } from '../core/reply/separator.ts'
import { EMPTY_REPORT, type Report, type ReportQuality } from '../core/reply/report.ts'
import { createReplySplitter } from '../core/reply/splitter.ts'
import { LiveReply, type ReplySink } from './live-reply.ts'
import type { StoredTurn } from './turn.ts'
import type { TurnDeps } from './turn-deps.ts'
import { stepped } from '../steps.ts'
import type { Config } from '../env.ts'

type HearOutcome =
  | {
      readonly ok: true
      readonly speech: string
      readonly report: Report
      readonly quality: ReportQuality
      readonly work?: AgentWork
    }
  | { readonly ok: false; readonly failure: ActorFailure | 'unexpected' }

type Listening = Pick<TurnDeps, 'actor' | 'npc' | 'probe'>

/**
 * Receives one reply from the actor. Each piece of the speech is sent to clients at once; the actor gathers what arrives
 * together. The report is held back and parsed
 * at the end; a field that cannot be parsed counts as not reported. Never throws: if the actor fails, the result
 * contains the failure.
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
    // If each reply has its own separator, the plain separator (`SEPARATOR`) is accepted too. But if the actor's input
    // contained a separator, the plain separator is not accepted, because the actor may have copied it from the input.
    takesPlain: separator !== SEPARATOR && !inputTexts(outside).some(holdsSeparator),
    npcName: deps.npc.name,
  })
  const say = (text: string) => {
    if (text === '') return
    // The piece is added to `live` before it is sent. If the sending fails, clients notice the gap and request the
    // missing text.
    const delta = live.add(text)
    stepped(deps.probe, 'show', () => show.piece(delta))
  }
  show.begin(live)
  try {
    for await (const piece of deps.actor.speak(briefing, signal)) say(splitter.feed(piece))
    const end = splitter.end()
    say(end.tail)
    if (end.speech === '') return SILENCE
    const { report, quality } = readReply(end, { repair: jsonrepair, outside })
    const work = scene.told && quality !== 'echoed' ? { work: readWork(end.metadata, jsonrepair) } : {}
    return { ok: true, speech: end.speech, report, quality, ...work }
  } catch (error) {
    if (error instanceof ActorError && error.failure === 'empty') return SILENCE
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  }
}

/**
 * The result if the actor said nothing: it refused, or its reply was empty. The turn counts as complete, with an empty
 * report.
 */
const SILENCE: HearOutcome = { ok: true, speech: '', report: EMPTY_REPORT, quality: 'missing' }

/**
 * How a deployment separates speech from report: always by the same line, or by a new unpredictable line in each reply.
 */
export type SeparatorKind = Config['separator']

/** The characters of a nonce: Crockford's Base32, without letters that look like digits. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'
const LENGTH = 8

/**
 * Returns the line that the model must write between the speech and the report of its next reply. With the kind
 * `nonce`, each line contains 40 random bits.
 */
export function newSeparator(kind: SeparatorKind): string {
  if (kind === 'plain') return SEPARATOR
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return `---END:${Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')}---`
}
