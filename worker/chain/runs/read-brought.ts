import * as z from 'zod'
import type { OtherTalk } from '../../core/briefing/brought.ts'
import type { Learner } from '../../trust/learner.ts'
import { factsUnder } from '../memories/facts.ts'
import type { PersonFact } from '../memory.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'
import { talkDataSchema } from './run-data.ts'

/** What the chain knows at the beginning of a turn: the learner's talks with others, and facts about the learner. */
export interface BroughtRead {
  /** The run's conversations with other colleagues in which the learner said something, oldest first. */
  readonly talks: readonly OtherTalk[]
  readonly known: readonly PersonFact[]
}

/** The most conversations of a run that are read: the newest. */
const MOST_TALKS = 20

/** The most facts about one person that are read. */
const MOST_FACTS = 50

/** A conversation that is not part of a simulation has the title of its document, and no content. */
const dataSchema = talkDataSchema.extend({ document: z.string().nullable().catch(null).default(null) })

/**
 * Reads what a learner brings to a colleague in a run, at one moment and in one call to the database. The facts about
 * an anonymous learner are those of the run ([memory-20]).
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
  const { paper, document, facts } = dataSchema.parse(data === null ? {} : JSON.parse(data))
  return { npc, hasPaper: paper !== null || document !== null, facts }
}
