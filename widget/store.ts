import { batch, signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import type { LogEvent, Refusal } from '../worker/wire/messages.ts'
import { EMPTY_TRANSCRIPT, apply } from './apply.ts'
import type { Input, TranscriptState } from './apply.ts'
import type { ConversationTexts } from './texts/en.ts'

/** Whether the conversation is open. In the stage `refused` the learner has to act. */
export type ConversationStage =
  | { readonly name: 'opening' }
  | { readonly name: 'open' }
  /**
   * `begun`: whether the refused conversation had already begun. If it had, the learner may replace it with a new
   * conversation.
   */
  | { readonly name: 'refused'; readonly refusal: Refusal; readonly begun: boolean }

/**
 * The state of the connection as a person notices it. A break is `brief` for two seconds, in which the panel doesn't
 * mention it. Then it is `down`, and after ten seconds `long`.
 */
export type LineStatus = 'up' | 'brief' | 'down' | 'long'

/** A text for the composer. With `resume`, sending it takes back the goodbye that ended the conversation. */
export interface ComposerDraft {
  readonly text: string
  readonly resume: boolean
}

/** Everything that the components read. */
export interface ConversationStore {
  readonly stage: ReadonlySignal<ConversationStage>
  readonly transcript: ReadonlySignal<TranscriptState>
  readonly line: ReadonlySignal<LineStatus>
  readonly online: ReadonlySignal<boolean>
  /** Whether this conversation replaced a conversation that the service no longer accepted. */
  readonly startedOver: ReadonlySignal<boolean>
  /**
   * Transcript lines before this index came with a snapshot (a `hello` from which the whole transcript was built
   * again), so they appear without motion.
   */
  readonly settled: ReadonlySignal<number>
  /** Whether the learner has waited long for the first word of a reply. */
  readonly slow: ReadonlySignal<boolean>
  /** The text that the composer shows at first, and after the learner takes a message back. */
  readonly draft: ReadonlySignal<ComposerDraft>
}

/** The functions that change the store. No code outside this file writes to a signal. */
export interface StoreControl {
  readonly store: ConversationStore
  apply(input: Input): readonly LogEvent[]
  setStage(stage: ConversationStage): void
  lineUp(): void
  lineDown(): void
  setOnline(online: boolean): void
  /** Sets whether a reply has begun without a word so far. Calls `late` once if that lasts for `SLOW_MS`. */
  setWaiting(waiting: boolean, late?: () => void): void
  startOver(): void
  setDraft(text: string, resume: boolean): void
  stop(): void
}

/** Returns the text that says what is wrong with the connection, once a person would notice; otherwise ''. */
export function troubleOf({ line, online }: ConversationStore, texts: ConversationTexts): string {
  if (!online.value) return texts.offline
  return line.value === 'down' ? texts.reconnecting : line.value === 'long' ? texts.stillReconnecting : ''
}

const NOTICED_MS = 2_000
const LONG_MS = 10_000
/** The time without a word of a reply after which the panel offers to stop the reply ([embed-47]). */
const SLOW_MS = 20_000

export function createStore(): StoreControl {
  const stage = signal<ConversationStage>({ name: 'opening' })
  const transcript = signal<TranscriptState>(EMPTY_TRANSCRIPT)
  const line = signal<LineStatus>('brief')
  const online = signal(true)
  const startedOver = signal(false)
  const settled = signal(0)
  const slow = signal(false)
  const draft = signal<ComposerDraft>({ text: '', resume: false })
  let timers: ReturnType<typeof setTimeout>[] = []
  let slowTimer: ReturnType<typeof setTimeout> | undefined

  const stopTimers = () => {
    for (const timer of timers.splice(0)) clearTimeout(timer)
  }

  const lineDown = () => {
    if (timers.length) return
    line.value = 'brief'
    timers = [setTimeout(() => (line.value = 'down'), NOTICED_MS), setTimeout(() => (line.value = 'long'), LONG_MS)]
  }

  const setWaiting = (waiting: boolean, late?: () => void) => {
    if (waiting) {
      slowTimer ??= setTimeout(() => {
        slow.value = true
        late?.()
      }, SLOW_MS)
      return
    }
    clearTimeout(slowTimer)
    slowTimer = undefined
    slow.value = false
  }

  return {
    store: { stage, transcript, line, online, startedOver, settled, slow, draft },
    apply(input) {
      const { state, news } = apply(transcript.value, input)
      batch(() => {
        transcript.value = state
        if (input.type === 'hello' && input.hello.mode === 'snapshot') settled.value = state.items.length
      })
      return news
    },
    setStage: (next) => void (stage.value = next),
    lineUp() {
      stopTimers()
      line.value = 'up'
    },
    lineDown,
    setOnline(now) {
      batch(() => {
        online.value = now
        if (!timers.length) return
        // The time that the browser was offline doesn't count as a break of the connection to the service.
        stopTimers()
        lineDown()
      })
    },
    setWaiting,
    startOver() {
      setWaiting(false)
      batch(() => {
        transcript.value = EMPTY_TRANSCRIPT
        startedOver.value = true
        stage.value = { name: 'opening' }
      })
    },
    setDraft: (text, resume) => void (draft.value = { text, resume }),
    stop() {
      stopTimers()
      setWaiting(false)
    },
  }
}
