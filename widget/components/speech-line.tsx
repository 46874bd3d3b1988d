import type { Speech } from '../apply.ts'
import type { ConversationParams } from '../conversation.ts'
import { replyWriter } from '../reply-writer.ts'
import type { ReplyWriter } from '../reply-writer.ts'

/**
 * A colleague's reply, which grows while it streams. `replyWriter` writes it without Preact, so that no piece is
 * rendered twice.
 */
export function SpeechLine({
  params: { texts, lang },
  text,
  outcome,
  name,
  live,
  onStop,
}: {
  params: ConversationParams
  text: string
  outcome: Speech['outcome']
  name: string
  live: boolean
  /** Stops the reply. Set only if the reply's first word has taken long. */
  onStop?: (() => void) | undefined
}) {
  // `write` is a new function for each render, because Preact calls a ref again only when the ref is a different
  // function.
  const write = (words: HTMLElement | null) => void (words && writerOf(words).show(text, outcome !== null))
  return (
    <div class={live ? 'speech moves' : 'speech'} aria-busy={outcome === null}>
      <span class="hidden">{texts.says(name)}</span>
      <div class="words" dir="auto" lang={lang} ref={write} />
      {text === '' && <p class="replying">{onStop ? texts.slow : texts.replying(name)}</p>}
      {onStop && (
        <button class="button small" type="button" onClick={onStop}>
          {texts.stop(name)}
        </button>
      )}
    </div>
  )
}

const writers = new WeakMap<HTMLElement, ReplyWriter>()

function writerOf(words: HTMLElement): ReplyWriter {
  const writer = writers.get(words) ?? replyWriter(words)
  writers.set(words, writer)
  return writer
}
