import type { Item } from './apply.ts'
import type { AssistantFile } from './assistant/assistant.ts'
import type { Conversation } from './conversation.ts'
import type { BrowserMemory } from './memory.ts'
import { requestErasure } from './session-api.ts'

/** The open menu of a panel. */
export interface Menu {
  /** Closes the menu and gives the focus back to its button. */
  close(): void
}

/** What `menu.js` exports. */
export interface MenuFile {
  readonly openMenu: typeof openMenu
  readonly askConsent: typeof askConsent
}

interface MenuOptions {
  readonly opener: HTMLElement
  readonly lang: string
  readonly conversation: Conversation
  readonly memory: BrowserMemory
  readonly origin: string
  /** Returns the page's proof of who the learner is, as requests take it. */
  readonly identified: () => Promise<{ identity?: object }>
  /** Forgets everything in this browser. */
  readonly forget: () => void
  /** For an assistant: makes the list of this browser's conversations with it. */
  readonly listed: AssistantFile['listConversations'] | undefined
  /** Shows the conversation with a colleague that the memory names, or begins one. */
  readonly begin: (npc: string) => void
  readonly closed: () => void
}

/** Opens the menu of a conversation: its transcript as a text, a file or on paper, what is stored, and its deletion. */
export function openMenu({
  opener,
  lang,
  conversation,
  memory,
  origin,
  identified,
  forget,
  listed,
  begin,
  closed,
}: MenuOptions): Menu {
  const words = WORDS[lang] ?? WORDS.en!
  const { store } = conversation
  const menu = element('div', { className: 'menu' })
  menu.setAttribute('role', 'group')
  menu.setAttribute('aria-label', words.menu)

  const transcript = () => transcriptOf(conversation, words)
  const fileName = `${store.transcript.peek().conversation?.scenario.id ?? 'walkon'}-${conversation.npc || 'chat'}`
  const press = (text: string, act: () => unknown) => {
    const button = element('button', { type: 'button', className: 'button small', textContent: text })
    button.addEventListener('click', () => void act())
    return button
  }
  const say = (text: string) => {
    note.textContent = text
    conversation.announce(text)
  }
  const copy = press(words.copy, async () => {
    try {
      await navigator.clipboard.writeText(transcript())
      say(words.copied)
    } catch {
      // A page may not let its frames write to the clipboard.
      save(`${fileName}.md`, 'text/markdown', transcript())
    }
  })
  const note = element('p', { className: 'quiet' })
  const remove = press(words.remove, () => {
    remove.replaceWith(sure)
    sure.querySelector('button')?.focus()
  })
  const sure = element('div', { className: 'sure' })
  const erase = press(words.sure, async () => {
    erase.disabled = true
    const erased = await Promise.all(
      [...new Map(memory.sessions().map((session) => [session.id, session])).values()].map(async ({ id, key }) =>
        requestErasure(origin, id, { key, ...(await identified()) }),
      ),
    )
    if (erased.every(Boolean)) {
      close()
      return forget()
    }
    erase.disabled = false
    say(words.notRemoved)
  })
  const keep = press(words.cancel, () => {
    sure.replaceWith(remove)
    remove.focus()
  })
  sure.append(keep, erase)
  if (listed) {
    const list = { lang, words, conversation, memory, origin, identified, say }
    menu.append(listed({ ...list, begin: (npc) => (close(), begin(npc)) }))
  }
  menu.append(
    copy,
    press(words.save, () => save(`${fileName}.md`, 'text/markdown', transcript())),
    press(words.print, () => print(transcript(), document.title)),
    element('h3', { textContent: words.storedTitle }),
    element('p', { textContent: words.stored }),
    press(words.export, () => save(`${fileName}.json`, 'application/json', exported(conversation, memory))),
    remove,
    note,
  )
  const close = () => {
    menu.remove()
    opener.ariaExpanded = 'false'
    opener.focus()
    closed()
  }
  opener.closest('.head')?.after(menu)
  opener.ariaExpanded = 'true'
  menu.querySelector('button')?.focus()
  return { close }
}

