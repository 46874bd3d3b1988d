import { Component, createRef } from 'preact'
import type { Closing } from '../apply.ts'
import type { Conversation } from '../conversation.ts'
import { LONGEST_SAY } from '../outbox.ts'
import type { ComposerDraft } from '../store.ts'
import { Icon } from './icon.tsx'

interface Props {
  name: string
  /** True if the field advises the learner to say one thing at a time. */
  isAdvised: boolean
  conversation: Conversation
  replying: boolean
  /**
   * The text that the field shows at first. When the panel later passes another object here, the text in that object
   * replaces the field's content.
   */
  draft: ComposerDraft
  /** How the conversation has ended; null while it goes on. */
  closing: Closing | null
}

/**
 * The field where the learner writes. Enter sends, Shift+Enter adds a line break, and Enter during an input method's
 * composition sends nothing. A text that is too long stays in the field, with a message ([embed-29]). While a reply is
 * streaming and the field is empty, the send button stops the reply ([embed-39]). After the end the learner can still
 * ask the colleague something, and can take back a goodbye that ended the conversation ([embed-49]).
 */
export class Composer extends Component<Props, State> {
  override state = { over: 0, empty: true, resumes: false }
  readonly field = createRef<HTMLTextAreaElement>()
  /** When the learner last sent a message or stopped a reply, in milliseconds since 1970. */
  pressedAt = 0

  override componentDidMount() {
    this.take()
  }

  override componentDidUpdate(before: Props) {
    if (before.draft !== this.props.draft) this.take()
  }

  override render({ name, isAdvised, replying, conversation, closing }: Props, { over, empty, resumes }: State) {
    const { texts } = conversation.params
    const stops = replying && empty
    return (
      <form class="composer" onSubmit={this.send}>
        {closing && (
          <p class="status">
            {resumes ? texts.resumed(name) : texts.askAfter(name)}
            {closing.left && closing.completion === 'forced' && !resumes && (
              <button class="button small" type="button" onClick={this.resume}>
                {texts.resume}
              </button>
            )}
          </p>
        )}
        {over > 0 && (
          <p id="over" class="status bad">
            {texts.tooLong(over)}
          </p>
        )}
        <textarea
          ref={this.field}
          rows={1}
          aria-invalid={over > 0}
          aria-describedby={over > 0 ? 'over' : undefined}
          // An empty field shows its placeholder in the direction of the panel's language.
          dir={empty ? undefined : 'auto'}
          enterkeyhint="send"
          autocomplete="off"
          aria-label={texts.composer(name)}
          placeholder={texts.placeholder(name, isAdvised)}
          onKeyDown={this.typed}
          onInput={() => {
            this.measure()
            conversation.keepDraft(this.field.current?.value ?? '')
          }}
        />
        <button
          class={stops ? 'button send stop' : 'button main send'}
          type="submit"
          aria-label={stops ? texts.stop(name) : texts.send}
        >
          <Icon name={stops ? 'stop' : 'send'} />
        </button>
      </form>
    )
  }

  readonly typed = (event: KeyboardEvent) => {
    // Safari ends a composition before it fires `keydown`. In Safari only the deprecated `keyCode` shows that Enter
    // belongs to the composition.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229) this.send(event)
  }

  /** Makes the learner's next message take back the goodbye that ended the conversation. */
  readonly resume = () => {
    this.setState({ resumes: true })
    this.field.current?.focus()
  }

  readonly send = (event: Event) => {
    event.preventDefault()
    const field = this.field.current
    const text = field?.value.trim()
    const { conversation, replying } = this.props
    if (!field) return
    field.focus()
    if (!text) {
      const meant = event.type === 'submit' && Date.now() - this.pressedAt > DOUBLE_MS
      if (!replying || !meant) return
      this.pressedAt = Date.now()
      return conversation.stop()
    }
    if (this.state.over > 0) return conversation.announce(conversation.params.texts.tooLong(this.state.over))
    field.value = ''
    this.pressedAt = Date.now()
    this.measure()
    conversation.keepDraft('')
    conversation.send({ name: 'say', text, ...(this.state.resumes && { resume: true }) })
    this.setState({ resumes: false })
  }

  take() {
    const { text, resume } = this.props.draft
    if (!this.field.current || !text) return
    this.field.current.value = text
    if (resume) this.setState({ resumes: true })
    this.measure()
  }

  measure() {
    const field = this.field.current
    if (!field) return
    fit(field)
    const over = Math.max(0, field.value.trim().length - LONGEST_SAY)
    const { conversation } = this.props
    if (over && !this.state.over) conversation.announce(conversation.params.texts.tooLong(over))
    const empty = field.value.trim() === ''
    if (over !== this.state.over || empty !== this.state.empty) this.setState({ over, empty })
  }
}

/**
 * A second press of the send button within this time, in milliseconds, counts as a double click and doesn't stop the
 * reply that has just begun.
 */
const DOUBLE_MS = 600

interface State {
  readonly over: number
  readonly empty: boolean
  readonly resumes: boolean
}

/** Fits the field's height to its text in browsers without `field-sizing`. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}
