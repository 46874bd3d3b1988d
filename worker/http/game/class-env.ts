import type { Scope } from '../../chain/scope.ts'
import type { ClassHeld } from '../../trust/class-key.ts'
import type { Bindings, Found } from '../bindings.ts'

/** For Hono: the environment of every route that is asked with a class's key. */
export interface ClassEnv {
  Bindings: Bindings
  Variables: Found & {
    /** The class whose key the request brought. Whether it is there still, nobody has looked. */
    readonly held: ClassHeld
    readonly chain: Scope
  }
}