interface ConsentOptions {
  readonly stage: HTMLElement
  readonly lang: string
  /** The page's own wordings, of which `consent` and `agree` count here. */
  readonly own: Record<string, string> | undefined
  /** The panel's texts. */
  readonly panel: { readonly panel: string; readonly close: string }
  readonly onAgree: () => void
  /** Null if the panel stays open, as it does in its place on a page. */
  readonly onClose: (() => void) | null
}

/** Shows one sentence and a button in a panel, before anything is stored or sent. */
export function askConsent({ stage, lang, own, panel, onAgree, onClose }: ConsentOptions): void {
  const words = WORDS[lang] ?? WORDS.en!
  const head = element('header', { className: 'head' })
  head.append(element('h2', { id: 'name', className: 'wide', textContent: panel.panel }))
  const button = (className: string, act: () => void) => {
    const made = element('button', { type: 'button', className })
    made.addEventListener('click', act)
    return made
  }
  if (onClose) {
    const close = button('bare', onClose)
    close.ariaLabel = panel.close
    close.textContent = '✕'
    head.append(close)
  }
  const agree = button('button main', onAgree)
  agree.textContent = own?.['agree'] ?? words.agree
  agree.dataset.first = ''
  agree.setAttribute('aria-describedby', 'consent')
  const body = element('div', { className: 'refused' })
  body.append(element('p', { id: 'consent', textContent: own?.['consent'] ?? words.consent }), agree)
  const all = element('div', { className: 'stage person' })
  all.append(head, body)
  stage.replaceChildren(all)
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), properties)
}

/** Returns the conversation as Markdown. */
function transcriptOf({ store }: Conversation, words: MenuWords): string {
  const { conversation, items } = store.transcript.peek()
  if (!conversation) return ''
  const { scenario, npc, scene } = conversation
  const head = [`# ${scenario.title}`, scenario.situation, `${npc.name}, ${npc.role}. ${scene}`]
  return `${[...head, ...items.flatMap((item) => paragraphs(item, npc.name, words))].join('\n\n')}\n`
}

function paragraphs(item: Item, name: string, words: MenuWords): readonly string[] {
  switch (item.kind) {
    case 'learner':
      return [`**${words.you}:** ${item.text}`]
    case 'speech':
      return item.text ? [`**${name}:** ${item.text}`] : []
    case 'pivot':
      return item.choice && !item.typed
        ? [`**${words.you}:** ${item.choice.text}`, `**${name}:** ${item.choice.reaction}`]
        : []
    case 'document':
      return [`## ${item.document.title}`, item.document.lines.map((line) => `- ${line}`).join('\n')]
    case 'objective':
      return [`> ${item.title}`]
    case 'assist':
      return item.event.type === 'edits'
        ? item.event.operations.map(({ expected, text, why }) => `> ${why}: ~~${expected}~~ ${text}`)
        : []
    case 'closing':
      return []
  }
}

