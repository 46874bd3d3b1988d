import * as z from 'zod'
import { once } from '../../core/once.ts'
import type { OtherTalk } from '../../core/briefing/brought.ts'
import type { Learner } from '../../trust/learner.ts'
import { factsUnder } from '../memories/facts.ts'
import type { PersonFact } from '../memory.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import { talkDataSchema } from './run-data.ts'

/**
 * What the chain knows at the beginning of a turn: the learner's conversations with other colleagues, and facts about
 * the learner.
 */
export interface BroughtRead {
  /** The run's conversations with other colleagues in which the learner said something, oldest first. */
  readonly talks: readonly OtherTalk[]
  readonly known: readonly PersonFact[]
}

/** The most conversations of a run that are read: the newest. */
const MOST_TALKS = 20

const MOST_FACTS = 50

/** For a conversation outside a simulation, the chain stores only the title of the document that was handed over. */
const dataSchema = once(() => talkDataSchema().extend({ document: z.string().nullable().catch(null).default(null) }))

/**
 * Reads a learner's conversations with the other colleagues of a run, and facts about the learner, at one moment and in
 * one call to the database. For an anonymous learner, only facts from the run's conversations are read ([memory-20]).
 *
 * @param npc the colleague, whose own conversations are left out
 */
export async function readBrought(
  scope: Scope,
  { run, learner, npc }: { readonly run: string; readonly learner: Learner; readonly npc: string },
): Promise<BroughtRead> {
  const [talks, known] = (await rowsTogether(scope, [
    statement(
      scope,
      `SELECT s.npc, c.data FROM sessions s LEFT JOIN contexts c ON c.tenant = ?1 AND c.id = s.context_id
       WHERE s.tenant = ?1 AND s.run_id = ?2 AND s.user_id = ?3 AND s.npc <> ?4 AND s.met_at IS NOT NULL
       ORDER BY s.created_at DESC LIMIT ?5`,
      run,
      learner.id,
      npc,
      MOST_TALKS,
    ),
    factsUnder(scope, learner.id, { run: learner.kind === 'anonymous' ? run : null, limit: MOST_FACTS }),
  ])) as unknown as [{ npc: string; data: string | null }[], PersonFact[]]
  return { talks: talks.toReversed().map(talkOf), known }
}

function talkOf({ npc, data }: { readonly npc: string; readonly data: string | null }): OtherTalk {
  const { paper, document, facts } = dataSchema().parse(data === null ? {} : JSON.parse(data))
  return { npc, hasPaper: paper !== null || document !== null, facts }
}
