import type { AssistantEvent, ConversationView, ToolAnswer } from '../../worker/wire/messages.ts'
import type { Connection } from '../connection.ts'
import type { Emit, HostPage } from '../host-events.ts'
import { css } from '../styles/assistant.css'
import { applyChange } from './apply-change.ts'
import { noteGrants, showGrants } from './grants.ts'
import { hashOf, viewOf } from './page-view.ts'
import { WORDS } from './words.ts'

/** What `assistant.js` exports: what only a conversation with an assistant needs. */
export interface AssistantFile {
  readonly withPage: typeof withPage
  readonly showEvent: typeof showEvent
  readonly showAgents: typeof showAgents
}

type Of<T extends AssistantEvent['type']> = Extract<AssistantEvent, { type: T }>

/** The hash of the page that each connection has sent last, and the last message that named it. */
const sent = new WeakMap<Connection, { hash: string; cid: string }>()

/**
 * Returns what a message says about the page: the hash under which the server has the page. Sends the page first if it
 * has changed, or if the server refused this message before, because it has the page no longer.
 */
export function withPage(page: HostPage, connection: Connection, cid: string): { context?: string } {
  const view = viewOf(page)
  if (typeof view === 'string') {
    console.error(`Walkon.setPage: ${view}`)
    return {}
  }
  const hash = hashOf(JSON.stringify(view))
  const known = sent.get(connection)
  if (known?.hash !== hash || known.cid === cid)
    connection.emit('page', { hash, page: view }, (answer) => {
      if (answer?.ok === false) console.error(`Walkon.setPage: ${answer.code}. ${answer.message}`)
    })
  sent.set(connection, { hash, cid })
  return { context: hash }
}

interface EventOptions {
  readonly lang: string
  /** Returns what the page shows now. */
  readonly page: () => HostPage | undefined
  readonly emit: Emit
  readonly about: { readonly name: string; readonly session: string; readonly npc: string }
  readonly announce: (text: string) => void
  readonly connection: Connection | null
}

/** Draws an event of an assistant, or does what it asks of the page. An event of another form is left out. */
export function showEvent(place: HTMLElement, event: AssistantEvent, options: EventOptions): void {
  if (drawn.has(place)) return
  drawn.add(place)
  dress(place)
  try {
    noteGrants(place, event)
    DRAW[event.type](place, event as never, options)
  } catch (error) {
    reportError(error)
  }
}

const drawn = new WeakSet<HTMLElement>()

const DRAW: {
  readonly [T in AssistantEvent['type']]: (place: HTMLElement, event: Of<T>, options: EventOptions) => void
} = {
  edits: showEdits,
  permission: showQuestion,
  'permission-end': endQuestion,
  'permission-revoked': () => undefined,
  'tool-call': runTool,
  'tool-end': () => undefined,
}

/** Asks the person whether an agent may use a tool. Another tab may answer first. */
function showQuestion(place: HTMLElement, asked: Of<'permission'>, { lang, connection, announce }: EventOptions): void {
  const words = WORDS[lang] ?? WORDS['en']!
  const note = make('p', { className: 'status' })
  const answer = (choice: 'once' | 'here' | 'deny') => () =>
    connection?.emit('permit', { id: asked.id, answer: choice }, (taken) => {
      if (!taken?.ok) announce((note.textContent = words.late))
    })
  const acts = make('p', { className: 'acts' })
  acts.append(
    button(words.allowOnce, answer('once')),
    button(words.allowHere, answer('here')),
    button(words.deny, answer('deny')),
  )
  const title = make('h3', { textContent: words.asks(asked.agent, asked.operation) })
  const facts = make('p', { dir: 'auto', textContent: `${asked.why} “${asked.input}”` })
  const cost = make('p', { className: 'status', textContent: words.price(asked.cost, asked.safety) })
  place.dataset['ask'] = asked.id
  place.classList.add('asks')
  place.append(title, facts, cost, note, acts)
  announce(`${title.textContent} ${facts.textContent} ${cost.textContent}`)
}

function endQuestion(place: HTMLElement, { id, answer }: Of<'permission-end'>, { lang, announce }: EventOptions): void {
  const words = WORDS[lang] ?? WORDS['en']!
  const card = (place.getRootNode() as ShadowRoot).querySelector<HTMLElement>(`[data-ask="${CSS.escape(id)}"]`)
  card?.querySelector('.acts')?.remove()
  const note = card?.querySelector('.status:empty')
  if (note) announce((note.textContent = words.answered[answer]))
}

/** How often a result is sent again if no acknowledgement comes, and how long after the attempt before. */
const TRIES = 10
const AGAIN_MS = 3_000
const LONGEST_RESULT = 8_000

