import type { NextStep, Refusal, RefusalCode } from '../wire/messages.ts'

/** Makes a refusal with a sentence that a client may show. The refusal also tells the client what to do next. */
export function refuse(code: RefusalCode, retryAfterMs?: number): Refusal {
  const { next, message } = REFUSALS[code]
  return { ok: false, next, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

const REFUSALS: Readonly<Record<RefusalCode, { next: NextStep; message: string }>> = {
  busy: { next: 'retry-after', message: 'A reply is still being spoken. Send it again when it has ended.' },
  unavailable: { next: 'retry-after', message: 'That did not work. Nothing was lost; try again in a moment.' },
  ended: { next: 'give-up', message: 'This conversation has ended.' },
  empty: { next: 'give-up', message: 'There is nothing in this message.' },
  'too-long': { next: 'give-up', message: 'This message is too long. Keep it under 2,000 characters.' },
  malformed: { next: 'give-up', message: 'This message cannot be read.' },
  'unknown-event': { next: 'give-up', message: 'This server knows no such event.' },
  'unknown-choice': { next: 'give-up', message: 'There is no such choice to make now.' },
  'nothing-to-retry': { next: 'give-up', message: 'There is no failed turn to try again.' },
  'nothing-to-cancel': { next: 'give-up', message: 'There is no reply to stop.' },
  'too-fast': { next: 'retry-after', message: 'That was quick. Give it a moment, then send it again.' },
  spent: { next: 'retry-after', message: 'Enough has been said here for today. Come back tomorrow.' },
  'not-admitted': { next: 'sign-in', message: 'You are not signed in to this conversation any more.' },
  'unknown-session': { next: 'start-over', message: 'There is no such conversation. Start a new one.' },
  stale: { next: 'give-up', message: 'This was answered before, or it is too late.' },
  'unknown-agent': { next: 'give-up', message: 'There is no such agent here.' },
  'unknown-page': { next: 'retry-after', message: 'Say first what is on your page.' },
  'wrong-version': { next: 'start-over', message: 'This page is older than the server. Load it again.' },
  'too-many-turns': { next: 'start-over', message: 'This conversation has grown too long. Start a new one.' },
}
