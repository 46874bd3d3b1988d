/** One place at which two pieces of plain data differ: another value there, or nothing any more. */
export type Change =
  | { readonly path: readonly (string | number)[]; readonly value: unknown }
  | { readonly path: readonly (string | number)[]; readonly isRemoved: true }

/** What leads from one piece of data to another, in an order in which it can be done: removals from the end. */
export function changesBetween(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): readonly Change[] {
  if (isSame(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path)
  if (isRecord(before) && isRecord(after)) return recordChanges(before, after, path)
  return [{ path, value: after }]
}

function recordChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): readonly Change[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return [
    ...Object.keys(after).flatMap((key) => changesBetween(before[key], after[key], [...path, key])),
    ...removed.map((key): Change => ({ path: [...path, key], isRemoved: true })),
  ]
}

function listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly (string | number)[],
): readonly Change[] {
  if (before.length === after.length) {
    return before.flatMap((item, i) => changesBetween(item, after[i], [...path, i]))
  }
  const gone = missingFrom(before, after)
  if (gone === null) return [{ path, value: after }]
  return gone.toReversed().map((i) => ({ path: [...path, i], isRemoved: true }))
}

/** Indexes whose items are left out, when that is all that happened. */
function missingFrom(before: readonly unknown[], after: readonly unknown[]): readonly number[] | null {
  let met = 0
  const gone = before.flatMap((item, i) => {
    if (met < after.length && isSame(item, after[met])) {
      met += 1
      return []
    }
    return [i]
  })
  return met === after.length ? gone : null
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
