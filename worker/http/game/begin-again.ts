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
import { type CopyOpening, playOf, type ReadScenario } from '../../session/begin-as.ts'
import type { ConversationCopy, CopyResult, CopyMoment } from '../../session/conversation-copy.ts'
import type { RunHeld } from '../../trust/game-credentials.ts'

/** The calls to conversations' Durable Objects that `beginAgain` makes. Tests replace these calls. */
export interface Objects {
  /** Returns the session id of a new conversation. */
  newSession(): string
  copyUntil(session: string, moment: CopyMoment): Promise<CopyResult>
  beginAs(session: string, copy: ConversationCopy, opening: CopyOpening): Promise<void>
  /**
   * Makes the conversation write its waiting events to the chain. Resolves when the events are written, or after a time
   * limit. After the time limit, the object's alarm writes the remaining events. Never rejects.
   */
  flush(session: string): Promise<void>
  /** Reads a scenario to which a conversation is pinned. */
  readonly scenario: ReadScenario
}

export type BegunAgain =
  | { readonly ok: true; readonly run: string }
  | { readonly ok: false; readonly why: 'unknown-run' | 'undecided' | 'unknown-moment' }

/**
 * Begins a new run at a pivot (a fork) of an old run whose learner has decided, or at the decision. The new run contains
 * a copy of everything before that moment ([again-1]). First the whole new run is stored in the chain, then the Durable Object of
 * each copied conversation begins. If a call stops halfway, a call with the same arguments does the rest and returns
 * the same run.
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
  // The conversations write their events one after the other, because all of them change the same run. After the time
  // limit, the objects' alarms write the remaining events.
  for (const { session } of written.plays) if (scope.now() < until) await objects.flush(session)
  return { ok: true, run: id }
}

/** The longest that a learner waits for the conversations to write to the chain, in milliseconds. */
const FLUSH_MS = 5_000

type WrittenAgain = { readonly ok: true; readonly plays: readonly WrittenPlay[] } | Extract<BegunAgain, { ok: false }>

/**
 * Stores the new run, unless it is stored already. Returns null if the caller should try again, because another request
 * has changed the data meanwhile.
 */
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
 * Begins the Durable Object of one copied conversation, unless the object has begun.
 *
 * @returns false if the original conversation no longer exists
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

async function gather(
  scope: Scope,
  objects: Objects,
  held: Pick<RunHeld, 'id' | 'learner'>,
  { moment }: Again,
): Promise<Gathered> {
  const run = await readRun(scope, held)
  if (run === null) return { ok: false, why: 'unknown-run' }
  const { decision, plays } = run.standing
  if (decision === null) return { ok: false, why: 'undecided' }
  const asked = plays.find(({ npc }) => npc === moment?.npc)
  const fork = moment && asked ? await objects.copyUntil(asked.session, { pivot: moment.pivot }) : null
  if (moment !== null && (!asked || !fork || fork === 'not-kept')) return { ok: false, why: 'unknown-moment' }
  const at = fork && fork !== 'not-kept' ? fork.at : decision.at
  const all = await Promise.all(
    plays.map(async (play) => {
      const { session } = play
      return { session, copy: play === asked ? fork : await objects.copyUntil(session, { at }) }
    }),
  )
  if (all.some(({ copy }) => copy === 'not-kept')) return { ok: false, why: 'unknown-moment' }
  const copied = all.flatMap(({ session, copy }) => (copy === null || copy === 'not-kept' ? [] : [{ session, copy }]))
  const begun = await Promise.all(
    copied.map(async ({ session, copy }): Promise<PlayAgain> => {
      const play = await playOf(copy, objects.scenario)
      return { session: objects.newSession(), from: { session, seq: copy.seq }, ...play }
    }),
  )
  return { ok: true, plays: begun }
}
