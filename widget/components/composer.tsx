import { Component, createRef } from 'preact'
import type { Conversation } from '../conversation.ts'
import * as texts from '../texts.ts'
import { Icon } from './icon.tsx'

interface Props {
  name: string
  conversation: Conversation
  /** Put into the field whenever it is a new one. */
  draft: { readonly text: string }
}

/** Where the learner writes. Enter sends, Shift and Enter makes a line, and an input method's Enter is its own. */
export class Composer extends Component<Props> {
  readonly field = createRef<HTMLTextAreaElement>()

  override componentDidMount() {
    this.take()
  }

  override componentDidUpdate(before: Props) {
    if (before.draft !== this.props.draft) this.take()
  }

  override render({ name, conversation }: Props) {
    return (
      <form class="composer" onSubmit={this.send}>
        <textarea
          ref={this.field}
          rows={1}
          maxLength={4000}
          dir="auto"
          enterkeyhint="send"
          autocomplete="off"
          aria-label={texts.composer(name)}
          placeholder={texts.placeholder(name)}
          onKeyDown={this.typed}
          onInput={() => {
            fit(this.field.current)
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
    if (!field || !text) return
    field.value = ''
    fit(field)
    this.props.conversation.keepDraft('')
    this.props.conversation.send({ name: 'say', text })
    field.focus()
  }

  take() {
    const { text } = this.props.draft
    if (!this.field.current || !text) return
    this.field.current.value = text
    fit(this.field.current)
  }
}

/** For browsers without `field-sizing`. */
function fit(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}
