import type { Stored } from './stored.ts'

type Row = Stored['contexts'][number]

const MOVES = ['active completed', 'active cancelled', 'active blocked', 'blocked active', 'blocked cancelled']

/** Returns the contexts whose root or depth does not agree with their parents, and the contexts in a cycle. */
export function misplaced({ contexts }: Stored): readonly unknown[] {
  return contexts.filter((row) => {
    const way = wayUp(contexts, row)
    const root = way.at(-1)
    const isWhole = root?.['parent_id'] === null && way.length <= 11
    return !isWhole || row['root_id'] !== root['id'] || row['depth'] !== way.length - 1
  })
}

/** Returns all forbidden changes of status in the stored versions. */
export function illegalMoves(stored: Stored): readonly string[] {
  return stored.contexts.flatMap((row) => {
    const statuses = historyOf(stored, row).map(({ status }) => String(status))
    const first = ['active', 'blocked'].includes(statuses[0] ?? '') ? [] : [`begins ${statuses[0]}`]
    const moves = statuses.slice(1).map((status, index) => `${statuses[index]} ${status}`)
    return [...first, ...moves.filter((move) => !MOVES.includes(move) && new Set(move.split(' ')).size > 1)]
  })
}

/** Returns the contexts whose versions are not numbered 1, 2, 3, … or go back in time. */
export function brokenHistories(stored: Stored): readonly unknown[] {
  return stored.contexts.filter((row) => {
    const history = historyOf(stored, row)
    const isCounted = history.every(({ version }, index) => version === index + 1)
    const isForward = history.every(({ at }, index) => index === 0 || Number(at) >= Number(history[index - 1]?.at))
    return !isCounted || !isForward || history[0]?.at !== row['created_at']
  })
}

/**
 * Returns every finding about positions in the tree that `verifyIntegrity` must report. A finding is a text with its
 * kind and the id of its context. The findings are in no particular order.
 */
export function expectedFindings({ contexts }: Pick<Stored, 'contexts'>): readonly string[] {
  return contexts.flatMap((row) => {
    const way = wayUp(contexts, row)
    const top = way.at(-1) ?? row
    if (contexts.some(({ id }) => id === top['parent_id'])) return [`cycle ${row['id']}`]
    const isOrphaned = top['parent_id'] !== null
    const root = isOrphaned ? top['root_id'] : top['id']
    const depth = (isOrphaned ? Number(top['depth']) : 0) + way.length - 1
    return [
      isOrphaned && top === row ? `orphan ${row['id']}` : '',
      root === row['root_id'] ? '' : `wrong-root ${row['id']}`,
      depth === row['depth'] ? '' : `wrong-depth ${row['id']}`,
      depth > 10 ? `too-deep ${row['id']}` : '',
    ].filter((finding) => finding !== '')
  })
}

/** Returns the contexts with these ids and all their descendants. */
export function withAllUnder({ contexts }: Pick<Stored, 'contexts'>, ids: readonly unknown[]): readonly Row[] {
  return contexts.filter((row) => wayUp(contexts, row).some(({ id }) => ids.includes(id)))
}

/** Returns the versions of contexts that do not exist. */
export function leftBehind({ contexts, versions }: Stored): readonly unknown[] {
  const ids = new Set(contexts.map(({ id }) => id))
  return versions.filter(({ context_id }) => !ids.has(context_id ?? null))
}

/**
 * Returns the participants of a context who do not participate in all its ancestors. A context's own space is left out,
 * because it was added with the context.
 */
export function strayParticipants({ contexts }: Stored): readonly string[] {
  return contexts.flatMap((row) => {
    const above = wayUp(contexts, row).slice(1)
    const others = participantsOf(row).filter((name) => name !== row['space'])
    return others.filter((name) => above.some((each) => !participantsOf(each).includes(name)))
  })
}

/** Returns a context and its ancestors, up to the root or until a context repeats. */
function wayUp(contexts: readonly Row[], row: Row): readonly Row[] {
  const way = [row]
  for (;;) {
    const parent = contexts.find(({ id }) => id === way.at(-1)?.['parent_id'])
    if (!parent || way.includes(parent)) return way
    way.push(parent)
  }
}

function historyOf({ versions }: Stored, row: Row) {
  const earlier = versions.filter(({ context_id }) => context_id === row['id'])
  return [...earlier, { version: row['version'], status: row['status'], at: row['updated_at'] }].map((each) => ({
    version: each['version'],
    status: each['status'],
    at: each['at'],
  }))
}

function participantsOf(row: Row): readonly string[] {
  return row['participants'] as unknown as readonly string[]
}
