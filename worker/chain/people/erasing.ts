/** The Durable Objects that store data of a person, and the object that carries out an erasure. */
export interface Erasing {
  /**
   * The names that the deployment itself writes into the chain: its colleagues, the space of its runs, and the author
   * of its versions. An erasure never replaces these names, even if a person has such a name.
   */
  readonly ownNames: readonly string[]
  /** Deletes everything in a conversation's object. A repeated call changes nothing. */
  conversation(session: string): Promise<void>
  /** Counts a learner's ledgers (objects that count usage) that have stored anything. Writes nothing. */
  countLedgers(learner: string, now: number): Promise<number>
  eraseLedgers(learner: string, now: number): Promise<void>
  /** Hands an erasure to an `ErasureObject`, which carries out the erasure even if every other process dies. */
  begin(job: ErasureJob): Promise<ErasureStart>
}

/**
 * The job of an `ErasureObject`. Of all records about an erasure, only the job names the person, until the erasure is
 * done.
 */
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
  /** The keyed hash of each name, for records that must not store the name itself. */
  readonly subjects: readonly string[]
}

/**
 * The answer of an `ErasureObject`. `running`: another erasure covers all names of the person. `crossed`: another
 * erasure covers only some of the person's names, so the new erasure has to wait.
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
