import { Component, createRef } from 'preact'
import type { ConversationView } from '../../worker/wire/messages.ts'
import { isQuestionOpen, pendingSays, wasCutShort } from '../apply.ts'
import type { Item, OpenPivot, TranscriptState } from '../apply.ts'
import { firstSentence, shortName, typeset } from '../clean.ts'
import type { Conversation, ConversationParams } from '../conversation.ts'
import { Chips } from './chips.tsx'
import { Block } from './head.tsx'
import { Icon } from './icon.tsx'
import { PaperSheet } from './paper.tsx'
import { PendingLine, SaidLine } from './said-line.tsx'
import { SpeechLine } from './speech-line.tsx'

/**
 * The transcript, which scrolls to the newest line only while the learner is at the end. If the learner has scrolled
 * up, the transcript keeps its position and shows a button that leads to the end.
 */
export class TranscriptPane extends Component<{ conversation: Conversation }, { behind: boolean }> {
  override state = { behind: false }
  readonly room = createRef<HTMLDivElement>()
  readonly lines = createRef<HTMLDivElement>()
  pinned = true
  /** How far below the view the content ended when `toEnd` was last called, in pixels. */
  rest = 0
  pivot: OpenPivot | null = null
  asked = false
  /** How far the content could scroll when `rangeOf` was last called, in pixels. */
  range = 0
  newest: string | undefined
  /** The elements that scroll: `.room`, or in a low window `.panel`. */
  scrollers: Element[] = []
  // The observer notices every change of height, whatever the cause: a piece of a reply, the keyboard, cards, the panel
  // opening.
  readonly follow = new ResizeObserver(() => {
    // Before the first message the transcript stays at its top, where the learner reads the scene.
    if (!this.props.conversation.store.transcript.peek().items.length) return
    if (this.pinned) this.toEnd()
    else this.setState({ behind: true })
  })

  override componentDidMount() {
    const room = this.room.current
    const panel = room?.closest('.panel')
    if (!room || !panel) return
    this.scrollers = [room, panel]
    for (const part of [room, this.lines.current, panel.querySelector('.stage')]) if (part) this.follow.observe(part)
    panel.addEventListener('scroll', this.scrolled, true)
  }

  override componentWillUnmount() {
    this.follow.disconnect()
    this.scrollers[1]?.removeEventListener('scroll', this.scrolled, true)
  }

  override componentDidUpdate() {
    const state = this.props.conversation.store.transcript.peek()
    const newest = pendingSays(state).at(-1)?.cid
    const asked = isQuestionOpen(state)
    // A new pivot is shown with the reply that asks its question.
    if ((newest && newest !== this.newest) || (state.pivot && state.pivot !== this.pivot) || (asked && !this.asked))
      this.toEnd()
    this.asked = asked
    this.newest = newest
    this.pivot = state.pivot
  }

  override render() {
    const { conversation } = this.props
    const { store, params } = conversation
    const { texts } = params
    const state = store.transcript.value
    const isDown = store.line.value !== 'up'
    const held =
      store.stage.value.name === 'refused'
        ? texts.notSent
        : isDown
          ? texts.queuedOffline
          : isQuestionOpen(state)
            ? texts.queuedAsked
            : ''
    return (
      <>
        <div class="room" role="log" aria-live="off" aria-label={texts.transcript} tabIndex={0} ref={this.room}>
          <div class="lines" ref={this.lines}>
            {store.startedOver.value && <p class="quiet">{texts.startedOver}</p>}
            {state.conversation ? (
              <Scene params={params} conversation={state.conversation} />
            ) : (
              <Waiting opening={texts.opening} />
            )}
            {state.items.map((item, index) => (
              <Line key={item.key} item={item} live={index >= store.settled.value} conversation={conversation} />
            ))}
            {pendingSays(state).map((entry) => (
              <PendingLine
                params={params}
                key={entry.cid}
                entry={entry}
                text={entry.message.name === 'say' ? entry.message.text : ''}
                held={held}
                onAgain={() => conversation.resend(entry)}
                onEdit={() => conversation.takeBack(entry)}
              />
            ))}
            <Chips conversation={conversation} />
          </div>
        </div>
        {this.state.behind && (
          <button class="button small latest" type="button" onClick={this.toEndAndStay}>
            <Icon name="down" />
            {texts.newMessages}
          </button>
        )}
      </>
    )
  }

  readonly toEnd = () => {
    this.pinned = true
    if (this.state.behind) this.setState({ behind: false })
    for (const part of this.scrollers) {
      const last =
        part === this.room.current &&
        // A reply that waits for an answer to a question has no height: the question is the last.
        [...part.querySelectorAll<HTMLElement>('.speech, .said, .asks')].findLast(({ offsetHeight }) => offsetHeight)
      // What follows the last message, such as a document, doesn't push the message out of view.
      const most = last ? last.offsetTop + Math.max(-2, last.offsetHeight + 8 - part.clientHeight) : part.scrollHeight
      part.scrollTop = Math.max(part.scrollTop, most)
    }
    this.range = rangeOf(this.scrollers)
    this.rest = this.range - topOf(this.scrollers)
  }

  /**
   * Scrolls to the end and focuses the transcript. Without the new focus, the focus would be lost, because the button
   * that calls this function disappears.
   */
  readonly toEndAndStay = () => {
    this.toEnd()
    this.room.current?.focus()
  }

