import { canonicalOrigin, type OriginPolicy } from './origin.ts'

/** What is wrong with the value is for whoever deploys; it holds nothing of it. */
export type ReadOrigins =
  | { readonly ok: true; readonly policy: OriginPolicy }
  | { readonly ok: false; readonly problem: string }

/** The page that comes with the Worker, and programs: so that a machine of one's own needs no setting. */
export const DEFAULT_ORIGINS: OriginPolicy = { self: true, none: true, exact: new Set() }

/** Reads `WALKON_ORIGINS`: exact origins, `self` and `none`, separated by spaces or commas ([trust-2]). */
export function readOrigins(text: string): ReadOrigins {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const origins = words.filter((word) => word !== 'self' && word !== 'none')
  if (words.length === 0 || origins.some((origin) => canonicalOrigin(origin) === null)) return { ok: false, problem }
  return {
    ok: true,
    policy: { self: words.includes('self'), none: words.includes('none'), exact: new Set(origins) },
  }
}

const problem =
  'must list exact origins as a browser writes them, such as https://school.example, besides the words self and none'
