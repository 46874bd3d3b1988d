import type { Recalled } from './event.ts'

/** Where a walk's recalls look. What can be found there is the host's business; the walk keeps what was found. */
export interface Memory {
  /** Answers each query with the most fitting memories, best first; none found is an empty list. */
  recall(queries: readonly string[]): Promise<readonly Recalled[]>
}
