import { effect } from '@preact/signals'
import type { Decoded } from '../worker/wire/decode.ts'
import type { AssistantEvent, ConnectAuth, Credentials, LogEvent, Refusal, Up } from '../worker/wire/messages.ts'
import { WIRE_VERSION } from '../worker/wire/version.ts'
import type { Announcer } from './announcer.ts'
import { isQuestionOpen, runningSpeech, standing } from './apply.ts'
import { openConnection } from './connection.ts'
import type { Connection, ConnectionListener } from './connection.ts'
import type { Emit, Identity } from './host-events.ts'
import type { KnownSession, BrowserMemory } from './memory.ts'
import { Narrator } from './narrator.ts'
import { newId } from './new-id.ts'
import type { MessageEntry, OutboxMessage } from './outbox.ts'
import type { Drawing } from './portraits/people.ts'
import { Sender } from './sender.ts'
import type { SessionApi } from './session-api.ts'
import { createStore, troubleOf } from './store.ts'
import type { ConversationStore, StoreControl } from './store.ts'
import type { ConversationTexts } from './texts/en.ts'

/** What the components have to know about the host of a conversation. The widget and the game are the two hosts. */
export interface ConversationParams {
  /**
   * The texts of the panel's labels and notices. The `lang` attribute of the element around the panel states their
   * language.
   */
  readonly texts: ConversationTexts
  /** The language of the colleagues and of authored text, as a BCP 47 tag. */
  readonly lang: string
  /** The messages that the openers' buttons send; by default what the buttons say. */
  readonly openers?: readonly string[] | undefined
  readonly drawingOf: (npc: string) => Drawing
  /** The client of the service that requests conversations and credentials. */
  readonly api: SessionApi
  /** Fills a place with an assistant's controls: with those of an event, or with its agents. */
  readonly assist?: (place: HTMLElement, event?: AssistantEvent) => unknown
}

/** One conversation with one colleague. The components use this interface. */
export interface Conversation {
  readonly npc: string
  readonly params: ConversationParams
  readonly store: ConversationStore
  send(message: OutboxMessage): void
  stop(): void
  /**
   * Sends a failed message again, or begins a new conversation if the current conversation accepts no more messages.
   */
  resend(entry: MessageEntry): void
  takeBack(entry: MessageEntry): void
  keepDraft(text: string): void
  /** Puts a text into the composer. */
  prefill(text: string): void
  announce(text: string): void
  /** The connection; null while there is none. */
  readonly connection: Connection | null
  /** Asks the page for a proof of who the learner is, in the form of a request. */
  identified(): Promise<{ identity?: object }>
  /** Reconnects now, or tries again to open the conversation. */
  retry(): void
  /**
   * Begins a new conversation in place of a conversation that the service no longer accepts. Unsent messages are kept.
   */
  startOver(): void
  close(): void
}

export interface ConversationOptions extends ConversationParams {
  /** The launcher's name in the events that the page receives. */
  readonly name: string
  readonly origin: string
  readonly npc: string
  readonly memory: BrowserMemory
  readonly announcer: Announcer
  readonly emit: Emit
  /**
   * Returns the page's proof of who the learner is, or ''. The function runs the page's own code, so the promise may
   * reject.
   */
  readonly identity: () => Promise<Identity>
  /**
   * Returns the fields of a message that describe the page; never throws. `isUnknown`: the service has refused this
   * message because it does not have the page.
   */
  readonly page: (connection: Connection, isUnknown: boolean) => object | Promise<object>
  /** Called when a reply has ended. `npc` is the colleague's first name. */
  readonly replied: (npc: string) => void
  /**
   * Called with every `turn` and `pivot-end` event, in the order of the log, after the store has applied the event. In
   * one browser it gets each event once, even if the page is reloaded.
   */
  readonly onExchange?: (event: ExchangeEvent) => void
}

/** An event that ends an exchange: the end of a reply or of a pivot. */
export type ExchangeEvent = Extract<LogEvent, { type: 'turn' | 'pivot-end' }>

