/**
 * A select of what is held to be so of a person by the two ids of theirs, `?2` and `?3`: of one key told under both, what
 * holds of the two ([memory-9]). One select for each id, since SQLite merges two that each come off their index in order.
 *
 * @param which a condition on the key
 */
export function heldFacts(which: string): string {
  const own = (id: string, other: string, beats: string) =>
    `SELECT key, value, source, confidence, at FROM facts WHERE tenant = ?1 AND user_id = ${id} AND ${which}
       AND NOT EXISTS (SELECT 1 FROM facts AS other
         WHERE other.tenant = ?1 AND other.user_id = ${other} AND other.key = facts.key
           AND (other.at, other.confidence, other.source, other.value)
             ${beats} (facts.at, facts.confidence, facts.source, facts.value))`
  return `${own('?2', '?3', '>')} UNION ALL ${own('?3', '?2', '>=')}`
}
