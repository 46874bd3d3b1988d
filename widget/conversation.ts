import { effect } from '@preact/signals'
import type { Decoded } from '../worker/wire/decode.ts'
import type { Command, ConnectAuth, Credentials, LogEvent, Refusal, Up } from '../worker/wire/messages.ts'
import { WIRE_VERSION } from '../worker/wire/version.ts'
import type { Announcer } from './announcer.ts'
import { spoken } from './announcer.ts'
import { runningSpeech, standing } from './apply.ts'
import { shortName } from './clean.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Emit, WidgetConfig } from './host-events.ts'
import type { KnownSession, Memory } from './memory.ts'
import { unsentOf } from './memory.ts'
import { newId } from './new-id.ts'
import { EMPTY_OUTBOX, stepOutbox } from './outbox.ts'
import type { OutboxEntry, OutboxEvent, OutboxMessage } from './outbox.ts'
import type { Drawing } from './portraits/people.ts'
import type { SessionApi } from './session-api.ts'
import { createStore, troubleOf } from './store.ts'
import type { Store } from './store.ts'
import type { ConversationTexts } from './texts.ts'

/** What a host of the conversation decides: the widget on a website, or the game. The components read it. */
export interface ConversationParams {
  /** What the conversation says itself. The element that holds the panel names their language. */
  readonly texts: ConversationTexts
  /** The language of what colleagues say and of what authors wrote, as a BCP 47 tag. */
  readonly lang: string
  /** Draws a colleague. */
  readonly drawingOf: (npc: string) => Drawing
  /** Asks the service for a conversation and for its credentials. */
  readonly api: SessionApi
}

/** One conversation with one colleague: what the components read, and what they may ask for. */
export interface Conversation {
  readonly npc: string
  readonly params: ConversationParams
  readonly store: Store
  send(message: OutboxMessage): void
  /** Stops the reply that is being spoken. */
  stop(): void
  /** Sends a failed message again, or begins a new conversation where this one takes no more. */
  resend(entry: OutboxEntry): void
  /** Takes a message out of the outbox and back into the composer. */
  takeBack(entry: OutboxEntry): void
  keepDraft(text: string): void
  /** Tells what the learner has to know at once and did not ask for. */
  announce(text: string): void
  /** Tries again now: the line, or the opening that failed. */
  retry(): void
  /** Begins a new conversation in place of one that cannot be had any more. Words that are not sent yet are kept. */
  startOver(): void
  close(): void
}

export interface ConversationOptions extends ConversationParams {
  /** Names the launcher, for the page's events. */
  readonly name: string
  readonly origin: string
  readonly npc: string
  readonly memory: Memory
  readonly announcer: Announcer
  readonly emit: Emit
  readonly identity: WidgetConfig['identity']
  readonly page: WidgetConfig['page']
  /** A reply has come in. `npc` is the colleague's first name. */
  readonly replied: (npc: string) => void
  /**
   * Gets every `turn` and `pivot-end` event as it was decoded, in the order of the log, after the store has applied it.
   * Each comes once in this browser, as a command does: an event that an earlier page has told of does not come again.
   */
  readonly onExchange?: (event: ExchangeEvent) => void
}

/** What ends an exchange: a reply, or the answer to a pivot. */
export type ExchangeEvent = Extract<LogEvent, { type: 'turn' | 'pivot-end' }>

/**
 * Opens the conversation that was kept, or a new one, and keeps it going: socket to store, outbox to socket, news to
 * announcer, storage and page. Called when a person opens the panel, never before.
 */
