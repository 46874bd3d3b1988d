import type { TranscriptState } from '../apply.ts'
import type { Conversation } from '../conversation.ts'
import { button, makeElement } from './elements.ts'
import type { MenuWords } from '../menu.ts'

/** A tool that a person has allowed for one conversation. */
export interface AllowedTool {
  readonly operation: string
  /** What it is called for people, as in the question. */
  readonly title: string
}

/** How long a grant for the conversation counts at most, in milliseconds. The server decides. */
const GRANT_MS = 24 * 3_600_000

/**
 * Returns what the person has allowed for a conversation and not taken back ([assistant-27]): what the service has told,
 * as changed by the events since then.
 *
 * @param settled the number of the items that the service has told with its grants
 */
function allowedTools({ conversation, items }: TranscriptState, settled: number): readonly AllowedTool[] {
  const until = new Map(
    conversation?.assistant?.grants?.map(({ operation, expiresAt }) => [operation, expiresAt] as const),
  )
  const events = items.map((item) => (item.kind === 'assist' ? item.event : null))
  const asked = events.filter((event) => event?.type === 'permission')
  for (const event of events.slice(settled)) {
    if (event?.type === 'permission-revoked') for (const operation of event.operations) until.delete(operation)
    if (event?.type !== 'permission-end' || event.answer !== 'here') continue
    const question = asked.find(({ id }) => id === event.id)
    if (question) until.set(question.operation, event.at + GRANT_MS)
  }
  return [...until]
    .filter(([, end]) => end > Date.now())
    .map(([operation]) => {
      const titles = asked.filter((question) => question.operation === operation).map(({ title }) => title)
      return { operation, title: titles.at(-1) ?? operation }
    })
}

/** Draws the open lists again, by their conversation. */
const lists = new WeakMap<Conversation, () => void>()

/** Draws the list of what is allowed again, if it is open, after an event of its conversation. */
export function showAllowedAgain(conversation: Conversation): void {
  lists.get(conversation)?.()
}

/** Lists for the menu what the person has allowed for this conversation, each with a button that takes it back. */
export function listAllowed(
  conversation: Conversation,
  words: MenuWords & { readonly failed: string },
  say: (text: string) => void,
): HTMLElement {
  const { store, connection } = conversation
  const place = makeElement('div', { className: 'allowed', role: 'group', ariaLabel: words.allowed })
  const title = makeElement('h3', { textContent: words.allowed, tabIndex: -1 })
  const draw = () => {
    const before = place.querySelectorAll('button').length
    const hadFocus = place.contains((place.getRootNode() as ShadowRoot).activeElement)
    const buttons = allowedTools(store.transcript.peek(), store.settled.peek()).map(({ operation, title: tool }) =>
      button(words.takeBack(tool), () =>
        connection?.emit('revoke', { operation }, (answer) => answer?.ok || say(words.failed)),
      ),
    )
    if (buttons.length === before) return
    place.replaceChildren(title, ...buttons)
    if (buttons.length > before) return
    place.append(makeElement('p', { textContent: words.takenBack }))
    say(words.takenBack)
    if (hadFocus) title.focus()
  }
  lists.set(conversation, draw)
  draw()
  return place
}
