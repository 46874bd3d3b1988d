import { Component, createRef } from 'preact'
import type { Conversation } from '../conversation.ts'
import { LONGEST_SAY } from '../outbox.ts'
import * as texts from '../texts.ts'
import { Icon } from './icon.tsx'

interface Props {
  name: string
  conversation: Conversation
  /** Put into the field whenever it is a new one. */
  draft: { readonly text: string }
}

/**
 * Where the learner writes. Enter sends, Shift and Enter makes a line, and an input method's Enter is its own. What is
 * too long stays here, whole, and says so before it is sent ([E29]).
 */
export class Composer extends Component<Props, { over: number }> {
  override state = { over: 0 }
  readonly field = createRef<HTMLTextAreaElement>()

  override componentDidMount() {
    this.take()
  }

  override componentDidUpdate(before: Props) {
    if (before.draft !== this.props.draft) this.take()
  }

  override render({ name, conversation }: Props, { over }: { over: number }) {
    return (
      <form class="composer" onSubmit={this.send}>
        {over > 0 && (
          <p id="over" class="status bad">
            {texts.tooLong(over)}
          </p>
        )}
        <textarea
          ref={this.field}
          rows={1}
          aria-invalid={over > 0}
          aria-describedby="over"
          dir="auto"
          enterkeyhint="send"
          autocomplete="off"
          aria-label={texts.composer(name)}
          placeholder={texts.placeholder(name)}
          onKeyDown={this.typed}
          onInput={() => {
            this.measure()
            conversation.keepDraft(this.field.current?.value ?? '')
          }}
        />
        <button class="button main send" type="submit" aria-label={texts.send}>
          <Icon name="send" />
        </button>
      </form>
    )
  }

  readonly typed = (event: KeyboardEvent) => {
    // Safari ends the composition before this event, and tells only by the old key code.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229) this.send(event)
  }

  readonly send = (event: Event) => {
    event.preventDefault()
    const field = this.field.current
    const text = field?.value.trim()
    const { conversation } = this.props
    if (!field || !text) return
    field.focus()
    if (this.state.over > 0) return conversation.announce(texts.tooLong(this.state.over))
    field.value = ''
    this.measure()
    conversation.keepDraft('')
    conversation.send({ name: 'say', text })
  }

  take() {
    const { text } = this.props.draft
    if (!this.field.current || !text) return
    this.field.current.value = text
    this.measure()
  }

  measure() {
    const field = this.field.current
    if (!field) return
    fit(field)
    const over = Math.max(0, field.value.trim().length - LONGEST_SAY)
    if (over && !this.state.over) this.props.conversation.announce(texts.tooLong(over))
    if (over !== this.state.over) this.setState({ over })
  }
}

/** For browsers without `field-sizing`. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}
