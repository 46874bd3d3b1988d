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

/**
 * Time between two pieces of a running reply, in milliseconds, and the number of characters after which a piece is sent
 * at once.
 */
const DELTA_MS = 40
const DELTA_CHARACTERS = 64

type HearOutcome =
  | {
      readonly ok: true
      readonly speech: string
      readonly report: Report
      readonly quality: ReportQuality
      readonly work?: AgentWork
    }
  | { readonly ok: false; readonly failure: ActorFailure | 'unexpected' }

type Listening = Pick<TurnDeps, 'actor' | 'npc' | 'after' | 'probe'>

/**
 * Receives one reply from the actor. The speech is sent to clients while it arrives. The report is held back and parsed
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
  const coalescer = createCoalescer({
    ms: DELTA_MS,
    limit: DELTA_CHARACTERS,
    after: (ms, task) => deps.after(ms, task),
    send(text) {
      // The piece is added to `live` before it is sent. If the sending fails, clients notice the gap and request the
      // missing text.
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
    const work = scene.told && quality !== 'echoed' ? { work: readWork(end.metadata, jsonrepair) } : {}
    return { ok: true, speech: end.speech, report, quality, ...work }
  } catch (error) {
    if (error instanceof ActorError && error.failure === 'empty') return SILENCE
    return { ok: false, failure: error instanceof ActorError ? error.failure : 'unexpected' }
  } finally {
    coalescer.flush()
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

/** Gathers text so that clients get a frame every `ms` milliseconds or `limit` characters, not one per token. */
interface Coalescer {
  add(text: string): void
  flush(): void
}

/**
 * Creates a coalescer, which gathers short pieces of text and sends them as longer ones.
 *
 * @param options.after runs a task later and returns a function that cancels it
 * @param options.send gets the gathered text, which is never empty
 */
export function createCoalescer(options: {
  ms: number
  limit: number
  after: (ms: number, task: () => void) => () => void
  send: (text: string) => void
}): Coalescer {
  let gathered = ''
  let cancel: (() => void) | null = null

  const flush = () => {
    cancel?.()
    cancel = null
    if (gathered === '') return
    const text = gathered
    gathered = ''
    options.send(text)
  }
  const add = (text: string) => {
    gathered += text
    if (gathered.length >= options.limit) flush()
    else if (gathered !== '') cancel ??= options.after(options.ms, flush)
  }
  return { add, flush }
}
