import type { AssistantEvent, ConversationView, PageView, TextChange, ToolAnswer } from '../../worker/wire/messages.ts'
import type { Connection } from '../connection.ts'
import type { Conversation } from '../conversation.ts'
import type { Emit, HostPage } from '../host-events.ts'
import type { BrowserMemory } from '../memory.ts'
import { css } from '../styles/assistant.css'
import { afterChange, applyChange, findPlace } from './apply-change.ts'
import { keepListed, listConversations } from './conversation-list.ts'
import { button, makeElement } from './elements.ts'
import { showAllowedAgain } from './grants.ts'
import { pageHashOf, viewOf } from './page-view.ts'
import { type AssistantWords, WORDS } from './words.ts'

/** What `assistant.js` exports: what only a conversation with an assistant needs. */
export interface AssistantFile {
  readonly withPage: typeof withPage
  readonly show: typeof show
  readonly checkPage: typeof checkPage
  readonly listConversations: typeof listConversations
  readonly noteExchange: typeof noteExchange
}

export { listConversations }

type Of<T extends AssistantEvent['type']> = Extract<AssistantEvent, { type: T }>

/** What the service has said of each connection's assistant. */
const views = new WeakMap<Connection, NonNullable<ConversationView['assistant']>>()

/** The page that each connection has sent last, by its hash, and whether the server will never take it. */
const sent = new WeakMap<Connection, { readonly hash: string; isRefused: boolean }>()

/**
 * Returns what a message says about the page: the hash under which the server has the page. Sends the page first if it
 * has changed, or if the server has refused the message because it does not have the page. With a page that cannot be
 * sent, the message goes alone.
 */
export function withPage(page: HostPage, connection: Connection, isUnknown: boolean): { context?: string } {
  const view = checkPage(page, connection)
  if (view === null) return {}
  const hash = pageHashOf(JSON.stringify(view))
  const known = sent.get(connection)
  if (known?.hash === hash && known.isRefused) return {}
  if (known?.hash !== hash || isUnknown) {
    const now = { hash, isRefused: false }
    sent.set(connection, now)
    connection.emit('page', { hash, page: view }, (answer) => {
      if (answer?.ok !== false) return
      now.isRefused = answer.next !== 'retry-after'
      console.error(`Walkon.setPage: ${answer.code}. ${answer.message}`)
    })
  }
  return { context: hash }
}

/**
 * Returns what is sent of a page, or null if it cannot be sent. The console says what is wrong with it, once until it is
 * something else.
 */
export function checkPage(page: unknown, connection: Connection): PageView | null {
  const faults: string[] = []
  const view = viewOf(typeof page === 'string' ? { text: page } : (page as HostPage), faults)
  const { agents, tools } = views.get(connection) ?? {}
  if (typeof view === 'string') faults.push(view)
  else {
    const { agent } = view
    if (agent && agents?.every(({ id }) => id !== agent)) faults.push(`there is no agent ${agent}.`)
    for (const tool of view.tools ?? [])
      if (tools?.includes(tool) === false) faults.push(`no agent has a tool ${tool}.`)
  }
  const all = [...new Set(faults)]
  if (reported.get(connection) !== all.join('\n')) for (const fault of all) console.error(`Walkon.setPage: ${fault}`)
  reported.set(connection, all.join('\n'))
  return typeof view === 'string' ? null : view
}

/** What the console has said last of each connection's page. */
const reported = new WeakMap<Connection, string>()

interface ShowOptions {
  /** The launcher's name. */
  readonly name: string
  readonly lang: string
  /** Returns what the page shows now. */
  readonly page: () => string | HostPage | null | undefined
  readonly emit: Emit
  readonly conversation: Conversation
  readonly memory: BrowserMemory
}

interface EventOptions {
  readonly words: AssistantWords
  /** What the page shows in its editor, and the tools that it runs. */
  readonly page: () => Shown | null
  readonly emit: Emit
  readonly about: { readonly name: string; readonly session: string; readonly npc: string }
  readonly announce: (text: string) => void
  readonly send: Connection['emit']
  readonly conversation: Conversation
}

interface Shown {
  readonly editor?: { readonly filename: string; content: string; readonly editable?: boolean }
  readonly tools?: readonly string[]
}

/**
 * Fills a place with an assistant's controls: draws an event or does what it asks of the page, or without an event shows
 * whom one can ask. An event of another form is left out.
 */
