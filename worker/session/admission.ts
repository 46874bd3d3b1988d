import * as z from 'zod'
import { verify } from '../trust/credential.ts'
import { issueCredentials } from '../trust/credentials.ts'
import type { TrustConfig } from '../trust/trust-config.ts'
import type { Renewed } from '../wire/messages.ts'
import { connectAuthSchema } from '../wire/schema.ts'
import { refuse } from './refuse.ts'

/** A client that wants to take part, and the data kept with its socket. */
export interface Visitor {
  /** The page the socket was opened from; null for a program that is not a page. */
  readonly origin: string | null
  /** What `admit` was given last; anything before that. */
  readonly admission: unknown
  /** Lets them take part until then (milliseconds since 1970), and keeps why. */
  admit(until: number, admission: Admission): void
}

/** The credentials a client was admitted with. `renew` needs them to extend its stay. */
type Admission = z.infer<typeof admissionSchema>

interface GateOptions {
  readonly trust: TrustConfig
  readonly session: string
  /** The session's epoch of revocation as it stands: what was given in another opens nothing. */
  readonly epoch: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Who may take part in one conversation. */
export interface Gate {
  /**
   * Whether a request's ticket is of this epoch ([trust-20]). There are few places in a conversation, and who was given one only
   * to be refused at CONNECT could keep everybody else out of them.
   */
  passes(request: Request): boolean
  /**
   * Whether the token of a CONNECT payload lets in: one of ours, of its kind, for this session, this page and this epoch,
   * and in its time ([trust-4], [trust-7]). The client may stay for as long as the token is valid.
   */
  admit(visitor: Visitor, auth: unknown): Promise<boolean>
  /** Gives an admitted client new credentials. After the life of its own, it has to bring its key again ([trust-8]). */
  renew(visitor: Visitor): Promise<Renewed>
  /** Tells whether an admitted client may still take part: its credentials end with their epoch ([trust-20]). */
  isCurrent(visitor: Visitor): boolean
}

const admissionSchema = z.object({
  origin: z.string().nullable(),
  epoch: z.int(),
  /** Until when it can be renewed, in seconds since 1970. */
  life: z.int(),
  /** The learner who was verified. */
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
      // The epoch is asked after the await, in which it may have changed.
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
 * By this header the Worker tells an object in which epoch of revocation a request's ticket was given. Objects are reached
 * only through the Worker, which sets the header on every request.
 */
export const EPOCH_HEADER = 'Walkon-Epoch'
