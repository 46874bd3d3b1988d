import * as z from 'zod'
import { verify } from '../trust/credential.ts'
import { issueCredentials } from '../trust/credentials.ts'
import type { TrustConfig } from '../trust/trust-config.ts'
import type { Renewed } from '../wire/messages.ts'
import { connectAuthSchema } from '../wire/schema.ts'
import { refuse } from './refuse.ts'

/** A client that wants to take part, and the data stored with its socket. */
export interface Visitor {
  /** The origin of the page that opened the socket; null for a program that is not a page. */
  readonly origin: string | null
  /** The admission that `admit` stored last. Before the first call of `admit`, it may be any value. */
  readonly admission: unknown
  /** Lets the client take part until `until` (milliseconds since 1970), and stores the admission. */
  admit(until: number, admission: Admission): void
}

/** The content of the credentials with which a client was admitted. `renew` needs it to issue new credentials. */
type Admission = z.infer<typeof admissionSchema>

interface GateOptions {
  readonly trust: TrustConfig
  readonly session: string
  /** Returns the session's current epoch of revocation. Credentials of another epoch are invalid. */
  readonly epoch: () => number
  readonly now: () => number
}

/** Decides who may take part in one conversation. */
export interface Gate {
  /**
   * Returns true if a request's ticket (the credential in a socket's URL) is of the current epoch ([trust-20]). A
   * conversation accepts only a few sockets. Without this check, a client with revoked credentials could open all of
   * them, because the object would refuse the client only at its CONNECT.
   */
  passes(request: Request): boolean
  /**
   * Admits a client if the token of its CONNECT payload is valid: signed by this deployment, of the right kind, for the
   * session, the client's page and the current epoch, and not expired ([trust-4], [trust-7]). The client may stay for
   * as long as the token is valid. Returns true if the client was admitted.
   */
  admit(visitor: Visitor, auth: unknown): Promise<boolean>
  /**
   * Gives an admitted client new credentials. After the time until which credentials can be renewed (`life`), the
   * client is refused, and must exchange its key for new credentials ([trust-8]).
   */
  renew(visitor: Visitor): Promise<Renewed>
  /**
   * Returns true if an admitted client may still take part. Credentials are valid only in the epoch in which they were
   * issued ([trust-20]).
   */
  isCurrent(visitor: Visitor): boolean
}

const admissionSchema = z.object({
  origin: z.string().nullable(),
  epoch: z.int(),
  /** Until when the credentials can be renewed, in seconds since 1970. */
  life: z.int(),
  learner: z.string().optional(),
})

const tokenSchema = connectAuthSchema.pick({ token: true })

export function createGate({ trust, session, epoch, now }: GateOptions): Gate {
  const { signing, lifetimes } = trust
  return {
    passes: ({ headers }) => headers.get(EPOCH_HEADER) === String(epoch()),

    async admit(visitor, auth) {
      const read = tokenSchema.safeParse(auth)
      if (!read.success || read.data.token === undefined) return false
      const token = await verify(signing, 'token', { text: read.data.token, session, now: now() })
      // The epoch is read after the await, during which it may have changed.
      if (token === null || token.ori !== visitor.origin || token.ep !== epoch()) return false
      visitor.admit(token.exp * 1000, { origin: token.ori, epoch: token.ep, life: token.life, learner: token.lrn })
      return true
    },

    async renew(visitor) {
      const read = admissionSchema.safeParse(visitor.admission)
      const at = now()
      if (!read.success || read.data.life * 1000 <= at) return refuse('not-admitted')
      const admission = read.data
      const holder = { session, ...admission, learner: admission.learner }
      const credentials = await issueCredentials(signing, lifetimes, holder, admission.life, at)
      if (admission.epoch !== epoch()) return refuse('not-admitted')
      visitor.admit(at + credentials.lastsMs, admission)
      return { ok: true, ...credentials }
    },

    isCurrent: ({ admission }) => admissionSchema.safeParse(admission).data?.epoch === epoch(),
  }
}

/**
 * The header in which the Worker tells an object the revocation epoch of a request's ticket. Clients reach objects only
 * through the Worker, which sets the header on every request, so no client can choose its value.
 */
export const EPOCH_HEADER = 'Walkon-Epoch'
