import type { Conversation } from '../conversation.ts'
import type { BrowserMemory, KnownSession } from '../memory.ts'
import type { MenuWords } from '../menu.ts'
import { newId } from '../new-id.ts'
import { post, requestErasure } from '../session-api.ts'
import { button, makeElement } from './elements.ts'
import { listAllowed } from './grants.ts'
import { WORDS as TEXTS } from './words.ts'

/** A conversation of this browser, as it is listed. */
interface Listed extends KnownSession {
  readonly npc: string
  readonly title: string
  readonly isPinned: boolean
  readonly isArchived: boolean
  /** When it was last shown, in milliseconds since 1970. */
  readonly at: number
}

interface ListOptions {
  readonly lang: string
  /** The menu's own texts. */
  readonly words: MenuWords
  readonly conversation: Conversation
  readonly memory: BrowserMemory
  readonly origin: string
  readonly identified: () => Promise<{ identity?: object }>
  readonly say: (text: string) => void
  /** Closes the menu and shows the conversation with a colleague that the memory names, or begins one. */
  readonly begin: (npc: string) => void
}

const LONGEST_TITLE = 60

/** How many of the latest turns the service can begin again from ([again-10]). */
const LATEST_TURNS = 20

/**
 * Lists the conversation that is shown, under the first words that the person said in it, unless the person has given it
 * a title. So its key stays in this browser when another conversation takes its place.
 */
export function keepListed(memory: BrowserMemory, { npc, store }: Conversation): void {
  const { conversation, items } = store.transcript.peek()
  const current = memory.session(npc)
  // In another tab the person may have gone on to another conversation.
  if (!current || current.id !== conversation?.session) return
  const key = `${memory.place}|past|${current.id}`
  const known = asListed(memory.lasting.read(key))
  const said = items.find((item) => item.kind === 'learner')?.text ?? ''
  const title = known?.title || said.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)
  memory.lasting.write(key, { isPinned: false, isArchived: false, ...known, ...current, npc, title, at: Date.now() })
}

/**
 * Makes the list of this browser's conversations with an assistant. The current one is added to it. A conversation is
 * listed by its own key in the browser's storage, so two tabs do not overwrite each other's changes.
 */
