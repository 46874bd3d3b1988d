import { effect } from '@preact/signals'
import { vi } from 'vitest'
import { apply, EMPTY_TRANSCRIPT, type Speech, type TranscriptState } from '../../widget/apply.ts'
import { type Conversation, openConversation } from '../../widget/conversation.ts'
import { browserMemory } from '../../widget/memory.ts'
import { drawingOf } from '../../widget/portraits/people.ts'
import { scenarioSessions } from '../../widget/session-api.ts'
import { englishTexts } from '../../widget/texts/en.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'

/** Sends the events of a page, such as `pageshow`. The widget needs them, and Node does not have them. */
const page = new EventTarget()

/**
 * Makes Node look like a page, by setting a page's globals. So the widget's own code runs in Node. A test must call
 * `vi.unstubAllGlobals` at its end: test files share a process, and some libraries believe that they run in a page if
 * there is a `window`. This page has no storage, so what the widget stores is lost with the tab.
 */
export function stubPage(): void {
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error
  })
  Object.defineProperty(globalThis.navigator, 'onLine', { value: true, configurable: true })
}

/** Acts as if a person came back to the page. Every widget then checks whether its connection still works. */
export function comeBack(): void {
  page.dispatchEvent(new Event('pageshow'))
}

/** The widget in a simulated tab, without its panel: only the code that talks to the service. */
export class WidgetTab {
  /** The ids of the commands that the tab received, in order. */
  readonly commands: string[] = []
  session = ''
  /**
   * The session key of the tab's conversation. Another client can get credentials with this key by `renewCredentials`.
   */
  key = ''
  readonly #conversation: Conversation
  readonly #stop: () => void
  #wakes: (() => void)[] = []

  /** Opens a new conversation with the server at `origin`. */
  constructor(origin: URL, npc: string) {
    const memory = browserMemory({ origin: origin.origin, scenario: 'launch-decision', npc })
    this.#conversation = openConversation({
      name: 'tab',
      origin: origin.origin,
      npc,
      texts: englishTexts,
      lang: 'en',
      drawingOf,
      api: scenarioSessions(origin.origin, 'launch-decision'),
      memory: {
        ...memory,
        setSession: (of, known) => {
          if (known) ({ id: this.session, key: this.key } = known)
          memory.setSession(of, known)
        },
      },
      announcer: { say: () => {}, sayIfSlow: () => {}, cancelSlow: () => {}, stop: () => {} },
      emit: (_, detail) => void ('id' in detail && this.commands.push(detail.id)),
      identity: () => Promise.resolve(''),
      page: () => ({}),
      replied: () => {},
    })
    const { transcript, line } = this.#conversation.store
    this.#stop = effect(() => {
      void [transcript.value, line.value]
      for (const wake of this.#wakes.splice(0)) wake()
    })
  }

  get transcript(): TranscriptState {
    return this.#conversation.store.transcript.value
  }

  get isUp(): boolean {
    return this.#conversation.store.line.value === 'up'
  }

  get speeches(): readonly Speech[] {
    return this.transcript.items.filter((item): item is Speech => item.kind === 'speech')
  }

  say(text: string): void {
    this.#conversation.send({ name: 'say', text })
  }

  /** Returns the first truthy value of `look`. Calls `look` again whenever the screen changes. */
  async until<T>(look: () => T | undefined | false | null): Promise<T> {
    for (;;) {
      const found = look()
      if (found) return found
      await new Promise<void>((resolve) => this.#wakes.push(resolve))
    }
  }

  close(): void {
    this.#stop()
    this.#conversation.close()
  }
}

/** Returns what a screen shows if a client has received only these events. */
export function drawn(log: readonly LogEvent[]): TranscriptState['items'] {
  let state: TranscriptState = { ...EMPTY_TRANSCRIPT, epoch: 'drawn' }
  for (const event of log) ({ state } = apply(state, { type: 'event', event }))
  return state.items
}
