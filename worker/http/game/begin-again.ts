import {
  type Again,
  againId,
  findAgain,
  type PlayAgain,
  writeAgain,
  type WrittenPlay,
} from '../../chain/runs/write-again.ts'
import { committedOrBusy } from '../../chain/commit.ts'
import { readRun } from '../../chain/runs/read-run.ts'
import type { Scope } from '../../chain/scope.ts'
import { type CopyOpening, playOf } from '../../session/begin-as.ts'
import type { ConversationCopy, Copied, Moment } from '../../session/conversation-copy.ts'
import type { RunHeld } from '../../trust/game-credentials.ts'

/** The conversations' objects, as far as a run that begins again has to reach them. */
export interface Objects {
  /** A name for a conversation that nobody has had. */
  newSession(): string
  copyUntil(session: string, moment: Moment): Promise<Copied>
  beginAs(session: string, copy: ConversationCopy, opening: CopyOpening): Promise<void>
  /**
   * Has it bring into the chain what it has for it. Ends when it has, or has tried for long enough, and never rejects: what could
   * not be brought is brought later, by its own alarm.
   */
  flush(session: string): Promise<void>
}

export type BegunAgain =
  | { readonly ok: true; readonly run: string }
  | { readonly ok: false; readonly why: 'unknown-run' | 'undecided' | 'unknown-moment' }

/**
 * Begins a run from a pivot of one that was decided, with everything before it as it was ([again-1]). The same wish leads to
 * the same run however often it is asked for, and goes on wherever it was given up before: the run is written whole before
 * any of its objects begins, and each of those begins from what is written.
 *
 * @throws ChainError ERASURE_RUNNING, BUSY
 */
export async function beginAgain(
  { scope, objects }: { readonly scope: Scope; readonly objects: Objects },
  held: Pick<RunHeld, 'id' | 'learner'>,
  wish: Omit<Again, 'run'>,
): Promise<BegunAgain> {
  const again: Again = { ...wish, run: held.id }
  const id = await againId(scope, again)
  const written = await committedOrBusy(() => writeOnce(scope, objects, { id, again, held }))
  if (!written.ok) return written
  await Promise.all(written.plays.map((play) => beginCopy(objects, play, held)))
  const until = scope.now() + FLUSH_MS
  // One after the other: all of them write to the same run. What is left is brought by their own alarms.
  for (const { session } of written.plays) if (scope.now() < until) await objects.flush(session)
  return { ok: true, run: id }
}

/** For how long a learner waits for what the conversations bring into the chain, in milliseconds. */
const FLUSH_MS = 5_000

type WrittenAgain = { readonly ok: true; readonly plays: readonly WrittenPlay[] } | Extract<BegunAgain, { ok: false }>

/** Null when something it stands on was taken away, or it was written by somebody else, in between. */
async function writeOnce(
  scope: Scope,
  objects: Objects,
  { id, again, held }: { readonly id: string; readonly again: Again; readonly held: Pick<RunHeld, 'id' | 'learner'> },
): Promise<WrittenAgain | null> {
  const { learner } = held
  const known = await findAgain(scope, id, learner)
  if (known !== null) return { ok: true, plays: known }
  const gathered = await gather(scope, objects, held, again)
  if (!gathered.ok) return gathered
  if (!(await writeAgain(scope, id, { again, learner, plays: gathered.plays }))) return null
  const plays = await findAgain(scope, id, learner)
  return plays && { ok: true, plays }
}

/**
 * Has the object of one conversation begin, if it has not, as the copy that is written down for it.
 *
 * @returns false when what it is a copy of is not there any more
 */
export async function beginCopy(
  objects: Pick<Objects, 'copyUntil' | 'beginAs'>,
  { session, place, from }: Pick<WrittenPlay, 'session' | 'place' | 'from'>,
  { learner }: Pick<RunHeld, 'learner'>,
): Promise<boolean> {
  const copy = from && (await objects.copyUntil(from.session, { seq: from.seq }))
  if (copy === null || copy === 'not-kept') return false
  await objects.beginAs(session, copy, { session, epoch: crypto.randomUUID(), learner, run: place })
  return true
}

type Gathered = { readonly ok: true; readonly plays: readonly PlayAgain[] } | Extract<BegunAgain, { ok: false }>

/** The conversations as they stood when the pivot was put to the learner. */
async function gather(
  scope: Scope,
  objects: Objects,
  held: Pick<RunHeld, 'id' | 'learner'>,
  { npc, pivot }: Again,
): Promise<Gathered> {
  const run = await readRun(scope, held)
  if (run === null) return { ok: false, why: 'unknown-run' }
  const { decision, plays } = run.standing
  if (decision === null) return { ok: false, why: 'undecided' }
  const asked = plays.find((play) => play.npc === npc)
  const moment = asked && (await objects.copyUntil(asked.session, { pivot }))
  if (!asked || !moment || moment === 'not-kept') return { ok: false, why: 'unknown-moment' }
  const others = await Promise.all(
    plays
      .filter((play) => play !== asked)
      .map(async ({ session }) => ({ session, copy: await objects.copyUntil(session, { at: moment.at }) })),
  )
  const all = [{ session: asked.session, copy: moment }, ...others]
  if (all.some(({ copy }) => copy === 'not-kept')) return { ok: false, why: 'unknown-moment' }
  return {
    ok: true,
    plays: all.flatMap(({ session, copy }): PlayAgain[] =>
      copy === null || copy === 'not-kept'
        ? []
        : [{ session: objects.newSession(), from: { session, seq: copy.seq }, ...playOf(copy) }],
    ),
  }
}
