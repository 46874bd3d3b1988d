import type { EmailConfig } from './delivery-config.ts'
import { type Outcome, failed } from './outbox-entry.ts'

/** The part of the platform's `send_email` binding that is used. */
export interface EmailBinding {
  send(mail: {
    from: string
    to: string
    subject: string
    text: string
    headers: Record<string, string>
  }): Promise<unknown>
}

export interface EmailMessage {
  readonly id: string
  readonly subject: string
  readonly text: string
}

/**
 * The longest subject, in UTF-16 code units. RFC 5322 allows a line 998 characters; nobody reads a subject of that
 * length.
 */
const MAX_SUBJECT = 200

/**
 * Tries once to hand an e-mail to the platform ([outbox-16], [outbox-17]). The deployment sets the sender and the
 * receiver; a graph document sets only the subject and the text. Never throws, and never passes the platform's error
 * message on.
 */
export async function sendEmail(
  binding: EmailBinding,
  { from, to }: EmailConfig,
  { id, subject, text }: EmailMessage,
  timeoutMs: number,
): Promise<Outcome> {
  // The platform makes the Message-ID itself and accepts no other. The name of a custom header must begin with X-.
  const mail = { from, to, subject: subjectLine(subject), text, headers: { 'X-Walkon-Id': id } }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(failed('timeout')), timeoutMs)
  })
  try {
    return await Promise.race([handOver(binding, mail), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a subject as one line: a line break would begin another header. */
export function subjectLine(subject: string): string {
  const line = subject.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  // The cut must not divide a pair of surrogates.
  return line.slice(0, MAX_SUBJECT).replace(/[\ud800-\udbff]$/, '')
}

async function handOver(binding: EmailBinding, mail: Parameters<EmailBinding['send']>[0]): Promise<Outcome> {
  try {
    await binding.send(mail)
    return { type: 'delivered' }
  } catch {
    return failed('refused')
  }
}
