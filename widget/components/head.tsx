import type { ReadonlySignal } from '@preact/signals'
import type { ConversationView, RelationshipLevel } from '../../worker/wire/messages.ts'
import type { ConversationParams } from '../conversation.ts'
import type { ConversationTexts } from '../texts/en.ts'
import { Icon } from './icon.tsx'
import { Mood } from './mood.tsx'
import { Portrait } from './portrait.tsx'

/**
 * Short notices of the host, of which the head shows the newest in place of the line about the model. So a notice covers
 * no part of the conversation and moves none.
 */
export type Notices = ReadonlySignal<readonly { readonly text: string }[]>

/** The head of the panel: the colleague, their mood, and the model that generates their lines. */
export function Head({
  params,
  conversation,
  level,
  onClose,
  onMenu,
  notices,
}: {
  params: ConversationParams
  conversation: ConversationView | null
  level: RelationshipLevel
  /** Not set if the panel stays open, as it does in its place on a page. */
  onClose: (() => void) | undefined
  /** Opens and closes the menu. Not set if there is no menu. */
  onMenu?: ((button: HTMLElement) => void) | undefined
  notices?: Notices | undefined
}) {
  const { texts } = params
  const notice = notices?.value.at(-1)
  return (
    <header class="head">
      {conversation ? (
        <Portrait params={params} person={conversation.npc} level={level} size={48} />
      ) : (
        <Block width="48px" height="48px" />
      )}
      {conversation ? (
        <div>
          <div class="called">
            <h2 id="name">{conversation.npc.name}</h2>
            <Mood level={level} texts={texts} />
          </div>
          <p class="role">{conversation.npc.role}</p>
        </div>
      ) : (
        <div>
          <Block width="120px" height="16px" />
        </div>
      )}
      <div class="tools">
        {onMenu && (
          <button
            class="bare"
            type="button"
            aria-label={texts.menu}
            aria-expanded="false"
            onClick={({ currentTarget }) => onMenu(currentTarget)}
          >
            <Icon name="menu" />
          </button>
        )}
        {onClose && (
          <button class="bare" type="button" aria-label={texts.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {conversation && (
        <p class={notice ? 'byline fresh' : 'byline'}>
          {notice ? notice.text : speakerLine(texts, conversation.speaker)}
        </p>
      )}
    </header>
  )
}

/** A placeholder shape without motion, shown while content loads. */
export function Block({ width, height }: { width: string; height: string }) {
  return <div class="block" style={{ width, height }} />
}

function speakerLine(texts: ConversationTexts, { kind, label }: ConversationView['speaker']): string {
  return kind === 'rehearsal' ? texts.rehearsal : texts.model(label)
}
