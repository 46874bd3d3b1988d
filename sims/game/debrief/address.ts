import { hrefOf } from '../route.ts'
import type { Route } from '../route.ts'

/** A place of the game as a link that can be handed on: nothing of the address it is made at is in it. */
export function linkTo(route: Route, at: Pick<Location, 'origin' | 'pathname'> = location): string {
  return `${at.origin}${at.pathname}${hrefOf(route)}`
}