export function show(place: HTMLElement, event: AssistantEvent | undefined, options: ShowOptions): void {
  const { name, lang, page, emit, conversation, memory } = options
  const view = conversation.store.transcript.peek().conversation
  if (drawn.has(place) || !view) return
  drawn.add(place)
  dress(place)
  const shared: EventOptions = {
    words: WORDS[lang] ?? WORDS['en']!,
    page: () => Object(page()) as Shown,
    emit,
    about: { name, session: view.session, npc: conversation.npc || view.npc.id },
    conversation,
    announce: (text) => conversation.announce(text),
    send(event, body, answered) {
      const { connection } = conversation
      if (connection) connection.emit(event, body, answered)
      else answered(null)
    },
  }
  try {
    if (event) {
      DRAW[event.type](place, event as never, shared)
      showAllowedAgain(conversation)
    } else if (view.assistant) {
      const { connection } = conversation
      if (connection) {
        views.set(connection, view.assistant)
        if (page()) checkPage(page(), connection)
      }
      showAgents(place, view.assistant, shared)
      keepListed(memory, conversation)
    }
  } catch (error) {
    reportError(error)
  }
}

const drawn = new WeakSet<HTMLElement>()

const DRAW: {
  readonly [T in AssistantEvent['type']]: (place: HTMLElement, event: Of<T>, options: EventOptions) => void
} = {
  edits: showEdits,
  'edit-end': endEdits,
  permission: showQuestion,
  'permission-end': endQuestion,
  'permission-revoked': () => undefined,
  'tool-call': runTool,
  'tool-end': () => undefined,
}

/** Asks the person whether an agent may use a tool. Another tab may answer first. */
function showQuestion(place: HTMLElement, asked: Of<'permission'>, { words, send, announce }: EventOptions): void {
  const note = makeElement('p', { className: 'status', textContent: words.waits })
  const answer = (choice: 'once' | 'here' | 'deny') => () =>
    send('permit', { id: asked.id, answer: choice }, (taken) => {
      // The event that tells the answer may be here already.
      if (!taken?.ok && acts.isConnected) announce((note.textContent = taken ? words.late : words.failed))
    })
  const acts = makeElement('p', { className: 'acts' })
  acts.append(
    button(words.allowOnce, answer('once')),
    button(words.allowHere, answer('here')),
    button(words.deny, answer('deny')),
  )
  const title = makeElement('h3', {
    textContent: words.asks(asked.agent, asked.title ?? asked.operation),
    tabIndex: -1,
  })
  const facts = makeElement('p', { dir: 'auto', textContent: `${asked.why} “${asked.input}”` })
  const cost = makeElement('p', { className: 'status', textContent: words.price(asked.cost, asked.safety) })
  place.dataset['ask'] = asked.id
  place.classList.add('asks')
  place.append(title, facts, cost, note, acts)
  announce(`${title.textContent}. ${facts.textContent} ${cost.textContent} ${words.waits}`)
}

function endQuestion(place: HTMLElement, { id, answer }: Of<'permission-end'>, options: EventOptions): void {
  const acts = beside(place, 'ask', id)?.querySelector('.acts')
  if (acts?.previousElementSibling)
    options.announce((acts.previousElementSibling.textContent = options.words.answered[answer]))
  removeActs(acts)
}

/** Removes buttons. If one of them has the focus, it goes to the next open change, or to the title above. */
function removeActs(acts: Element | null | undefined): void {
  const hasFocus = acts?.contains((acts.getRootNode() as ShadowRoot).activeElement)
  const card = acts?.closest('.assist')
  acts?.remove()
  const next = hasFocus && (card?.querySelector('.changes .acts button') ?? card?.querySelector('h3'))
  if (next) (next as HTMLElement).focus({ preventScroll: true })
}

/** Finds what an earlier event has drawn in the same panel. */
function beside(place: HTMLElement, key: 'ask' | 'edit', id: string): HTMLElement | null {
  return (place.getRootNode() as ShadowRoot).querySelector(`[data-${key}="${CSS.escape(id)}"]`)
}

/** How often a result is sent again if no acknowledgement comes, and how long after the attempt before. */
const TRIES = 10
const AGAIN_MS = 3_000
const LONGEST_RESULT = 8_000

/** Lets the page run a tool, if it has named the tool, and if this tab is the first to take the call. */
function runTool(_: HTMLElement, { call, tool, input }: Of<'tool-call'>, options: EventOptions): void {
  const { page, send, emit, about } = options
  const tools: unknown = page()?.tools
  if (!Array.isArray(tools) || !tools.includes(tool)) return
  const tell = (answer: ToolAnswer, tries = 0) =>
    send('tool', answer, (taken) => {
      if (taken === null && tries < TRIES) setTimeout(tell, AGAIN_MS, answer, tries + 1)
      else if (taken?.ok === false) console.error(`Walkon: the result of ${tool} was not taken. ${taken.message}`)
    })
  send('tool', { call, claim: true }, (taken) => {
    if (!taken?.ok) return
    let isAnswered = false
    const end = (ok: boolean) => (text: string) => {
      if (!isAnswered) tell({ call, ok, text: String(text).slice(0, LONGEST_RESULT) })
      isAnswered = true
    }
    if (emit('tool', { ...about, call, tool, input, answer: end(true), fail: end(false) })) return
    console.error(`Walkon: the page names the tool ${tool} and has no handler of the event tool.`)
    end(false)('')
  })
}

