import type { Bearer } from '../../chain/tokens/tokens.ts'
import type { Bindings, Found } from '../bindings.ts'

/** For Hono: the environment of the chain's routes. */
export interface ChainEnv {
  Bindings: Bindings
  Variables: Found & {
    /** Whose token the request brought. */
    readonly bearer: Bearer
  }
}
