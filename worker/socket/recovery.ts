import { base64UrlOf, randomId } from '../bytes.ts'
import { codeOf, isCodeOf } from '../hmac.ts'

/**
 * The functions that the owner of the sockets (the Durable Object) provides so that clients can recover missed events.
 * An offset is an event's place in the log.
 */
export interface Recovery {
  /** Returns the object's secret: 32 random bytes that never change. */
  secret(): Uint8Array<ArrayBuffer>
  /**
   * Returns the id of the present log. If a client's recovery id (`pid`) was made for another log, the client starts
   * over.
   */
  log(): string
  /**
   * Returns the events after `offset`, oldest first; all events if `offset` is null. Returns null if the missed events
   * cannot be determined.
   */
  missedSince(offset: string | null): readonly Missed[] | null
}

/** A durable event that a client missed. */
export interface Missed {
  offset: string
  name: string
  body: unknown
}

/**
 * Makes the recovery id (`pid`) that a client presents when it reconnects, to get the missed events of the present log.
 * The id contains an HMAC that proves that this object made it, so the server need not store the id.
 */
export async function issuePid(recovery: Recovery): Promise<string> {
  const nonce = randomId()
  return `${nonce}.${base64UrlOf(await codeOf(recovery.secret(), contentOf(recovery, nonce)))}`
}

/** Returns true if this object made the recovery id `pid` for the present log. Never throws. */
export async function isOurPid(recovery: Recovery, pid: unknown): Promise<boolean> {
  if (typeof pid !== 'string' || !PID.test(pid)) return false
  const [nonce = '', mac = ''] = pid.split('.')
  const bytes = Uint8Array.from(atob(mac.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  return isCodeOf(recovery.secret(), contentOf(recovery, nonce), bytes)
}

const PID = /^[\w-]{22}\.[\w-]{43}$/

function contentOf(recovery: Recovery, nonce: string): string {
  return `${recovery.log()} ${nonce}`
}