/**
 * Continues the stored conversation, or begins a new one. The host calls this function only when a person opens the
 * panel.
 */
export function openConversation(options: ConversationOptions): Conversation {
  return new LiveConversation(options)
}

/** The state of the session and its connection. The panel shows the store's `stage`. */
type Phase =
  | { readonly name: 'idle' }
  | { readonly name: 'opening' }
  /** There is a session and its connection, which reconnects by itself. */
  | { readonly name: 'joined'; readonly known: KnownSession; readonly connection: Connection }
  | { readonly name: 'closed' }

/** The most requests for the same missing events on one connection. A new connection requests them in any case. */
const MOST_SYNCS = 3
const IDENTIFY_MS = 10_000

class LiveConversation implements Conversation, ConnectionListener {
  readonly npc: string
  readonly params: ConversationParams
  readonly store: ConversationStore
  #phase: Phase = { name: 'idle' }
  readonly #options: ConversationOptions
  readonly #control: StoreControl
  readonly #narrator: Narrator
  readonly #sender: Sender
  readonly #ending = new AbortController()
  readonly #stopTelling: () => void
  /** The number of the turn whose reply the learner wants to stop; 0 if there is none. */
  #stopping = 0
  #syncs = 0
  /**
   * Names this conversation's socket: the service closes an older socket with the same id. The id is never stored: a
   * duplicated tab would copy a stored id, and the two tabs would close each other's socket.
   */
  readonly #clientId = newId()
  #isReady = false