  readonly scrolled = () => {
    // A hidden panel has a height of 0, so it would seem to be scrolled to the end.
    if (!this.room.current?.clientHeight) return
    const range = rangeOf(this.scrollers)
    const below = range - topOf(this.scrollers)
    // A scroll event comes one frame late. If the content's height has changed since the last event, the browser may
    // have scrolled, and not the learner, so the transcript stays pinned to its end.
    this.pinned = below < this.rest + 40 || (this.pinned && range !== this.range)
    this.range = range
    if (this.pinned && this.state.behind) this.setState({ behind: false })
  }
}

function topOf(scrollers: readonly Element[]): number {
  return scrollers.reduce((sum, { scrollTop }) => sum + scrollTop, 0)
}

function rangeOf(scrollers: readonly Element[]): number {
  return scrollers.reduce((sum, { scrollHeight, clientHeight }) => sum + scrollHeight - clientHeight, 0)
}

/**
 * One line of the transcript. A new line appears with motion; a line that came with the stored log appears without
 * motion.
 */
function Line({ item, live, conversation }: { item: Item; live: boolean; conversation: Conversation }) {
  const { params } = conversation
  const { texts } = params
  const state = conversation.store.transcript.value
  const name = shortName(state.conversation?.npc.name ?? '')
  switch (item.kind) {
    case 'learner':
      return <SaidLine params={params} text={item.text} live={false} />
    case 'speech':
      return (
        <>
          {item.agent && (
            <p class="quiet">{state.conversation?.assistant?.agents.find(({ id }) => id === item.agent)?.name}</p>
          )}
          {(item.text || !item.outcome) && (
            <SpeechLine
              params={params}
              text={item.text}
              outcome={item.outcome}
              name={name}
              live={live}
              onStop={!item.outcome && conversation.store.slow.value ? () => conversation.stop() : undefined}
            />
          )}
          {item.outcome === 'cut' && <p class="status">{texts.stopped(name)}</p>}
          {item.outcome === 'failed' && (
            <Failed turn={item.turn} name={name} conversation={conversation} state={state} />
          )}
        </>
      )
    case 'objective':
      return (
        <div class={live ? 'note moves' : 'note'}>
          <Icon name="tick" />
          <div>
            <b>{texts.objectiveLabel}</b>
            <span dir="auto" lang={params.lang}>
              {typeset(item.title)}
            </span>
          </div>
        </div>
      )
    case 'pivot':
      if (!item.choice) return null
      return (
        <>
          {!item.typed && (
            <>
              <SaidLine params={params} text={typeset(item.choice.text)} live={live} />
              <SpeechLine params={params} text={item.choice.reaction} outcome="complete" name={name} live={live} />
            </>
          )}
          <p class="effect" dir="auto" lang={params.lang}>
            {item.typed && texts.pivotTyped(firstSentence(typeset(item.choice.text)))} {typeset(item.choice.effect)}
          </p>
        </>
      )
    case 'assist':
      return <div class="assist" ref={(place) => void (place && params.assist?.(place, item.event))} />
    case 'document':
      return <PaperSheet paper={item.document} lang={params.lang} />
    case 'closing':
      return (
        <>
          <h3 class="hidden">{texts.closingEarned}</h3>
          {wasCutShort(item.closing) && <p class="quiet">{texts.closingForced(name)}</p>}
          {item.closing.document &&
            state.items.find(({ kind }) => kind === 'document' || kind === 'closing') === item && (
              <PaperSheet paper={item.closing.document} lang={params.lang} />
            )}
        </>
      )
  }
}

/**
 * The message under a failed reply, with a button that runs the turn again. Only the last turn shows the message,
 * because no other turn can run again.
 */
function Failed({
  turn,
  name,
  conversation,
  state,
}: {
  turn: number
  name: string
  conversation: Conversation
  state: TranscriptState
}) {
  const { texts } = conversation.params
  const last = state.items.findLast((item) => item.kind === 'speech')
  const entry = state.outbox.find(({ message }) => message.name === 'retry' && message.turn === turn)
  if (last?.turn !== turn) return null
  const again = () => (entry ? conversation.resend(entry) : conversation.send({ name: 'retry', turn }))
  return (
    <div class="status bad">
      {texts.replyFailed(name)} {texts.why(entry?.refusal)}
      <button class="button small" type="button" aria-disabled={entry?.state === 'sending'} onClick={again}>
        {texts.again(entry?.refusal)}
      </button>
    </div>
  )
}

/** Shows the situation, the learner's role and the scene above the first message. */
function Scene({ params, conversation }: { params: ConversationParams; conversation: ConversationView }) {
  const { scenario, scene } = conversation
  const { lang } = params
  return (
    <div class="scene">
      <h3 dir="auto" lang={lang}>
        {typeset(scenario.title)}
      </h3>
      <p dir="auto" lang={lang}>
        {typeset(scenario.situation)}
      </p>
      {!conversation.assistant && (
        <p class="quiet">
          {params.texts.youAre} <bdi lang={lang}>{typeset(scenario.role)}</bdi>.
        </p>
      )}
      <p class="set" dir="auto" lang={lang}>
        {typeset(scene)}
      </p>
    </div>
  )
}

/** Placeholder shapes that are shown until the scene has loaded. */
function Waiting({ opening }: { opening: string }) {
  return (
    <div class="scene" aria-busy="true">
      <span class="hidden">{opening}</span>
      <Block width="60%" height="22px" />
      <Block width="100%" height="16px" />
      <Block width="80%" height="16px" />
    </div>
  )
}
