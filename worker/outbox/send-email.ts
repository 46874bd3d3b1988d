import type { EmailConfig } from './delivery-config.ts'
import { type Outcome, failed } from './outbox-entry.ts'

/** As much as is used of the platform's `send_email` binding. */
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

/** In UTF-16 code units. RFC 5322 allows a line 998; nobody reads a subject of that length. */
const MAX_SUBJECT = 200

/**
 * Tries once to hand a mail to the platform ([outbox-16], [outbox-17]). Who it is from and who gets it is the deployment's; a
 * document only has words. Never throws: what the platform says went wrong stays with it.
 */
export async function sendEmail(
  binding: EmailBinding,
  { from, to }: EmailConfig,
  { id, subject, text }: EmailMessage,
  timeoutMs: number,
): Promise<Outcome> {
  // The platform makes the Message-ID itself and takes no other; names of one's own must begin with X-.
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

/** One line, whatever it was: a line break would begin another header. */
export function subjectLine(subject: string): string {
  const line = subject.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  // Not in the middle of a pair of surrogates.
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
