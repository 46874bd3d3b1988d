import type { Output } from '../api/operations.ts'
import { MAX_DEPTH } from '../context.ts'

export type Finding = Output<'verifyIntegrity'>['items'][number]

/** A context as it is stored, with what other rows say of it. */
export interface Stored {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
  readonly version: number
  readonly childCount: number
  /** How many contexts name it as their parent. */
  readonly children: number
  /** Its earlier states: how many there are, and the least and the greatest of their numbers. */
  readonly versions: { readonly count: number; readonly least: number | null; readonly most: number | null }
  /** Whether it is counted among those of its kind; and, if its parent is missing, among the children of that. */
  readonly isCounted: boolean
  /** It, and everything above it that is there, in any order. */
  readonly line: readonly Place[]
}

export interface Place {
  readonly id: string
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
}

/** Everything about a context that does not fit together (B2-15). */
export function findingsOf(stored: Stored): readonly Finding[] {
  return [...placeFindings(stored), ...versionFindings(stored), ...countFindings(stored)]
}

/**
 * Where it should stand is read off its way up. Under an orphan nobody knows the root, so what is there has to agree with
 * the orphan; the orphan alone is to be repaired. A way up that never ends leads to no root at all.
 */
function placeFindings({ id, parentId, rootId, depth, line }: Stored): readonly Finding[] {
  const ids = new Set(line.map((each) => each.id))
  const top = line.find((each) => each.parentId === null || !ids.has(each.parentId))
  if (!top) return [{ kind: 'cycle', contextId: id, found: `parent ${parentId}`, expected: 'a way up to a root' }]
  const steps = line.length - 1
  const isOrphaned = top.parentId !== null
  const root = isOrphaned ? top.rootId : top.id
  const level = (isOrphaned ? top.depth : 0) + steps
  return [
    ...some(isOrphaned && top.id === id, {
      kind: 'orphan',
      found: `parent ${parentId}`,
      expected: 'a parent that is there',
    }),
    ...some(rootId !== root, { kind: 'wrong-root', found: rootId, expected: root }),
    ...some(depth !== level, { kind: 'wrong-depth', found: String(depth), expected: String(level) }),
    ...some(level > MAX_DEPTH, { kind: 'too-deep', found: String(level), expected: `at most ${MAX_DEPTH}` }),
  ].map((each) => ({ contextId: id, ...each }))
}

/** The earlier states are numbered from 1, each number once, up to the one before the latest. */
function versionFindings({ id, version, versions }: Stored): readonly Finding[] {
  const { count, least, most } = versions
  const fits = count === version - 1 && (count === 0 || (least === 1 && most === count))
  const range = count === 0 ? 'none' : `${count} from ${least} to ${most}`
  const expected = version === 1 ? 'none' : `${version - 1} from 1 to ${version - 1}`
  return some(!fits, { kind: 'version-gap', contextId: id, found: range, expected })
}

function countFindings({ id, childCount, children, isCounted }: Stored): readonly Finding[] {
  return [
    ...some(childCount !== children, { kind: 'wrong-count', found: `${childCount} children`, expected: `${children}` }),
    ...some(!isCounted, { kind: 'wrong-count', found: 'not counted', expected: 'counted' }),
  ].map((each) => ({ contextId: id, ...each }))
}

function some<const T>(condition: boolean, finding: T): readonly T[] {
  return condition ? [finding] : []
}
