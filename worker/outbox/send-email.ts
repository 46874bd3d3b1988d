import type { EmailConfig } from './delivery-config.ts'
import { type Outcome, failed } from './outbox-entry.ts'

/** The part of the platform's e-mail service (the `send_email` binding) that is used. */
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

/** The longest subject, in UTF-16 code units. The rest of a longer one is cut off. */
const MAX_SUBJECT = 200

/**
 * Tries once to hand an e-mail to the platform ([outbox-16], [outbox-17]). The deployment's settings name the sender
 * and the receiver; the author of a graph writes only the subject and the text. Never throws.
 */
export async function sendEmail(
  binding: EmailBinding,
  { from, to }: EmailConfig,
  { id, subject, text }: EmailMessage,
  timeoutMs: number,
): Promise<Outcome> {
  // The platform sets the Message-ID itself, so the message's id is in a header of its own. The name of such a header
  // must begin with X-.
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

/** Returns a subject as one line, because a line break in it could begin another header of the e-mail. */
export function subjectLine(subject: string): string {
  const line = subject.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  // If the cut has left half of a character (a surrogate) at the end, it is removed.
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
