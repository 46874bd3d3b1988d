import { effect } from '@preact/signals'
import { render } from 'preact'
import { announcer } from './announcer.ts'
import { shortName } from './clean.ts'
import { Panel } from './components/panel.tsx'
import { openConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { Mount } from './host-events.ts'
import { loadFile } from './load-file.ts'
import { browserMemory } from './memory.ts'
import type { AssistantFile } from './assistant/assistant.ts'
import type { Menu, MenuFile } from './menu.ts'
import { LONGEST_SAY } from './outbox.ts'
import { drawingOf } from './portraits/people.ts'
import { scenarioSessions } from './session-api.ts'
import { css } from './styles/panel.css'
import { css as paperCss } from './styles/paper.css'
import { css as widgetCss } from './styles/widget.css'
import { catalogueOf, withOwn } from './texts/catalogue.ts'
import { englishTexts } from './texts/en.ts'

/** The longest page description that the service accepts, in UTF-16 code units. */
const LONGEST_PAGE = 2_000

/**
 * Puts a panel into the launcher's shadow root. Before it is opened, the panel sends and stores nothing and opens no
 * connection.
 *
 * The panel is a `dialog`. On a wide screen it is a popover beside the page. On a phone it covers the page, so it is
 * modal and Tab can't leave it. In both cases the dialog is in the browser's top layer, above any z-index. In its place
 * on a page it is a section of the page.
 */
export const mount: Mount = (parts) => {
  const { root, button, options, origin, name, emit } = parts
  const { scenario = '', npc = '' } = options
  const isInline = options.mode === 'inline'
  if ('toJSON' in Array.prototype)
    console.error('Walkon: this page gives arrays a toJSON, so nothing can be sent. Remove Array.prototype.toJSON.')

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(widgetCss + paperCss + css)
  root.adoptedStyleSheets.push(sheet)

  const dialog: HTMLElement = document.createElement(isInline ? 'section' : 'dialog')
  dialog.className = 'panel'
  dialog.setAttribute('part', 'panel')
  if (!isInline) dialog.popover = 'manual'
  dialog.setAttribute('aria-labelledby', 'name')
  const stage = document.createElement('div')
  stage.style.display = 'contents'
  const regions = [region(), region()] as const
  dialog.append(stage, ...regions)

  const announce = announcer(regions)
  const memory = browserMemory({ origin, scenario, npc, name })
  const covers = matchMedia('(max-width: 520px), (max-height: 480px)')
  const off = new AbortController()
  const { signal } = off
  const texts = { ...englishTexts }
  /** What to do as soon as there is a conversation. */
  let waiting: ((conversation: Conversation) => void)[] = []
  let conversation: Conversation | null = null
  let menu: Menu | null = null
  let stopRendering = () => {}
  let isShown = false
  let unread = 0
  /** How many conversations the panel has shown. Each has a panel of its own. */
  let conversations = 0

  const translate = async () => {
    const lang = parts.lang()
    const own = await catalogueOf(lang)
    Object.assign(texts, own.texts, withOwn(own.texts, options.texts))
    dialog.lang = own.lang
    dialog.setAttribute('aria-label', texts.panel)
    // The dialog has no `dir`, because the launcher's side decides its position.
    stage.dir = own.isRightToLeft ? 'rtl' : 'ltr'
  }
  const translated = translate()

  const isAssistant = () => !!conversation?.store.transcript.peek().conversation?.assistant
  const assistant = async () => (await loadFile('assistant.js')) as AssistantFile
  const begin = (with_: string) => {
    leave()
    conversations += 1
    conversation = openConversation({
      name,
      origin,
      emit,
      texts,
      get lang() {
        return conversation?.store.transcript.peek().conversation?.scenario.language ?? 'en'
      },
      // What the buttons send has to be in the colleague's language.
      get openers() {
        return this.lang === 'en' ? englishTexts.openers : undefined
      },
      drawingOf,
      api: scenarioSessions(origin, scenario),
      npc: with_,
      memory,
      announcer: announce,
      identity: async () => (typeof options.identity === 'function' ? options.identity() : (options.identity ?? '')),
      page(connection, isUnknown) {
        const page = options.page ?? ''
        if (typeof page === 'string') return page ? { page: page.slice(0, LONGEST_PAGE) } : {}
        const alone = (why: unknown) => (console.error('Walkon.setPage: ' + why), {})
        if (!isAssistant() && !conversation?.store.transcript.peek().conversation?.takesPage)
          return alone('a colleague takes a text.')
        return assistant().then(({ withPage }) => withPage(page, connection, isUnknown), alone)
      },
      async assist(place, event) {
        const { show } = await assistant()
        show(place, event, {
          name,
          lang: dialog.lang,
          page: () => options.page,
          emit,
          memory,
          conversation: conversation!,
        })
      },
      onExchange() {
        if (isAssistant()) void assistant().then(({ noteExchange }) => noteExchange(memory, conversation!))
      },
      replied(who) {
        if (isShown) return
        unread += 1
        parts.say(texts.unread(who, unread))
        button.setAttribute('data-unread', '')
        emit('unread', { name, count: unread })
      },
    })
    for (const act of waiting.splice(0)) act(conversation)
    draw()
  }
  const draw = () => {
    stopRendering()
    const here = conversation
    if (!here) return
    const onClose = isInline ? undefined : close
    // Preact renders synchronously within this effect. So the effect runs again when any signal changes that a
    // component has read, and no component needs its own subscription.
    stopRendering = effect(() => {
      const focused = root.activeElement
      render(
        <Panel
          key={conversations}
          conversation={here}
          onNext={moveOn}
          onClose={onClose}
          onMenu={(opener) => void showMenu(here, opener)}
        />,
        stage,
      )
      // A pressed card or button may disappear, and the focus with it.
      if (isShown && focused && !focused.isConnected) focusFirst()
    })
  }
  const askConsent = async (isQuiet: boolean) => {
    const { askConsent: ask } = (await loadFile('menu.js')) as MenuFile
    const agreed = () => {
      stage.replaceChildren()
      memory.setConsent()
      memory.setOpen(true)
      begin(memory.here())
      focusFirst()
    }
    ask({
      stage,
      lang: dialog.lang,
      own: options.texts,
      panel: texts,
      onAgree: agreed,
      onClose: isInline ? null : close,
    })
    if (!isQuiet) focusFirst()
  }
  const leave = () => {
    stopRendering()
    menu?.close()
    conversation?.close()
  }
  const moveOn = (to: string) => {
    memory.setHere(to)
    begin(to)
    focusFirst()
  }
  const showMenu = async (here: Conversation, opener: HTMLElement) => {
    if (menu) return menu.close()
    const { openMenu } = (await loadFile('menu.js')) as MenuFile
    const listed = isAssistant() ? (await assistant()).listConversations : undefined
    menu ??= openMenu({
      listed,
      opener,
      lang: dialog.lang,
      conversation: here,
      memory,
      origin,
      identified: async () => here.identified(),
      forget: reset,
      begin: moveOn,
      closed: () => void (menu = null),
    })
  }
  const focusFirst = () => {
    const first = stage.querySelector('textarea') ?? stage.querySelector<HTMLElement>('[data-first]') ?? dialog
    // A chat in its place on a page must not move the page.
    first.focus({ preventScroll: true })
  }
  const isOnTop = () => dialog.matches(':popover-open, :modal') || (isInline && dialog.isConnected)
  const show = () => {
    if (!dialog.isConnected) root.append(dialog)
    if (!(dialog instanceof HTMLDialogElement)) return
    const isModal = covers.matches || options.mode === 'full'
    // Browsers tell assistive technology that every open `dialog` is modal, also one that leaves the page usable.
    dialog.ariaModal = String(isModal)
    if (isModal) dialog.showModal()
    else dialog.showPopover()
    // A closed dialog has no zoom.
    fit()
  }
  const hide = () => {
    if (!(dialog instanceof HTMLDialogElement)) return dialog.remove()
    if (dialog.open) dialog.close()
    if (dialog.matches(':popover-open')) dialog.hidePopover()
  }
  const opened = (isQuiet: boolean) => {
    const needsConsent = options.consent === 'required' && !memory.hasConsent()
    if (!conversation && needsConsent) return void askConsent(isQuiet)
    if (!conversation) begin(memory.here())
    if (!isQuiet) focusFirst()
    memory.setOpen(true)
  }
  const sync = (isQuiet = false) => {
    const { isOpen } = parts
    if (isOpen && isShown) {
      // If the page moves the launcher, the browser closes the panel.
      if (!isOnTop()) show()
      if (!isQuiet) focusFirst()
      return
    }
    if (isOpen === isShown) return
    isShown = isOpen
    button.ariaExpanded = String(isOpen)
    if (!isOpen) return closed()
    returnTo = document.activeElement
    button.removeAttribute('data-unread')
    parts.say(label)
    if (unread) emit('unread', { name, count: (unread = 0) })
    show()
    // A browser focuses what is in a popover.
    if (isQuiet && root.activeElement instanceof HTMLElement) root.activeElement.blur()
    void translated.then(() => isShown && opened(isQuiet))
    emit('open', { name })
  }
  let returnTo: Element | null = null
  let label: string | undefined
  const closed = () => {
    hide()
    menu?.close()
    memory.setOpen(false)
    const who = conversation?.store.transcript.peek().conversation?.npc.name
    // The learner may have moved on to another colleague since the panel was opened.
    if (who && !options.label) parts.say((label = texts.talkTo(shortName(who))))
    const target = button.isConnected ? button : returnTo
    if (target instanceof HTMLElement) target.focus()
    emit('close', { name })
  }
  const close = () => {
    parts.isOpen = false
    sync()
  }
  const openWith = (act: (conversation: Conversation) => void) => {
    if (conversation) act(conversation)
    else waiting.push(act)
    parts.isOpen = true
    sync()
  }
  const reset = () => {
    leave()
    conversation = null
    waiting = []
    memory.forget()
    memory.setOpen(false)
    if (isShown) opened(false)
  }
  const fit = () => {
    // On iOS the keyboard covers part of the page, and only the visual viewport knows the remaining height. A page's
    // `zoom` enlarges the panel's pixels too.
    const zoom = (dialog as { currentCSSZoom?: number }).currentCSSZoom ?? 1
    const { height = innerHeight, width = innerWidth, offsetTop = 0 } = visualViewport ?? {}
    for (const [property, length] of Object.entries({ height, width, top: offsetTop }))
      dialog.style.setProperty(`--${property}`, `${length / zoom}px`)
  }

  dialog.tabIndex = -1
  dialog.addEventListener('keydown', (event) => {
    // Many sites have shortcuts on single keys, which typing in the panel must not trigger.
    event.stopPropagation()
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    if (menu) menu.close()
    else if (!isInline) close()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  covers.addEventListener(
    'change',
    () => {
      if (!isShown || isInline) return
      hide()
      show()
      focusFirst()
    },
    { signal },
  )
  for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, fit, { signal })

  root.append(dialog)
  fit()
  if (isInline) dialog.remove()

  return {
    sync,
    setPage() {
      const { connection } = conversation ?? {}
      if (connection && options.page && isAssistant())
        void assistant().then(({ checkPage }) => checkPage(options.page, connection))
    },
    sendMessage: (text) =>
      openWith((here) => {
        // The composer says by how much a message is too long.
        if (text.trim().length > LONGEST_SAY) here.prefill(text)
        else if (text.trim()) here.send({ name: 'say', text: text.trim() })
      }),
    prefill: (text) => openWith((here) => here.prefill(text)),
    reset,
    setLocale: () =>
      void translate().then(() => {
        if (!conversation) return
        menu?.close()
        draw()
      }),
    destroy() {
      isShown = false
      off.abort()
      leave()
      announce.stop()
      render(null, stage)
      dialog.remove()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
    },
  }
}

/**
 * Makes a live region. A live region has to be in the page before the region gets a text, or screen readers ignore the
 * text.
 */
function region(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'hidden'
  element.setAttribute('aria-live', 'polite')
  element.setAttribute('aria-atomic', 'true')
  return element
}
