import * as z from 'zod'
import { type ClassRecord, type LearnerRecord, LONGEST_SHOWN_REASON, MOST_REASONS } from '../../core/run/class-view.ts'
import type { ClassView } from '../../wire/run.ts'
import { rowsTogether, type Scope, statement } from '../scope.ts'

/**
 * Parses the list of facts that a learner has heard. The schema drops entries of another form, and ignores unknown
 * keys.
 */
const factsSchema = z
  .array(z.object({ id: z.string(), at: z.number() }).nullable().catch(null))
  .transform((all) => all.filter((each) => each !== null))

const decisionSchema = z.object({ option: z.string().min(1), evidence: z.array(z.string()), at: z.number() })

interface ClassRow {
  readonly id: string
  readonly code: string
  readonly title: string
  readonly scenario: string
  readonly created_at: number
  readonly closed_at: number | null
}

interface RunRow {
  readonly run_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly nickname: string | null
  /** The decision as JSON text; null before the learner has decided. */
  readonly decision: string | null
}

interface PlayRow {
  readonly run_id: string
  readonly npc: string
  readonly ended_at: number | null
  readonly active_at: number
  readonly facts: string
}

const CLASS = 'SELECT id, code, title, scenario, created_at, closed_at FROM classes WHERE tenant = ?1 AND id = ?2'

// `RUNS` leaves out the reason of a decision, which `REASONS` reads without the learner. `PLAYS` leaves out the words of
// heard facts. With these texts the answer would be too large.
const RUNS = `SELECT k.run_id, c.created_at, c.updated_at,
    iif(json_type(c.data, '$.nickname') = 'text', json_extract(c.data, '$.nickname'), NULL) AS nickname,
    json_remove(c.data -> '$.decision', '$.reason') AS decision
  FROM class_runs k CROSS JOIN contexts c ON c.tenant = ?1 AND c.id = k.run_id
  WHERE k.tenant = ?1 AND k.class_id = ?2 ORDER BY k.joined_at, k.run_id`

const PLAYS = `SELECT p.run_id, p.npc, s.ended_at, s.active_at,
    (SELECT json_group_array(json_object('id', f.value -> '$.fact', 'at', f.value -> '$.at'))
     FROM json_each(c.data, '$.facts') f WHERE f.type = 'object') AS facts
  FROM class_runs k
  CROSS JOIN plays p ON p.tenant = ?1 AND p.run_id = k.run_id
  CROSS JOIN sessions s ON s.tenant = ?1 AND s.session = p.session
  LEFT JOIN contexts c ON c.tenant = ?1 AND c.id = s.context_id
  WHERE k.tenant = ?1 AND k.class_id = ?2`

// The earliest reasons of each option. A decision whose option or reason is no text has no reason here.
const REASONS = `SELECT option, reason FROM (
    SELECT c.data ->> '$.decision.option' AS option, substr(c.data ->> '$.decision.reason', 1, ${LONGEST_SHOWN_REASON + 1}) AS reason,
      row_number() OVER (
        PARTITION BY c.data ->> '$.decision.option' ORDER BY c.data ->> '$.decision.at', k.run_id
      ) AS place
    FROM class_runs k CROSS JOIN contexts c ON c.tenant = ?1 AND c.id = k.run_id
    WHERE k.tenant = ?1 AND k.class_id = ?2
      AND json_type(c.data, '$.decision.option') = 'text' AND json_type(c.data, '$.decision.reason') = 'text')
  WHERE place <= ${MOST_REASONS} ORDER BY place`

/**
 * Reads a class and its learners at one moment, in four statements for any number of learners. Returns null if the
 * class does not exist.
 */
export async function readClass(scope: Scope, id: string): Promise<ClassRecord | null> {
  const [[found], runs, plays, reasons] = (await rowsTogether(
    scope,
    [CLASS, RUNS, PLAYS, REASONS].map((sql) => statement(scope, sql, id)),
  )) as unknown as [ClassRow[], RunRow[], PlayRow[], ClassRecord['reasons']]
  if (!found) return null
  const byRun = Map.groupBy(plays, ({ run_id }) => run_id)
  const { code, title, scenario, created_at: startedAt } = found
  return {
    id,
    code,
    title,
    scenario,
    startedAt,
    closed: found.closed_at !== null,
    reasons,
    learners: runs.map((run) => learner(run, byRun.get(run.run_id) ?? [])),
  }
}

function learner(run: RunRow, plays: readonly PlayRow[]): LearnerRecord {
  return {
    run: run.run_id,
    nickname: run.nickname ?? '',
    startedAt: run.created_at,
    activeAt: Math.max(run.updated_at, ...plays.map(({ active_at }) => active_at)),
    decision: decisionSchema
      .nullable()
      .catch(null)
      .parse(JSON.parse(run.decision ?? 'null')),
    plays: plays.map(({ npc, ended_at: endedAt, facts }) => ({
      npc,
      isOver: endedAt !== null,
      heard: factsSchema.parse(JSON.parse(facts)),
    })),
  }
}

/**
 * Returns a class as rows of a table: a header, then one row for each learner. Times are ISO 8601; a missing value is
 * empty. The column of a colleague contains the status of the learner's conversation with that colleague.
 */
export function classLines({ learners, options }: ClassView): readonly (readonly string[])[] {
  const npcs = learners[0]?.people.map(({ npc }) => npc) ?? []
  const names = ['nickname', 'started', 'active', ...npcs, 'facts heard', 'facts', 'decision', 'verdict', 'run']
  return [
    names,
    ...learners.map(({ run, nickname, startedAt, activeAt, people, facts, option, verdict }) => [
      nickname,
      timeOf(startedAt),
      timeOf(activeAt),
      ...people.map(({ status }) => status),
      String(facts?.heard ?? ''),
      String(facts?.deciding ?? ''),
      options.find((each) => each.option === option)?.title ?? option ?? '',
      verdict ?? '',
      run,
    ]),
  ]
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