export function openConversation(options: ConversationOptions): Conversation {
  const { name, origin, npc, memory, announcer, emit, identity, page, replied, texts, api } = options
  const control = createStore()
  const { store } = control
  const ending = new AbortController()
  // Read before anything happens, since whatever happens writes it anew.
  const unsent = memory.unsent(npc)
  let known: KnownSession | null = null
  let connection: Connection | null = null
  let outbox = EMPTY_OUTBOX
  let opening = false
  let slowly = false
  let draft = ''
  let trouble = ''
  let lastSaid = ''
  /** The turn whose reply the learner wants to end; 0 for none. */
  let stopping = 0
  let wake = 0
  let asked = 0

  const open = async () => {
    if (opening) return
    opening = true
    await enter()
    opening = false
  }

  const enter = async () => {
    known = memory.session(npc)
    let credentials: Credentials | null = null
    if (!known) {
      control.setStage({ name: 'opening' })
      const answer = await api.create({ npc, ...(await identified()) }, ending.signal)
      if (ending.signal.aborted) return
      if (!answer.ok) return control.setStage({ name: 'refused', refusal: answer, begun: false })
      // Another tab may have begun one meanwhile: the learner has one conversation, not two.
      known = memory.session(npc)
      if (!known) {
        known = { id: answer.session, key: answer.key, epoch: '', seen: 0 }
        credentials = answer.credentials
        memory.setSession(npc, known)
      }
    }
    control.lineDown()
    connection = connect(origin, known.id, credentials, { auth, admit, received, down, refused })
  }

  const admit = async () => {
    if (!known?.key) return null
    const answer = await api.renew(known.id, { key: known.key, ...(await identified()) }, ending.signal)
    return answer.ok ? answer.credentials : answer
  }

  /** Who the learner is, by the page's word; asked for every time, because a page's token does not last either. */
  const identified = async (): Promise<{ identity?: object }> => {
    try {
      const proof = await Promise.race([identity(), silence()])
      return proof ? { identity: typeof proof === 'string' ? { jwt: proof } : proof } : {}
    } catch (error) {
      // The service says whether it can do without.
      reportError(error)
      return {}
    }
  }

  const auth = (): ConnectAuth => ({ v: WIRE_VERSION, clientId: CLIENT_ID, ...standing(store.transcript.value) })

  const received = (message: Decoded) => {
    const news = control.apply(inputOf(message))
    if (message.name === 'hello') greet(message.body.epoch)
    act(news)
    askForMissing(message.name === 'hello')
  }

  const greet = (epoch: string) => {
    if (known && known.epoch !== epoch) {
      known = { ...known, epoch, seen: 0 }
      announcer.say(texts.meeting(store.transcript.value.conversation))
    }
    control.setStage({ name: 'open' })
    control.lineUp()
    // What was acknowledged is durable, so the log the server has just sent shows it.
    const sent = outbox.entries.filter(({ state }) => state === 'sent').map(({ cid }) => cid)
    step({ type: 'logged', cids: sent })
    step({ type: 'link', up: true })
    askToStop()
  }

  /** Tells of each event once, on this page and over reloads. */
  const act = (news: readonly LogEvent[]) => {
    for (const event of news) {
      if (!known || event.seq <= known.seen) continue
      known = { ...known, seen: event.seq }
      tell(event, known.id)
    }
    if (news.length) {
      memory.setSession(npc, known)
      step({ type: 'logged', cids: news.flatMap(cidOf) })
      if (news.some(({ type }) => type === 'turn')) step({ type: 'hurry' })
    }
    const replying = runningSpeech(store.transcript.value) !== undefined
    if (!replying) stopping = 0
    if (replying && !slowly) announcer.sayIfSlow(texts.replying(who()))
    slowly = replying
  }

  const tell = (event: LogEvent, session: string) => {
    if (event.type === 'turn' || event.type === 'pivot-end') options.onExchange?.(event)
    switch (event.type) {
      case 'turn':
        announcer.cancelSlow()
        lastSaid = event.text
        if (event.text) announcer.say(`${texts.says(who())} ${spoken(event.text, texts)}`)
        if (event.outcome === 'failed') announcer.say(texts.replyFailed(who()))
        if (event.outcome === 'cut') announcer.say(texts.stopped(who()))
        return replied(who())
      case 'pivot-end':
        return announcer.say(
          event.choice
            ? `${texts.says(who())} ${spoken(event.choice.reaction, texts)} ${event.choice.effect}`
            : texts.pivotPassed,
        )
      case 'command':
        announcer.say(announcementOf(texts, event.command, who(), lastSaid))
        return emit('command', { name, session, npc: npcId(), id: event.id, command: event.command })
      case 'turn-start':
    }
  }

  const who = () => shortName(store.transcript.value.conversation?.npc.name ?? '')
  const npcId = () => store.transcript.value.conversation?.npc.id ?? npc

  /** A gap is asked for once at a time, and not for ever: the next connection asks again anyway. */
  const askForMissing = (answered: boolean) => {
    const { gap } = store.transcript.value
    if (gap === 'none') asked = 0
    else if (answered || asked === 0) {
      asked += 1
      if (asked <= 3) connection?.sync(standing(store.transcript.value))
    }
  }

  const down = () => {
    asked = 0
    control.lineDown()
    step({ type: 'link', up: false })
  }

  const refused = (refusal: Refusal) => {
    // One that was kept before there were keys is as good as gone.
    const isGone = refusal.code === 'unknown-session' || (refusal.code === 'not-admitted' && !known?.key)
    if (isGone) return startOver()
    control.setStage({ name: 'refused', refusal, begun: true })
  }

  const startOver = () => {
    connection?.close()
    connection = null
    // Why the old one took them no more says nothing about the new one, which is on its way already.
    step({ type: 'started-over' })
    announcer.say(texts.startedOver)
    memory.setSession(npc, null)
    control.startOver()
    control.apply({ type: 'outbox', entries: outbox.entries })
    void open()
  }

  const step = (event: OutboxEvent) => {
    const result = stepOutbox(outbox, event, Date.now())
    const changed = result.outbox !== outbox
    outbox = result.outbox
    clearTimeout(wake)
    if (result.wakeIn !== null) wake = window.setTimeout(step, result.wakeIn, { type: 'tick' })
    if (changed) {
      control.apply({ type: 'outbox', entries: outbox.entries })
      keep()
    }
    if (result.send) transmit(result.send)
  }

  const transmit = ({ cid, message }: OutboxEntry) => {
    const { name: event, ...body } = message
    const about = event === 'say' && page()
    connection?.emit(event, { cid, ...body, ...(about && { page: about }) } as Up[typeof event], (acknowledgement) => {
      step(acknowledgement ? { type: 'acknowledged', cid, acknowledgement } : { type: 'unanswered', cid })
      const entry = outbox.entries.find((each) => each.cid === cid)
      if (entry?.state === 'failed') announcer.say(event === 'choose' ? texts.pivotFailed : texts.whyNot(entry.refusal))
    })
  }

  /** Asked again on every line until the reply has ended, since a wish that went down with a line was not heard. */
  const askToStop = () => {
    if (stopping && outbox.linked) connection?.emit('cancel', { turn: stopping }, () => undefined)
  }

  /** Puts words into the composer. What is in it already is as much the learner's own. */
  const putBack = (text: string) => {
    draft = draft ? `${text}\n${draft}` : text
    control.setDraft(draft)
    keep()
  }

  const keep = () => {
    memory.setUnsent(npc, { draft, says: unsentOf(outbox.entries) })
  }

  const online = () => {
    control.setOnline(navigator.onLine)
    if (navigator.onLine) step({ type: 'hurry' })
  }
  addEventListener('online', online, { signal: ending.signal })
  addEventListener('offline', online, { signal: ending.signal })
  online()
  const stopTelling = effect(() => {
    const now = troubleOf(store, texts)
    if (now === trouble || !(now || store.line.value === 'up')) return
    announcer.say(now || texts.reconnected)
    trouble = now
  })
  if (unsent.draft) putBack(unsent.draft)
  for (const { cid, text, held } of unsent.says) step({ type: 'add', cid, message: { name: 'say', text }, held })
  void open()

  return {
    npc,
    params: options,
    store,
    send: (message) => step({ type: 'add', cid: newId(), message }),
    stop() {
      stopping = runningSpeech(store.transcript.value)?.turn ?? 0
      askToStop()
    },
    resend: ({ cid, refusal }) => (refusal?.next === 'start-over' ? startOver() : step({ type: 'again', cid })),
    takeBack({ cid, message }) {
      step({ type: 'drop', cid })
      if (message.name !== 'say') return
      putBack(message.text)
    },
    keepDraft(text) {
      draft = text
      keep()
    },
    announce: (text) => announcer.say(text),
    retry() {
      if (!connection) return void open()
      if (store.stage.value.name === 'refused') control.setStage({ name: 'open' })
      connection.reconnect()
    },
    startOver,
    close() {
      ending.abort()
      clearTimeout(wake)
      stopTelling()
      control.stop()
      announcer.cancelSlow()
      connection?.close()
    },
  }
}