export function listConversations({
  lang,
  words,
  conversation,
  memory,
  origin,
  identified,
  say,
  begin,
}: ListOptions): HTMLElement {
  const { failed } = TEXTS[lang] ?? TEXTS['en']!
  const { npc } = conversation
  const start = `${memory.place}|past|`
  const current = memory.session(npc)
  const opened = newId()
  const here = makeElement('div', { className: 'conversations', role: 'group', ariaLabel: words.listTitle })
  const rows = makeElement('ul', {})

  const all = (): Listed[] =>
    memory.lasting
      .keys(start)
      .flatMap((key) => asListed(memory.lasting.read(key)) ?? [])
      .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.at - a.at)
  const keep = (listed: Listed) => memory.lasting.write(start + listed.id, listed)
  const isBusy = () => {
    const busy = memory.unsent(npc).says.length > 0
    if (busy) say(words.busy)
    return busy
  }
  const goTo = (to: Listed | null) => {
    if (isBusy()) return
    const [old] = all().filter(({ id }) => id === current?.id)
    const seen = memory.session(npc)
    if (old && seen?.id === old.id) keep({ ...old, ...seen })
    if (to) keep({ ...to, at: Date.now() })
    memory.setSession(npc, to && { id: to.id, key: to.key, epoch: to.epoch, seen: to.seen })
    begin(npc)
  }
  /** Changes a conversation's metadata at the service, and then here. */
  const change = async (listed: Listed, given: Partial<Listed>) => {
    const next = { ...listed, ...given }
    const metadata = {
      ...(next.title && { title: next.title }),
      is_pinned: next.isPinned,
      is_archived: next.isArchived,
    }
    const url = `${origin}/api/sessions/${listed.id}/metadata`
    const request = { key: listed.key, ...(await identified()), metadata }
    const answer = await post(url, request, AbortSignal.timeout(15_000))
    if (!Object(Object(answer).metadata).title) return say(failed)
    keep(next)
    draw()
    const moved = rows.querySelector<HTMLElement>(`[data-id="${listed.id}"] summary`)
    const fold = rows.querySelector<HTMLElement>('.archived summary')
    // What went into the closed archive cannot have the focus.
    ;(moved?.checkVisibility() ? moved : fold)?.focus()
  }
  const remove = async (listed: Listed) => {
    if (!(await requestErasure(origin, listed.id, { key: listed.key, ...(await identified()) }))) return say(failed)
    memory.lasting.write(start + listed.id, null)
    if (listed.id === current?.id) {
      memory.setSession(npc, null)
      return begin(npc)
    }
    draw()
    fresh.focus()
  }

  /**
   * Begins a new conversation as a copy of the one that is shown, as it was after a message. A second press leads to the
   * same copy.
   */
  const branch = async (listed: Listed, turn: number, text: string) => {
    if (isBusy()) return
    const request = { key: listed.key, ...(await identified()), turn, cid: `list-${turn}-${opened}` }
    const answer = Object(
      await post(`${origin}/api/sessions/${listed.id}/branch`, request, AbortSignal.timeout(15_000)),
    ) as { session?: unknown; key?: unknown }
    if (typeof answer.session !== 'string' || typeof answer.key !== 'string') return say(failed)
    const title = `${words.from} ${text.replace(/^\s*@\S+\s+/, '')}`.slice(0, LONGEST_TITLE)
    const copy = { id: answer.session, key: answer.key, epoch: '', seen: 0 }
    goTo({ ...copy, npc, title, isPinned: false, isArchived: false, at: 0 })
  }
  /** Makes the choice of the message from which a copy of the conversation goes on. */
  const branches = (listed: Listed): HTMLElement[] => {
    const { items } = conversation.store.transcript.peek()
    const said = items.filter((item) => item.kind === 'learner').slice(-LATEST_TURNS)
    if (listed.id !== current?.id || said.length === 0) return []
    const choice = makeElement('select', { ariaLabel: words.branch })
    for (const { text } of said) {
      const short = text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE - 1)}…` : text
      choice.append(makeElement('option', { textContent: short }))
    }
    choice.selectedIndex = said.length - 1
    const go = button(words.branch, () => {
      const from = said[choice.selectedIndex]
      if (from) void branch(listed, from.turn, from.text)
    })
    return [choice, go]
  }

  const row = (listed: Listed) => {
    const item = makeElement('li', {})
    item.dataset['id'] = listed.id
    const name = listed.title || words.untitled
    const open = button(name, () => goTo(listed))
    open.dir = 'auto'
    if (listed.id === current?.id) {
      open.disabled = true
      open.setAttribute('aria-current', 'true')
    }
    const more = makeElement('details', { name: 'conversation' })
    const summary = makeElement('summary', { textContent: listed.isPinned ? '★ ⋯' : '⋯' })
    summary.setAttribute('aria-label', `${words.more}: ${name}`)
    const title = makeElement('input', {
      value: listed.title,
      maxLength: LONGEST_TITLE,
      ariaLabel: words.nameOf,
      dir: 'auto',
    })
    const rename = button(words.rename, () => {
      const text = title.value.replace(/\s+/g, ' ').trim()
      if (text) void change(listed, { title: text })
      else title.focus()
    })
    title.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) rename.click()
    })
    const erase = button(words.erase, () => {
      if (keep.isConnected) return void remove(listed)
      erase.textContent = words.sure
      erase.before(keep)
      keep.focus()
    })
    const keep = button(words.cancel, () => {
      keep.remove()
      erase.textContent = words.erase
      erase.focus()
    })
    more.append(
      summary,
      title,
      rename,
      button(listed.isPinned ? words.unpin : words.pin, () => void change(listed, { isPinned: !listed.isPinned })),
      button(
        listed.isArchived ? words.restore : words.archive,
        () => void change(listed, { isArchived: !listed.isArchived }),
      ),
      ...branches(listed),
      erase,
    )
    item.append(open, more)
    return item
  }
  const draw = () => {
    const listed = all()
    const wanted = search.value.trim().toLocaleLowerCase(lang)
    const fits = listed.filter(({ title }) => title.toLocaleLowerCase(lang).includes(wanted))
    const archived = fits.filter(({ isArchived }) => isArchived)
    search.hidden = listed.length < 2
    rows.replaceChildren(...fits.filter(({ isArchived }) => !isArchived).map(row))
    if (wanted && fits.length === 0) rows.append(makeElement('li', { textContent: words.none }))
    if (archived.length === 0) return
    const folded = makeElement('details', { open: wanted !== '' })
    const list = makeElement('ul', {})
    list.append(...archived.map(row))
    folded.append(makeElement('summary', { textContent: `${words.archived} (${archived.length})` }), list)
    const item = makeElement('li', { className: 'archived' })
    item.append(folded)
    rows.append(item)
  }

  /** Adds the conversations that a verified person has held in other browsers ([assistant-34]). */
  const addOthers = async () => {
    const given = await identified()
    const shown = conversation.store.transcript.peek().conversation
    if (!given.identity || !shown) return
    const request = { scenario: shown.scenario.id, npc: shown.npc.id, ...given }
    const answer = await post(`${origin}/api/sessions/list`, request, AbortSignal.timeout(15_000))
    const known = new Set(all().map(({ id }) => id))
    for (const each of asList(Object(answer).sessions)) {
      const { session: id, key, title, said, at } = each
      if (known.has(id) || typeof key !== 'string') continue
      const name = (title || said).slice(0, LONGEST_TITLE)
      const kept = { isPinned: each.is_pinned === true, isArchived: each.is_archived === true }
      keep({ id, key, epoch: '', seen: 0, npc, title: name, ...kept, at: Number(at) })
    }
    draw()
  }

  const fresh = button(words.fresh, () => goTo(null))
  const search = makeElement('input', {
    type: 'search',
    placeholder: words.search,
    ariaLabel: words.search,
    dir: 'auto',
  })
  search.addEventListener('input', draw)
  keepListed(memory, conversation)
  draw()
  void addOthers()
  here.append(
    listAllowed(conversation, { ...words, failed }, say),
    makeElement('h3', { textContent: words.listTitle }),
    fresh,
    search,
    rows,
  )
  return here
}

interface ListedElsewhere {
  readonly session: string
  readonly title: string
  readonly said: string
  readonly [more: string]: unknown
}

function asList(raw: unknown): readonly ListedElsewhere[] {
  if (!Array.isArray(raw)) return []
  return raw.filter((each: Partial<ListedElsewhere>) =>
    [each.session, each.title, each.said].every((text) => typeof text === 'string'),
  ) as ListedElsewhere[]
}

function asListed(raw: unknown): Listed | null {
  const { id, key, npc, title } = Object(raw) as Record<string, unknown>
  if ([id, key, npc, title].some((text) => typeof text !== 'string')) return null
  return raw as Listed
}
