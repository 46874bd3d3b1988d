import type { Command, LogEvent } from '../worker/wire/messages.ts'
import { spoken } from './announcer.ts'
import { wasCutShort } from './apply.ts'
import { firstSentence, shortName } from './clean.ts'
import type { ConversationOptions, ExchangeEvent } from './conversation.ts'
import type { ConversationStore } from './store.ts'

/** Reports each new event to screen readers, to the page, and to the widget or game that shows the conversation. */
export class Narrator {
  readonly #options: ConversationOptions
  readonly #store: ConversationStore
  #lastSaid = ''
  #isReplying = false

  constructor(options: ConversationOptions, store: ConversationStore) {
    this.#options = options
    this.#store = store
  }

  meet(): void {
    const { announcer, texts } = this.#options
    announcer.say(texts.meeting(this.#store.transcript.value.conversation))
  }

  /** Announces that the colleague is replying, if the reply takes long. */
  noteReplying(isReplying: boolean): void {
    const { announcer, texts } = this.#options
    if (isReplying && !this.#isReplying) announcer.sayIfSlow(texts.replying(this.#name))
    if (!isReplying) announcer.cancelSlow()
    this.#isReplying = isReplying
  }

  tell(event: LogEvent, session: string): void {
    if (event.type === 'command') return this.#tellCommand(event, session)
    if (event.type === 'opening') return this.#tellPage(session, 'npc', event.text)
    if (event.type === 'turn-start') {
      if (event.attempt === 1) this.#tellPage(session, 'learner', event.text)
      return
    }
    if (event.type !== 'turn' && event.type !== 'pivot-end') return
    if (event.type === 'turn') this.#tellPage(session, 'npc', event.text)
    else if (event.choice && !event.typed) {
      this.#tellPage(session, 'learner', event.choice.text)
      this.#tellPage(session, 'npc', event.choice.reaction)
    }
    this.#options.onExchange?.(event)
    this.#tellExchange(event)
  }

  #tellExchange(event: ExchangeEvent): void {
    const { announcer, texts, replied } = this.#options
    const name = this.#name
    if (event.type === 'pivot-end') return announcer.say(this.#answered(event))
    this.#lastSaid = event.text
    if (event.text) announcer.say(`${texts.says(name)} ${spoken(event.text, texts)}`)
    if (event.offers) announcer.say(`${texts.offersTitle}: ${event.offers.join('; ')}.`)
    if (event.outcome === 'failed') announcer.say(texts.replyFailed(name))
    if (event.outcome === 'cut') announcer.say(texts.stopped(name))
    replied(name)
  }

  #answered({ choice, typed }: Extract<LogEvent, { type: 'pivot-end' }>): string {
    const { texts } = this.#options
    if (!choice) return ''
    if (typed) return `${texts.pivotTyped(firstSentence(choice.text))} ${choice.effect}`
    return `${texts.says(this.#name)} ${spoken(choice.reaction, texts)} ${choice.effect}`
  }

  #tellCommand({ id, command }: Extract<LogEvent, { type: 'command' }>, session: string): void {
    const { announcer, emit, name } = this.#options
    announcer.say(this.#announcementOf(command))
    const npc = this.#npc
    emit('command', { name, session, npc, id, command })
    if (command.name === 'AI_EndConversation') emit('end', { name, session, npc, completion: command.completion })
  }

  #tellPage(session: string, from: 'learner' | 'npc', text: string): void {
    const { emit, name } = this.#options
    if (text) emit('message', { name, session, npc: this.#npc, from, text })
  }

  get #npc(): string {
    return this.#store.transcript.value.conversation?.npc.id ?? this.#options.npc
  }

  #announcementOf(command: Command): string {
    const { texts } = this.#options
    const name = this.#name
    switch (command.name) {
      case 'AI_AdvanceObjective':
        return texts.objective(command.title)
      case 'AI_PivotMoment': {
        const choices = command.choices.map(({ text }, index) => `${index + 1}: ${text}`)
        // If the last reply already contains the fork's question, the announcement omits the question.
        const question = this.#lastSaid.includes(command.question) ? [] : [command.question]
        return [`${texts.pivot(name)}.`, ...question, ...choices, texts.pivotHint].join(' ')
      }
      case 'AI_HandOverDocument':
        return command.document.title
      case 'AI_EndConversation':
        return wasCutShort(command) ? texts.closingForced(name) : texts.closingOver(name)
    }
  }

  get #name(): string {
    return shortName(this.#store.transcript.value.conversation?.npc.name ?? '')
  }
}