/** Lets the page run a tool, if it has named the tool, and if this tab is the first to take the call. */
function runTool(
  _: HTMLElement,
  { call, tool, input }: Of<'tool-call'>,
  { page, connection, emit, about }: EventOptions,
): void {
  if (!page()?.tools?.includes(tool)) return
  const send = (answer: ToolAnswer, tries = 0) =>
    connection?.emit('tool', answer, (taken) => {
      if (taken === null && tries < TRIES) setTimeout(send, AGAIN_MS, answer, tries + 1)
      else if (taken?.ok === false) console.error(`Walkon: the result of ${tool} was not taken. ${taken.message}`)
    })
  connection?.emit('tool', { call, claim: true }, (taken) => {
    if (!taken?.ok) return
    let isAnswered = false
    const end = (ok: boolean) => (text: string) => {
      if (!isAnswered) send({ call, ok, text: String(text).slice(0, LONGEST_RESULT) })
      isAnswered = true
    }
    emit('tool', { ...about, call, tool, input, answer: end(true), fail: end(false) })
  })
}

/** Shows proposed changes as a list, each with its old and new text, to be taken or left one by one or all at once. */
function showEdits(place: HTMLElement, { filename, operations }: Of<'edits'>, options: EventOptions): void {
  place.classList.add('edits')
  const words = WORDS[options.lang] ?? WORDS['en']!
  const open = new Map<string, (verdict: 'taken' | 'left') => boolean>()
  const list = make('ol', { className: 'changes' })
  for (const operation of operations) {
    const row = make('li', {})
    const note = make('p', { className: 'status' })
    const take = button(words.take, () => decide('taken'))
    const leave = button(words.leave, () => decide('left'))
    const decide = (verdict: 'taken' | 'left'): boolean => {
      const isDone = verdict === 'left' || apply()
      note.textContent = isDone ? words[verdict] : words.changed
      open.delete(operation.id)
      row.className = isDone ? verdict : 'stale'
      take.remove()
      leave.remove()
      if (open.size === 0) all.remove()
      options.announce(note.textContent)
      return isDone
    }
    const apply = (): boolean => {
      const page = options.page()
      const editor = page && 'editor' in page ? page.editor : undefined
      const result = editor?.filename === filename ? applyChange(editor.content, operation) : null
      if (!editor || result === null) return false
      // The page will hand over its new text. Until then, the next change has to find the text with this one.
      editor.content = result
      const { id, op, start, expected, text } = operation
      options.emit('edit', { ...options.about, id, filename, op, start, expected, text, result })
      return true
    }
    const diff = make('p', { dir: 'auto' })
    diff.append(
      operation.before.slice(-CONTEXT),
      ...(operation.expected ? [make('del', { textContent: operation.expected })] : []),
      ...(operation.text ? [make('ins', { textContent: operation.text })] : []),
      operation.after.slice(0, CONTEXT),
    )
    const acts = make('p', { className: 'acts' })
    acts.append(take, leave)
    row.append(diff, make('p', { className: 'status', textContent: operation.why }), note, acts)
    open.set(operation.id, decide)
    list.append(row)
  }
  const every = (verdict: 'taken' | 'left') => () => {
    for (const decide of [...open.values()]) decide(verdict)
    place.querySelector<HTMLElement>('h3')?.focus()
  }
  const all = make('p', { className: 'acts' })
  if (operations.length > 1) all.append(button(words.takeAll, every('taken')), button(words.leaveAll, every('left')))
  const title = make('h3', { textContent: words.changes(operations.length, filename), tabIndex: -1 })
  place.append(title, all, list)
}

/** The most characters shown before and after a change. */
const CONTEXT = 16

interface AgentsOptions {
  readonly lang: string
  readonly lock: (agent: string | null, done: (isDone: boolean) => void) => void
  readonly revoke: (operation: string) => void
}

/** Shows whom one can ask: nobody in particular, or one agent who then answers every message. */
export function showAgents(
  place: HTMLElement,
  { agents, locked, grants = [] }: NonNullable<ConversationView['assistant']>,
  { lang, lock, revoke }: AgentsOptions,
): void {
  if (place.firstChild) return
  dress(place)
  const words = WORDS[lang] ?? WORDS['en']!
  const press = (agent: string | null, text: string, title: string) => {
    const one = button(text, () =>
      lock(agent, (isDone) => {
        if (isDone)
          for (const other of place.querySelectorAll('[aria-pressed]')) other.ariaPressed = String(other === one)
      }),
    )
    one.title = title
    one.ariaPressed = String(agent === locked)
    return one
  }
  place.role = 'group'
  place.ariaLabel = words.who
  place.append(press(null, words.anyone, words.anyoneDoes), ...agents.map(({ id, does }) => press(id, `@${id}`, does)))
  showGrants(place, { grants, label: words.takeBack, takeBack: revoke })
}

const dressed = new WeakSet<Node>()

/** Adds the styles of an assistant's controls to the panel, once. */
function dress(place: HTMLElement): void {
  const root = place.getRootNode()
  if (!(root instanceof ShadowRoot) || dressed.has(root)) return
  dressed.add(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
}

function button(text: string, act: () => unknown): HTMLButtonElement {
  const element = make('button', { type: 'button', className: 'button small', textContent: text })
  element.addEventListener('click', () => void act())
  return element
}

function make<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
): HTMLElementTagNameMap[T] {
  return Object.assign(document.createElement(tag), properties)
}
