import { base64UrlOf } from '../bytes.ts'
import { type Erasing, NOT_ERASING } from './people/erasing.ts'
import type { TranscriptReader, Scope } from './scope.ts'

/** Number of random bytes in an id: 128 bits, the size of a UUID. */
const ID_BYTES = 16

export interface ScopeOptions {
  readonly db: D1Database
  readonly tenant: string
  readonly by: string
  readonly secret: string
  readonly conversations: TranscriptReader
  /** Needed only for erasing people. */
  readonly erasing?: Erasing
}

/** Creates the scope of a tenant, with the platform's clock and random numbers. */
export function openScope(options: ScopeOptions): Scope {
  return {
    erasing: NOT_ERASING,
    ...options,
    now: () => Date.now(),
    newId: (kind) => `${kind}_${base64UrlOf(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`,
  }
}