/** A page that never answers keeps nobody waiting for ever. */
const silence = () =>
  new Promise<never>((_, fail) => setTimeout(fail, 10_000, Error('Walkon: identify did not answer.')))

/**
 * Names this page load and is never stored: a duplicated tab would copy a stored one, and the two would throw each
 * other's socket out.
 */
const CLIENT_ID = newId()

function inputOf(message: Decoded) {
  if (message.name === 'hello') return { type: 'hello', hello: message.body } as const
  if (message.name === 'event') return { type: 'event', event: message.body } as const
  return { type: 'delta', delta: message.body } as const
}

function cidOf(event: LogEvent): string[] {
  if (event.type === 'turn-start') return [event.cid]
  return event.type === 'pivot-end' && event.choice ? [event.choice.cid] : []
}

/** A colleague who has just asked the question aloud is not made to ask it twice. */
function announcementOf(texts: ConversationTexts, command: Command, who: string, lastSaid: string): string {
  switch (command.name) {
    case 'AI_AdvanceObjective':
      return texts.objective(command.title)
    case 'AI_PivotMoment': {
      const choices = command.choices.map(({ text }, index) => `${index + 1}: ${text}`)
      const question = lastSaid.includes(command.question) ? [] : [command.question]
      return [`${texts.pivot(who)}.`, ...question, ...choices, texts.pivotHint].join(' ')
    }
    case 'AI_EndConversation':
      return command.completion === 'forced' ? texts.closingForced(who) : texts.closingOver(who)
  }
}
