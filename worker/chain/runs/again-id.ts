import { base64UrlOf } from '../../bytes.ts'
import { codeOf } from '../../hmac.ts'
import type { Scope } from '../scope.ts'

/** Where a run begins again: a pivot of another, and the wish for it, by the name that its client gave it. */
export interface Again {
  /** The run that it was played in before. */
  readonly run: string
  readonly npc: string
  readonly pivot: string
  readonly cid: string
}

/** As many as a drawn id has. */
const ID_BYTES = 16

/** The id of the run that a wish leads to: the same however often it is asked for, and nobody else's to guess. */
export async function againId({ secret, tenant }: Pick<Scope, 'secret' | 'tenant'>, again: Again): Promise<string> {
  const { run, npc, pivot, cid } = again
  const text = JSON.stringify(['again', tenant, run, npc, pivot, cid])
  const code = await codeOf(new TextEncoder().encode(secret), text)
  return `ctx_${base64UrlOf(code.slice(0, ID_BYTES))}`
}
