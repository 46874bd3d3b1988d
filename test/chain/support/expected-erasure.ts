import type { Row, Tables } from './people-forest.ts'

/**
 * Gets the rows of a tenant as they are before an erasure. Computes the rows that the erasure must leave, and the
 * numbers that it must report. This function shares no code with the erasure.
 */
export function expectedErasure(
  before: Tables,
  ids: readonly string[],
  mode: 'preserve' | 'subtree',
): { readonly tables: Tables; readonly contexts: Readonly<Record<string, number>> } {
  const isTheirs = ({ user_id: user }: Row) => ids.includes(String(user))
  const scrubbedName = (value: unknown) => (ids.includes(String(value)) ? 'erased' : (value as string))
  const sessions = before.sessions.filter(isTheirs).map(({ session }) => session)
  const byId = new Map(before.contexts.map((row) => [row['id'], row]))
  const parentOf = (row: Row) => byId.get(row['parent_id'] ?? null)
  const lineage = (row: Row): Row[] => {
    const parent = parentOf(row)
    return parent ? [parent, ...lineage(parent)] : []
  }
  const isGone = (row: Row) => isTheirs(row) || (mode === 'subtree' && lineage(row).some(isTheirs))
  const staying = before.contexts.filter((row) => !isGone(row))
  const keepers = (row: Row) => lineage(row).filter((ancestor) => !isGone(ancestor))
  const isThere = new Set(staying.map(({ id }) => id))

  const contexts = staying.map((row) => {
    const above = keepers(row)
    const erasedRef = sessions.includes(row['conversation_id'] ?? null)
    const participants = [...new Set((JSON.parse(String(row['participants'])) as string[]).map(scrubbedName))]
    return {
      ...row,
      parent_id: above[0]?.['id'] ?? null,
      root_id: above.at(-1)?.['id'] ?? row['id'] ?? null,
      depth: above.length,
      space: scrubbedName(row['space']),
      updated_by: scrubbedName(row['updated_by']),
      participants: JSON.stringify(participants),
      ...(erasedRef ? { conversation_id: null, message_ids: null } : {}),
    }
  })
  const children = (id: unknown) => contexts.filter(({ parent_id: parent }) => parent === id).length
  const counted = contexts.map((row) => ({ ...row, child_count: children(row['id' as never]) }))

  const versions = before.context_versions
    .filter(({ context_id: id }) => isThere.has(id ?? null))
    .map((row) => ({ ...row, made_by: scrubbedName(row['made_by']) }))
  const memories = before.memories
    .filter((row) => !isTheirs(row))
    .map((row) => {
      const context = counted.find((each) => each['id' as never] === row['context_id'])
      const space = scrubbedName(row['space'])
      const ref = sessions.includes(row['conversation_id'] ?? null) ? { conversation_id: null, message_ids: null } : {}
      const place =
        row['context_id'] === null || context
          ? { root_id: context?.root_id ?? row['root_id'] ?? null }
          : { context_id: null, root_id: null, purpose: null }
      return without({ ...row, space, ...ref, ...place }, 'scope')
    })
  const facts = before.facts
    .filter((row) => !isTheirs(row))
    .map((row) => ({ ...row, source: scrubbedName(row['source']) }))

  const named = (row: Row) =>
    ids.includes(String(row['space'])) ||
    ids.includes(String(row['updated_by'])) ||
    sessions.includes(row['conversation_id'] ?? null) ||
    (JSON.parse(String(row['participants'])) as string[]).some((name) => ids.includes(name)) ||
    before.context_versions.some((v) => v['context_id'] === row['id'] && ids.includes(String(v['made_by'])))
  const moved = staying.filter((row) => row['parent_id'] !== null && !isThere.has(row['parent_id'] ?? null))
  return {
    tables: {
      contexts: counted,
      context_versions: versions,
      memories,
      facts,
      sessions: before.sessions.filter((row) => !isTheirs(row)),
    } as unknown as Tables,
    contexts: {
      deleted: before.contexts.length - staying.length,
      reparented: moved.filter((row) => keepers(row).length > 0).length,
      promoted: moved.filter((row) => keepers(row).length === 0).length,
      scrubbed: staying.filter(named).length,
    },
  }
}

/** Returns a row without a column. */
export function without<T extends Row>(row: T, column: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))
}