/** Returns all that this browser and the service have of the conversation, as JSON, without the key. */
function exported({ store }: Conversation, memory: BrowserMemory): string {
  const { conversation, items } = store.transcript.peek()
  const sessions = memory.sessions().map(({ id, seen }) => ({ id, seen }))
  return JSON.stringify({ sessions, conversation, items }, null, 2)
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  element('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Prints a text from an empty frame, because the browser would print the page around the chat. */
function print(text: string, title: string): void {
  const frame = element('iframe', { hidden: true, title })
  document.body.append(frame)
  const inside = frame.contentWindow
  if (!inside) return
  inside.document.title = title
  inside.document.body.append(
    ...text.split('\n').map((line) => {
      const paragraph = inside.document.createElement('p')
      paragraph.textContent = line.replace(/\*\*|^#+ /g, '')
      paragraph.dir = 'auto'
      return paragraph
    }),
  )
  inside.addEventListener('afterprint', () => frame.remove())
  inside.print()
}

/** The texts of the menu, also of an assistant's part of it. */
export type MenuWords = {
  /** On the button that takes back what was allowed for the conversation. */
  readonly takeBack: (tool: string) => string
} & Record<
  | 'allowed'
  | 'takenBack'
  | 'listTitle'
  | 'fresh'
  | 'search'
  | 'untitled'
  | 'more'
  | 'nameOf'
  | 'branch'
  | 'from'
  | 'erase'
  | 'none'
  | 'busy'
  | 'rename'
  | 'pin'
  | 'unpin'
  | 'archive'
  | 'restore'
  | 'archived'
  | 'menu'
  | 'consent'
  | 'agree'
  | 'you'
  | 'copy'
  | 'copied'
  | 'save'
  | 'print'
  | 'storedTitle'
  | 'stored'
  | 'export'
  | 'remove'
  | 'sure'
  | 'cancel'
  | 'notRemoved',
  string
>

const WORDS: Record<string, MenuWords | undefined> = {
  en: {
    menu: 'Menu',
    listTitle: 'Conversations',
    fresh: 'New conversation',
    search: 'Search by name',
    untitled: 'Nothing said yet',
    more: 'More',
    nameOf: 'Name',
    branch: 'Go on from here in a new conversation',
    from: 'From:',
    erase: 'Delete',
    none: 'No conversation has this name.',
    busy: 'A message is not sent yet. Wait for it, or take it back.',
    rename: 'Rename',
    pin: 'Pin to the top',
    unpin: 'Unpin',
    archive: 'Archive',
    restore: 'Take out of the archive',
    archived: 'Archived',
    allowed: 'Allowed in this conversation',
    takeBack: (tool) => `Take back: ${tool}`,
    takenBack: 'Taken back. You will be asked again.',
    consent: 'What you write here is sent to the chat’s service and kept there. This browser keeps a key to it.',
    agree: 'Agree and begin',
    you: 'You',
    copy: 'Copy the conversation',
    copied: 'Copied.',
    save: 'Save as a text file',
    print: 'Print',
    storedTitle: 'What is stored',
    stored:
      'The service keeps what was said here. This browser keeps a key to it, the place where you stopped, and what you have not sent yet.',
    export: 'Save all of it as data',
    remove: 'Delete all conversations',
    sure: 'Yes, delete it for good',
    cancel: 'Keep it',
    notRemoved: 'That did not work. Nothing was deleted in this browser. Try again.',
  },
  es: {
    menu: 'Menú',
    listTitle: 'Conversaciones',
    fresh: 'Nueva conversación',
    search: 'Buscar por nombre',
    untitled: 'Aún no se ha dicho nada',
    more: 'Más',
    nameOf: 'Nombre',
    branch: 'Seguir desde aquí en otra conversación',
    from: 'Desde:',
    erase: 'Borrar',
    none: 'Ninguna conversación se llama así.',
    busy: 'Un mensaje aún no se ha enviado. Espera, o retíralo.',
    rename: 'Cambiar el nombre',
    pin: 'Fijar arriba',
    unpin: 'No fijar',
    archive: 'Archivar',
    restore: 'Sacar del archivo',
    archived: 'Archivadas',
    allowed: 'Permitido en esta conversación',
    takeBack: (tool) => `Retirar: ${tool}`,
    takenBack: 'Retirado. Se te preguntará otra vez.',
    consent: 'Lo que escribas aquí se envía al servicio del chat y se guarda allí. Este navegador guarda una llave.',
    agree: 'Aceptar y empezar',
    you: 'Tú',
    copy: 'Copiar la conversación',
    copied: 'Copiada.',
    save: 'Guardar como archivo de texto',
    print: 'Imprimir',
    storedTitle: 'Qué se guarda',
    stored:
      'El servicio guarda lo que se ha dicho aquí. Este navegador guarda una llave, el punto en que lo dejaste y lo que aún no has enviado.',
    export: 'Guardarlo todo como datos',
    remove: 'Borrar todas las conversaciones',
    sure: 'Sí, borrarlo para siempre',
    cancel: 'Conservarlo',
    notRemoved: 'No ha funcionado. No se ha borrado nada en este navegador. Inténtalo otra vez.',
  },
  de: {
    menu: 'Menü',
    listTitle: 'Gespräche',
    fresh: 'Neues Gespräch',
    search: 'Nach Namen suchen',
    untitled: 'Noch nichts gesagt',
    more: 'Mehr',
    nameOf: 'Name',
    branch: 'Von hier in einem neuen Gespräch weiter',
    from: 'Ab:',
    erase: 'Löschen',
    none: 'Kein Gespräch heißt so.',
    busy: 'Eine Nachricht ist noch nicht gesendet. Warte darauf, oder nimm sie zurück.',
    rename: 'Umbenennen',
    pin: 'Oben anheften',
    unpin: 'Nicht mehr anheften',
    archive: 'Archivieren',
    restore: 'Aus dem Archiv holen',
    archived: 'Archiviert',
    allowed: 'In diesem Gespräch erlaubt',
    takeBack: (tool) => `Zurücknehmen: ${tool}`,
    takenBack: 'Zurückgenommen. Du wirst wieder gefragt.',
    consent:
      'Was du hier schreibst, geht an den Dienst dieses Chats und wird dort aufbewahrt. Dieser Browser behält einen Schlüssel dazu.',
    agree: 'Einverstanden, los geht’s',
    you: 'Du',
    copy: 'Gespräch kopieren',
    copied: 'Kopiert.',
    save: 'Als Textdatei sichern',
    print: 'Drucken',
    storedTitle: 'Was gespeichert ist',
    stored:
      'Der Dienst bewahrt auf, was hier gesagt wurde. Dieser Browser behält einen Schlüssel dazu, die Stelle, an der du warst, und was du noch nicht gesendet hast.',
    export: 'Alles als Daten sichern',
    remove: 'Alle Gespräche löschen',
    sure: 'Ja, endgültig löschen',
    cancel: 'Behalten',
    notRemoved: 'Das hat nicht geklappt. In diesem Browser wurde nichts gelöscht. Versuche es noch einmal.',
  },
  ar: {
    menu: 'القائمة',
    listTitle: 'المحادثات',
    fresh: 'محادثة جديدة',
    search: 'البحث بالاسم',
    untitled: 'لم يُقل شيء بعد',
    more: 'المزيد',
    nameOf: 'الاسم',
    branch: 'المتابعة من هنا في محادثة جديدة',
    from: 'من:',
    erase: 'حذف',
    none: 'لا توجد محادثة بهذا الاسم.',
    busy: 'هناك رسالة لم تُرسل بعد. انتظر إرسالها أو اسحبها.',
    rename: 'إعادة التسمية',
    pin: 'تثبيت في الأعلى',
    unpin: 'إلغاء التثبيت',
    archive: 'أرشفة',
    restore: 'إخراج من الأرشيف',
    archived: 'المؤرشفة',
    allowed: 'المسموح به في هذه المحادثة',
    takeBack: (tool) => `سحب السماح: ${tool}`,
    takenBack: 'سُحب السماح. ستُسأل مرة أخرى.',
    consent: 'ما تكتبه هنا يُرسل إلى خدمة المحادثة ويُحفظ فيها. ويحتفظ هذا المتصفح بمفتاح لها.',
    agree: 'موافق، لنبدأ',
    you: 'أنت',
    copy: 'نسخ المحادثة',
    copied: 'نُسخت.',
    save: 'حفظ كملف نصي',
    print: 'طباعة',
    storedTitle: 'ما الذي يُحفظ',
    stored: 'تحفظ الخدمة ما قيل هنا. ويحتفظ هذا المتصفح بمفتاح لها، وبالموضع الذي توقفت عنده، وبما لم ترسله بعد.',
    export: 'حفظ كل شيء كبيانات',
    remove: 'حذف كل المحادثات',
    sure: 'نعم، احذف نهائيًا',
    cancel: 'إبقاء',
    notRemoved: 'لم ينجح ذلك. لم يُحذف شيء من هذا المتصفح. حاول مرة أخرى.',
  },
}