/**
 * Shows proposed changes as a list, each with its old and new text, to be taken or left one by one or all at once. A
 * change goes to the page when the service has taken the verdict, so that of two tabs only one makes it.
 */
function showEdits(
  place: HTMLElement,
  { filename, operations, refused = [] }: Of<'edits'>,
  options: EventOptions,
): void {
  const { words, page, emit, about, announce, send } = options
  // The places of what is open move with each change that is made.
  const places = new Map(operations.map((change) => [change.id, change]))
  const now = ({ id }: TextChange) => places.get(id)!
  for (const { index, why } of refused)
    console.error(`Walkon: the change ${index + 1} to ${filename} was not offered: ${why}.`)
  if (operations.length > 0) replaceOlder(place, filename, words.replaced)
  place.classList.add('edits')
  place.dataset['file'] = filename
  const list = makeElement('ol', { className: 'changes' })
  const isOpen = ({ id }: TextChange) => list.querySelector(`[data-edit="${CSS.escape(id)}"] .acts`) !== null
  const note = (change: TextChange, text: string) => {
    const status = list.querySelector(`[data-edit="${CSS.escape(change.id)}"] .verdict`)
    if (status) status.textContent = text
    announce(text)
  }
  /** Returns why no change can be made at all; null if changes can be made. */
  const obstacle = () => {
    const editor = page()?.editor
    if (editor?.filename !== filename || typeof editor.content !== 'string') return words.elsewhere
    return editor.editable === false ? words.readOnly : null
  }
  const contentOf = () => (obstacle() === null ? page()!.editor!.content : null)
  /** Returns the changes that can be made now, one after the other. */
  const possible = (changes: readonly TextChange[]): readonly TextChange[] => {
    let content = contentOf()
    let open = changes.map(now)
    return changes.filter(({ id }) => {
      const change = open.find((each) => each.id === id)!
      const before = content
      const result = before === null ? null : applyChange(before, change)
      if (before === null || result === null) return false
      open = open.map((other) => afterChange(other, change, before))
      content = result
      return true
    })
  }
  const apply = (proposed: TextChange) => {
    const change = now(proposed)
    const content = contentOf()
    const start = content === null ? null : findPlace(content, change)
    const result = content === null ? null : applyChange(content, change)
    const editor = page()?.editor
    if (!editor || content === null || start === null || result === null)
      return note(change, obstacle() ?? words.changed)
    for (const [key, other] of places) places.set(key, afterChange(other, change, content))
    // The page will hand over its new text. Until then, the next change has to find the text with this one.
    editor.content = result
    const { id, op, expected, text } = change
    emit('edit', { ...about, id, filename, op, start, expected, text, result })
  }
  const decide = (verdict: 'taken' | 'left', all: readonly TextChange[]) => {
    const open = all.filter(isOpen)
    const changes = verdict === 'left' ? open : possible(open)
    const stale = open.filter((change) => !changes.includes(change))
    for (const change of stale) note(change, obstacle() ?? words.changed)
    // Such a change may be out of sight.
    rest.textContent = all.length > 1 && stale.length > 0 ? `${obstacle() ?? words.changed} (${stale.length})` : ''
    if (changes.length === 0) return
    send('verdict', { ids: changes.map(({ id }) => id), verdict }, (answer) => {
      if (!answer?.ok) for (const change of changes) note(change, answer ? words.late : words.failed)
      else if (verdict === 'taken') for (const change of changes) apply(change)
    })
  }
  for (const operation of operations) {
    const row = makeElement('li', {})
    row.dataset['edit'] = operation.id
    const diff = makeElement('p', { dir: 'auto' })
    diff.append(
      contextBefore(operation.before),
      ...(operation.expected ? [makeElement('del', { textContent: operation.expected })] : []),
      ...(operation.text ? [makeElement('ins', { textContent: operation.text })] : []),
      contextAfter(operation.after),
    )
    const acts = makeElement('p', { className: 'acts' })
    acts.append(
      button(words.take, () => decide('taken', [operation])),
      button(words.leave, () => decide('left', [operation])),
    )
    for (const act of acts.children)
      act.ariaLabel = `${act.textContent}: ${[operation.expected, operation.text].filter(Boolean).join(' → ')}`
    const why = makeElement('span', { className: 'status', textContent: operation.why })
    acts.append(why)
    row.append(diff, makeElement('p', { className: 'status verdict' }), acts)
    list.append(row)
  }
  const every = (verdict: 'taken' | 'left') => () => {
    decide(verdict, operations)
    title.focus()
  }
  const rest = makeElement('span', { className: 'status' })
  const all = makeElement('p', { className: 'acts all' })
  if (operations.length > 1)
    all.append(button(words.takeAll, every('taken')), button(words.leaveAll, every('left')), rest)
  // The agent has said it above.
  const title = makeElement('h3', {
    className: 'hidden',
    textContent: words.changes(operations.length, filename),
    tabIndex: -1,
  })
  if (operations.length > 0) place.append(title, all, list)
  if (refused.length > 0)
    place.append(makeElement('p', { className: 'status', textContent: words.refused(refused.length) }))
}

