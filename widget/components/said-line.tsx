import type { ComponentChildren } from 'preact'
import { clean } from '../clean.ts'
import type { OutboxEntry } from '../outbox.ts'
import * as texts from '../texts.ts'
import { Icon } from './icon.tsx'

/** What the learner said, on paper. */
export function SaidLine({ text, live, children }: { text: string; live: boolean; children?: ComponentChildren }) {
  return (
    <div class={live ? 'said moves' : 'said'}>
      <span class="hidden">{texts.you}: </span>
      <span dir="auto">{clean(text)}</span>
      {children ?? <Sent />}
    </div>
  )
}

function Sent() {
  return (
    <>
      <Icon name="tick" />
      <span class="hidden"> {texts.sent}</span>
    </>
  )
}

/** A message the log does not have yet, and what can be done about it. */
export function PendingLine({
  entry,
  text,
  waits,
  onAgain,
  onEdit,
}: {
  entry: OutboxEntry
  text: string
  /** Why a queued message is not on its way. */
  waits: 'offline' | 'reply' | null
  onAgain: () => void
  onEdit: (() => void) | null
}) {
  if (entry.state === 'sent') return <SaidLine text={text} live={false} />
  if (entry.state !== 'failed') {
    const status =
      waits === 'offline'
        ? texts.queuedOffline
        : waits === 'reply' && entry.state === 'queued'
          ? texts.queued
          : texts.sending
    return (
      <SaidLine text={text} live>
        <div class="status">{status}</div>
      </SaidLine>
    )
  }
  return (
    <SaidLine text={text} live>
      <div class="status bad">
        {texts.whyNot(entry.refusal)}
        {onEdit && (
          <>
            <button class="button small" type="button" onClick={onAgain}>
              {texts.tryAgain}
            </button>
            <button class="button small" type="button" onClick={onEdit}>
              {texts.edit}
            </button>
          </>
        )}
      </div>
    </SaidLine>
  )
}
