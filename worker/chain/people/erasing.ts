/** The Durable Objects that store something of a person, as an erasure uses them. */
export interface Erasing {
  /** The deployment's own names in the chain: its colleagues, its runs and the author of its versions. */
  readonly ownNames: readonly string[]
  /** Deletes everything in a conversation's object for ever. A repeated call changes nothing. */
  conversation(session: string): Promise<void>
  /** Counts the ledgers of this learner. Writes nothing. */
  countLedgers(learner: string, now: number): Promise<number>
  /** Deletes the ledgers of this learner. */
  eraseLedgers(learner: string, now: number): Promise<void>
  /** Hands an erasure to the object that carries it out, even if every other process dies. */
  begin(job: ErasureJob): Promise<ErasureStart>
}

/** The job of an erasure's object. Until the erasure is done, no other place names the person. */
export interface ErasureJob {
  readonly tenant: string
  readonly id: string
  readonly mode: 'preserve' | 'subtree'
  /** The time of the request, in milliseconds since 1970. */
  readonly at: number
  readonly person: Person
}

/** A person of a tenant. */
export interface Person {
  /** Every name of the person. */
  readonly ids: readonly string[]
  /** The keyed hash of each name, for places where the name itself must not be stored. */
  readonly subjects: readonly string[]
}

/**
 * The answer of an erasure's object. `running`: another erasure covers the whole person. `crossed`: another covers
 * some of their names, so this one has to wait.
 */
export type ErasureStart =
  | { readonly type: 'begun' }
  | { readonly type: 'running'; readonly id: string }
  | { readonly type: 'crossed' }

/** Stands in for `Erasing` in a scope that never erases. */
export const NOT_ERASING: Erasing = {
  ownNames: [],
  conversation: missing,
  countLedgers: missing,
  eraseLedgers: missing,
  begin: missing,
}

function missing(): Promise<never> {
  return Promise.reject(new Error('this scope was opened without what it takes to erase'))
}
