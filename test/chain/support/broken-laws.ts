import type { Stored } from './stored.ts'

type Row = Stored['contexts'][number]

const MOVES = ['active completed', 'active cancelled', 'active blocked', 'blocked active', 'blocked cancelled']

/** Contexts that are not where the walk up from them says: by a parent, root or depth, or in a circle. */
export function misplaced({ contexts }: Stored): readonly unknown[] {
  return contexts.filter((row) => {
    const way = wayUp(contexts, row)
    const root = way.at(-1)
    const isWhole = root?.['parent_id'] === null && way.length <= 11
    return !isWhole || row['root_id'] !== root['id'] || row['depth'] !== way.length - 1
  })
}

/** Changes of status that may not be, of all that were ever written down. */
export function illegalMoves(stored: Stored): readonly string[] {
  return stored.contexts.flatMap((row) => {
    const statuses = historyOf(stored, row).map(({ status }) => String(status))
    const first = ['active', 'blocked'].includes(statuses[0] ?? '') ? [] : [`begins ${statuses[0]}`]
    const moves = statuses.slice(1).map((status, index) => `${statuses[index]} ${status}`)
    return [...first, ...moves.filter((move) => !MOVES.includes(move) && new Set(move.split(' ')).size > 1)]
  })
}

/** Contexts whose versions do not go 1, 2, 3, or go back in time. */
export function brokenHistories(stored: Stored): readonly unknown[] {
  return stored.contexts.filter((row) => {
    const history = historyOf(stored, row)
    const isCounted = history.every(({ version }, index) => version === index + 1)
    const isForward = history.every(({ at }, index) => index === 0 || Number(at) >= Number(history[index - 1]?.at))
    return !isCounted || !isForward || history[0]?.at !== row['created_at']
  })
}

/** Everything about where contexts stand that should be found, as kind and id, in any order. */
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

/** Those of a set of ids, and everything under them. */
export function withAllUnder({ contexts }: Pick<Stored, 'contexts'>, ids: readonly unknown[]): readonly Row[] {
  return contexts.filter((row) => wayUp(contexts, row).some(({ id }) => ids.includes(id)))
}

/** Versions of contexts that are not there. */
export function leftBehind({ contexts, versions }: Stored): readonly unknown[] {
  const ids = new Set(contexts.map(({ id }) => id))
  return versions.filter(({ context_id }) => !ids.has(context_id ?? null))
}

/** Who takes part in a context without taking part in all above it. Its own space is not asked: it came with the context. */
export function strayParticipants({ contexts }: Stored): readonly string[] {
  return contexts.flatMap((row) => {
    const above = wayUp(contexts, row).slice(1)
    const others = participantsOf(row).filter((name) => name !== row['space'])
    return others.filter((name) => above.some((each) => !participantsOf(each).includes(name)))
  })
}

/** From a context up to its root, or until the way comes to a context again. */
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
