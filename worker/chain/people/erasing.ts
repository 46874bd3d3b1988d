/** What it takes to erase a person besides the database: the objects that hold something of theirs. */
export interface Erasing {
  /** What the deployment itself goes by in the chain: its colleagues, its runs, whoever writes for conversations. */
  readonly ownNames: readonly string[]
  /** Empties a conversation's object for good. A second time changes nothing. */
  conversation(session: string): Promise<void>
  /** How many books of what this learner has used there are. Writes nothing. */
  countLedgers(learner: string, now: number): Promise<number>
  /** Throws them away. */
  eraseLedgers(learner: string, now: number): Promise<void>
  /** Hands an erasure to the object that carries it out, whatever dies meanwhile. */
  begin(job: ErasureJob): Promise<ErasureStart>
}

/** An erasure as the object has it that carries it out: the one place that knows whom it is about, until it is done. */
export interface ErasureJob {
  readonly tenant: string
  readonly id: string
  readonly mode: 'preserve' | 'subtree'
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number
  readonly person: Person
}

/** A person of a tenant. */
export interface Person {
  /** Every name they go by. */
  readonly ids: readonly string[]
  /** What each of these is called where it may not stand itself. */
  readonly subjects: readonly string[]
}

/**
 * What came of handing over: begun, or another erasure is there already, and may be done. `running` covers everything this
 * one would have; `crossed` covers some of it, so this one has to wait for it.
 */
export type ErasureStart =
  | { readonly type: 'begun' }
  | { readonly type: 'running'; readonly id: string }
  | { readonly type: 'crossed' }

/** For whoever has no objects at hand and never erases. */
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
