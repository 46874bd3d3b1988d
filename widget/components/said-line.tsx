import type { ComponentChildren } from 'preact'
import { clean } from '../clean.ts'
import type { ConversationParams } from '../conversation.ts'
import type { MessageEntry } from '../outbox.ts'
import { Icon } from './icon.tsx'

/** A message of the learner. */
export function SaidLine({
  params: { texts, lang },
  text,
  live,
  children,
}: {
  params: ConversationParams
  text: string
  live: boolean
  children?: ComponentChildren
}) {
  return (
    <div class={live ? 'said moves' : 'said'}>
      <span class="hidden">{texts.you}: </span>
      <div dir="auto" lang={lang}>
        {clean(text)}
      </div>
      {children ?? (
        <p class="status sent">
          <Icon name="tick" />
          {texts.sent}
        </p>
      )}
    </div>
  )
}

/**
 * A message that the log doesn't contain yet. If the message has failed, buttons let the learner resend or edit the
 * message.
 */
export function PendingLine({
  params,
  entry,
  text,
  held,
  onAgain,
  onEdit,
}: {
  params: ConversationParams
  entry: MessageEntry
  text: string
  /** The reason why the widget can't send messages now; empty while the widget can send. */
  held: string
  onAgain: () => void
  onEdit: () => void
}) {
  const { texts } = params
  if (entry.state === 'sent') return <SaidLine params={params} text={text} live={false} />
  if (entry.state !== 'failed') {
    // After a refusal, a message shows the status `queued` also while the widget sends it again, so that the status
    // text doesn't flicker.
    const waits = entry.state === 'queued' || entry.refusal
    const why = held || (entry.refusal?.code === 'too-fast' ? texts.why(entry.refusal) : waits && texts.queued)
    return (
      <SaidLine params={params} text={text} live>
        <p class={why ? 'status' : 'status sent'}>{why || texts.sending}</p>
      </SaidLine>
    )
  }
  return (
    <SaidLine params={params} text={text} live>
      <div class="status bad">
        {texts.whyNot(entry.refusal)}
        <button class="button small" type="button" onClick={onAgain}>
          {texts.again(entry.refusal)}
        </button>
        <button class="button small" type="button" onClick={onEdit}>
          {texts.edit}
        </button>
      </div>
    </SaidLine>
  )
}