  constructor(options: ConversationOptions) {
    const { npc, memory } = options
    this.npc = npc
    this.params = options
    this.#options = options
    this.#control = createStore()
    this.store = this.#control.store
    this.#narrator = new Narrator(options, this.store)
    // The unsent messages are read first, because every step of the sender overwrites them in storage.
    const unsent = memory.unsent(npc)
    this.#sender = new Sender({
      changed: (entries) => void this.#control.apply({ type: 'outbox', entries }),
      setDraft: (text, resume) => this.#control.setDraft(text, resume),
      keep: (now) => memory.setUnsent(npc, now),
      transmit: (entry) => void this.#transmit(entry),
    })
    this.#watchNetwork()
    this.#stopTelling = this.#tellTrouble()
    this.#sender.restore(unsent)
    void this.#open()
  }

  send(message: OutboxMessage): void {
    this.#sender.step({ type: 'add', cid: newId(), message })
  }

  stop(): void {
    this.#stopping = runningSpeech(this.store.transcript.value)?.turn ?? 0
    this.#askToStop()
  }

  resend({ cid, refusal }: MessageEntry): void {
    if (refusal?.next === 'start-over') this.startOver()
    else this.#sender.step({ type: 'again', cid })
  }

  takeBack(entry: MessageEntry): void {
    this.#sender.takeBack(entry)
  }

  keepDraft(text: string): void {
    this.#sender.keepDraft(text)
  }

  prefill(text: string): void {
    this.#control.setDraft(text, false)
    this.keepDraft(text)
  }

  announce(text: string): void {
    this.#options.announcer.say(text)
  }

  retry(): void {
    if (this.#phase.name !== 'joined') return void this.#open()
    if (this.store.stage.value.name === 'refused') this.#control.setStage({ name: 'open' })
    this.#phase.connection.open()
  }

  startOver(): void {
    const isStored = this.#isStored
    this.#leave()
    // The unsent messages stay, so that the learner can send them in the new conversation.
    this.#sender.step({ type: 'started-over' })
    this.announce(this.params.texts.startedOver)
    if (isStored) this.#options.memory.setSession(this.npc, null)
    this.#control.startOver()
    this.#sender.show()
    void this.#open()
  }

  close(): void {
    this.#leave()
    this.#phase = { name: 'closed' }
    this.#ending.abort()
    this.#sender.close()
    this.#stopTelling()
    this.#control.stop()
    this.#options.announcer.cancelSlow()
  }

  async #open(): Promise<void> {
    if (this.#phase.name !== 'idle') return
    const { npc, memory, api } = this.#options
    const known = memory.session(npc)
    if (known) return this.#join(known, null)
    const mine = (this.#phase = { name: 'opening' })
    this.#control.setStage({ name: 'opening' })
    const answer = await api.create({ npc, ...(await this.identified()) }, this.#ending.signal)
    if (this.#phase !== mine) return
    if (!answer.ok) return this.#fail(answer)
    // Another tab may have begun a session meanwhile. Then this tab joins that session.
    const other = memory.session(npc)
    if (other) return this.#join(other, null)
    const begun = { id: answer.session, key: answer.key, epoch: '', seen: 0 }
    memory.setSession(npc, begun)
    this.#join(begun, answer.credentials)
  }

  #fail(refusal: Refusal): void {
    this.#phase = { name: 'idle' }
    // A browser does not tell a page that the service refuses its origin.
    if (refusal.code === 'unavailable')
      console.error('Walkon: no answer. Is this site in WALKON_ORIGINS? See Walkon.diagnose()')
    this.#refuse(refusal, false)
  }

  #join(known: KnownSession, credentials: Credentials | null): void {
    this.#control.lineDown()
    const connection = openConnection(this.#options.origin, known.id, credentials, this)
    this.#phase = { name: 'joined', known, connection }
    connection.open()
  }

  #leave(): void {
    if (this.#phase.name !== 'joined') return
    this.#phase.connection.close()
    this.#phase = { name: 'idle' }
  }

  get #known(): KnownSession | null {
    return this.#phase.name === 'joined' ? this.#phase.known : null
  }

  /** False if the person has begun another conversation in another tab, or has forgotten this one there. */
  get #isStored(): boolean {
    return this.#options.memory.session(this.npc)?.id === this.#known?.id
  }

  get #npcNow(): string {
    return this.store.transcript.peek().conversation?.npc.id ?? this.npc
  }

  get connection(): Connection | null {
    return this.#phase.name === 'joined' ? this.#phase.connection : null
  }

  #remember(change: Partial<KnownSession>): void {
    if (this.#phase.name === 'joined') this.#phase = { ...this.#phase, known: { ...this.#phase.known, ...change } }
  }

  /**
   * Asks the page for a proof of who the learner is. Every request needs a new proof, because a page's token expires.
   */
  async identified(): Promise<{ identity?: object }> {
    try {
      const proof = await Promise.race([this.#options.identity(), silence()])
      return proof ? { identity: typeof proof === 'string' ? { jwt: proof } : proof } : {}
    } catch (error) {
      // The conversation sends the request without a proof, and the service decides whether to accept the request.
      reportError(error)
      return {}
    }
  }

  auth(): ConnectAuth {
    return { v: WIRE_VERSION, clientId: this.#clientId, short: true, ...standing(this.store.transcript.value) }
  }

  async admit(): Promise<Credentials | Refusal | null> {
    const known = this.#known
    if (!known?.key) return null
    const request = { key: known.key, ...(await this.identified()) }
    const answer = await this.params.api.renew(known.id, request, this.#ending.signal)
    return answer.ok ? answer.credentials : answer
  }

  received(message: Decoded): void {
    const news = this.#control.apply(inputOf(message))
    if (message.name === 'hello') this.#greet(message.body.epoch)
    this.#act(news)
    this.#askForMissing(message.name === 'hello')
  }

  down(): void {
    this.#syncs = 0
    this.#control.lineDown()
    this.#sender.step({ type: 'link', up: false })
  }

  refused(refusal: Refusal): void {
    // A session without a key can't get new credentials.
    const isGone = refusal.code === 'unknown-session' || (refusal.code === 'not-admitted' && !this.#known?.key)
    if (isGone) this.startOver()
    else this.#refuse(refusal, true)
  }

  #refuse(refusal: Refusal, begun: boolean): void {
    const { emit, name, texts } = this.#options
    if (/^unknown/.test(refusal.code)) console.error('Walkon: ' + refusal.message)
    this.#control.setStage({ name: 'refused', refusal, begun })
    emit('error', { name, code: refusal.code, message: texts.whyRefused(refusal, begun) })
  }

  #greet(epoch: string): void {
    const known = this.#known
    if (known && known.epoch !== epoch) {
      this.#remember({ epoch, seen: 0 })
      this.#narrator.meet()
    }
    this.#control.setStage({ name: 'open' })
    this.#control.lineUp()
    this.#sender.greet()
    this.#askToStop()
    if (!this.#isReady && known) {
      this.#isReady = true
      const { emit, name } = this.#options
      emit('ready', { name, session: known.id, npc: this.#npcNow })
    }
  }

  /** Passes each event to the narrator once, even if the page was reloaded in between. */
  #act(news: readonly LogEvent[]): void {
    for (const event of news) {
      const known = this.#known
      if (!known || event.seq <= known.seen) continue
      this.#remember({ seen: event.seq })
      this.#narrator.tell(event, known.id)
    }
    if (news.length) {
      if (this.#isStored) this.#options.memory.setSession(this.npc, this.#known)
      this.#sender.log(news)
    }
    const state = this.store.transcript.value
    const reply = runningSpeech(state)
    // While a person is asked, nobody thinks or replies.
    const asked = isQuestionOpen(state)
    this.#control.setWaiting(reply?.text === '' && !asked, () => this.announce(this.params.texts.slow))
    if (!reply) this.#stopping = 0
    this.#narrator.noteReplying(!!reply && !asked)
  }

  #askForMissing(answered: boolean): void {
    const transcript = this.store.transcript.value
    if (transcript.gap === 'none') this.#syncs = 0
    else if (answered || this.#syncs === 0) {
      this.#syncs += 1
      if (this.#syncs <= MOST_SYNCS) this.connection?.sync(standing(transcript))
    }
  }

  async #transmit({ cid, message, refusal }: MessageEntry): Promise<void> {
    const { name, ...body } = message
    const { connection } = this
    const page = connection && name === 'say' && this.#options.page(connection, refusal?.code === 'unknown-page')
    const about = page instanceof Promise ? await page : page
    connection?.emit(name, { cid, ...body, ...about } as Up[typeof name], (acknowledgement) => {
      const refused = this.#sender.answer(cid, acknowledgement)
      const { pivotFailed, whyNot } = this.params.texts
      if (refused) this.announce(name === 'choose' ? pivotFailed : whyNot(refused.refusal))
    })
  }

  /**
   * Sends `cancel`, and sends it again on every new connection until the reply has ended, because a connection may
   * break before `cancel` arrives.
   */
  #askToStop(): void {
    if (!this.#stopping || !this.#sender.isLinked) return
    this.connection?.emit('cancel', { turn: this.#stopping }, () => undefined)
  }

  #watchNetwork(): void {
    const { signal } = this.#ending
    const online = () => {
      this.#control.setOnline(navigator.onLine)
      if (!navigator.onLine) return
      this.#sender.step({ type: 'hurry' })
      // The request for a conversation failed while the browser was offline.
      if (this.store.stage.peek().name === 'refused' && this.#phase.name === 'idle') void this.#open()
    }
    addEventListener('online', online, { signal })
    addEventListener('offline', online, { signal })
    online()
  }

  #tellTrouble(): () => void {
    const { texts } = this.params
    let told = ''
    return effect(() => {
      const trouble = troubleOf(this.store, texts)
      if (trouble === told || !(trouble || this.store.line.value === 'up')) return
      this.announce(trouble || texts.reconnected)
      told = trouble
    })
  }
}

/** Rejects after ten seconds, so that a page whose `identify` never answers doesn't block the conversation. */
const silence = () =>
  new Promise<never>((_, fail) => setTimeout(fail, IDENTIFY_MS, Error('Walkon: identify did not answer.')))

function inputOf(message: Decoded) {
  if (message.name === 'hello') return { type: 'hello', hello: message.body } as const
  if (message.name === 'event') return { type: 'event', event: message.body } as const
  if (message.name === 'turn') return { type: 'turn', turn: message.body } as const
  return { type: 'delta', delta: message.body } as const
}
