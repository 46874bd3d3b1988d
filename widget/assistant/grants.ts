import type { AssistantEvent } from '../../worker/wire/messages.ts'

/** What a person has allowed for a conversation, in one panel. */
interface Allowed {
  /** Until when each operation is allowed, in milliseconds since 1970. */
  readonly until: Map<string, number>
  /** The operation that each question is about, by the question's id. */
  readonly asked: Map<string, string>
  /** Draws the controls again; null before there is a place for them. */
  draw: (() => void) | null
}

/** How long a grant for the conversation counts at most, in milliseconds. The server decides. */
const GRANT_MS = 24 * 3_600_000

const panels = new WeakMap<Node, Allowed>()

function allowedIn(root: Node): Allowed {
  const known = panels.get(root) ?? { until: new Map(), asked: new Map(), draw: null }
  panels.set(root, known)
  return known
}

/** Notes what an event changes about what is allowed in the panel that draws it. */
export function noteGrants(place: HTMLElement, event: AssistantEvent): void {
  const { until, asked, draw } = allowedIn(place.getRootNode())
  if (event.type === 'permission') asked.set(event.id, event.operation)
  else if (event.type === 'permission-end' && event.answer === 'here')
    until.set(asked.get(event.id) ?? '', event.at + GRANT_MS)
  else if (event.type === 'permission-revoked') for (const operation of event.operations) until.delete(operation)
  draw?.()
}

interface GrantOptions {
  readonly grants: readonly { readonly operation: string; readonly expiresAt: number }[]
  readonly label: (operation: string) => string
  readonly takeBack: (operation: string) => void
}

/** Shows a button for each operation that is allowed in this conversation, by which the person takes that back. */
export function showGrants(place: HTMLElement, { grants, label, takeBack }: GrantOptions): void {
  const allowed = allowedIn(place.getRootNode())
  for (const { operation, expiresAt } of grants) allowed.until.set(operation, expiresAt)
  allowed.draw = () => {
    for (const old of place.querySelectorAll('[data-grant]')) old.remove()
    for (const [operation, until] of allowed.until)
      if (operation !== '' && until > Date.now()) {
        const button = document.createElement('button')
        Object.assign(button, { type: 'button', className: 'button small', textContent: label(operation) })
        button.dataset['grant'] = operation
        button.addEventListener('click', () => takeBack(operation))
        place.append(button)
      }
  }
  allowed.draw()
}
