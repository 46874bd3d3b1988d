import type { Scope } from '../../chain/scope.ts'
import type { RunHeld } from '../../trust/run-key.ts'
import type { Bindings, Found } from '../bindings.ts'

/** For Hono: the environment of every route that is asked with a run's key. */
export interface RunEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The run whose key the request brought. Whether it is there still, nobody has looked. */
    readonly run: RunHeld
    /** The deployment's own chain, with its tables up to date. */
    readonly chain: Scope
  }
}
