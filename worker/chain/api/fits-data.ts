import type { ChainErrorCode } from '../chain-error.ts'

/** The most that `data` or `metadata` may be as JSON text in UTF-8, after merging too. A row of D1 holds 2 MB. */
export const MOST_DATA_BYTES = 65_536
/** The most objects and lists that may stand in one another, the outermost counted. */
const MOST_DATA_LEVELS = 32

/** Why free data of a tenant is too much, or null. Depth first: how long very deep data is cannot be asked, since
 * writing it as text goes down all its levels. */
export function dataProblem(data: unknown): Extract<ChainErrorCode, 'TOO_DEEP' | 'TOO_LONG'> | null {
  if (isDeeper(data, MOST_DATA_LEVELS)) return 'TOO_DEEP'
  return bytesOfData(data) > MOST_DATA_BYTES ? 'TOO_LONG' : null
}

/** How long data is as JSON text, in bytes of UTF-8. */
function bytesOfData(data: unknown): number {
  return new TextEncoder().encode(JSON.stringify(data)).length
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