/** Closes the changes that were proposed to the same text before and are still open. */
function replaceOlder(place: HTMLElement, filename: string, text: string): void {
  const older = (place.getRootNode() as ShadowRoot).querySelectorAll(`[data-file="${CSS.escape(filename)}"]`)
  for (const row of [...older].flatMap((edits) => [...edits.querySelectorAll('li:has(.acts)')]))
    endRow(row, 'left', text)
}

/** Shows what became of a change, and takes its buttons away. */
function endRow(row: Element, verdict: 'taken' | 'left', text: string): void {
  row.className = verdict
  removeActs(row.querySelector('.acts'))
  row.querySelector('.verdict')!.textContent = text
  const edits = row.closest('.edits')
  if (!edits?.querySelector('.changes .acts')) edits?.querySelector('.all')?.remove()
}

/** Closes the changes about which the person has decided, in this tab or another one. */
function endEdits(place: HTMLElement, { ids, verdict }: Of<'edit-end'>, { words, announce }: EventOptions): void {
  for (const id of ids) {
    const row = beside(place, 'edit', id)
    if (row) endRow(row, verdict, words[verdict])
  }
  announce(words[verdict])
}

/** Returns the whole words of the same line that are shown before a change: "… and the ". */
function contextBefore(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return line.length < before.length || before.length < 24 ? line : `… ${line.replace(/^\S*\s*/, '')}`
}

function contextAfter(after: string): string {
  const [line = ''] = after.split('\n', 1)
  return line.length < after.length || after.length < 24 ? line : `${line.replace(/\s*\S*$/, '')} …`
}

/** Shows whom one can ask: nobody in particular, or one agent who then answers every message. */
function showAgents(
  place: HTMLElement,
  { agents, locked }: NonNullable<ConversationView['assistant']>,
  { words, send, announce, conversation }: EventOptions,
): void {
  const row = makeElement('div', {})
  const note = makeElement('p', { className: 'status' })
  const show = (locked: string | null) => {
    for (const [index, agent] of [null, ...agents.map(({ id }) => id)].entries())
      row.children[index]!.ariaPressed = String(agent === locked)
    note.textContent = locked && words.locked(locked)
  }
  const press = (agent: string | null, text: string, title: string) => {
    const one = button(text, () => {
      // A second press takes the lock back.
      const wanted = one.ariaPressed === 'true' ? null : agent
      send('lock', { agent: wanted }, (answer) => {
        if (answer?.ok) show(wanted)
        announce(answer?.ok ? note.textContent! : words.failed)
        if (answer?.ok === false) console.error(`Walkon: ${answer.code}. ${answer.message}`)
      })
    })
    one.title = title
    return one
  }
  place.role = 'group'
  place.ariaLabel = words.who
  row.append(press(null, words.anyone, words.anyoneDoes), ...agents.map(({ id, does }) => press(id, `@${id}`, does)))
  place.append(row, note)
  // A row that goes on beyond its end fades there.
  const fade = () => row.classList.toggle('more', row.scrollWidth - row.clientWidth - Math.abs(row.scrollLeft) > 4)
  row.addEventListener('scroll', fade)
  new ResizeObserver(fade).observe(row)
  show(locked)
  unlocked.set(conversation, () => show(null))
}

/** Shows that a conversation's lock is gone. */
const unlocked = new WeakMap<Conversation, () => void>()

/** Keeps a conversation in the list after each exchange. A message to `@auto` has taken its lock back ([assistant-1]). */
export function noteExchange(memory: BrowserMemory, conversation: Conversation): void {
  keepListed(memory, conversation)
  const said = conversation.store.transcript.peek().items.findLast((item) => item.kind === 'learner')
  if (/^\s*@auto(?=$|[\s,:;.!?])/i.test(said?.text ?? '')) unlocked.get(conversation)?.()
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
