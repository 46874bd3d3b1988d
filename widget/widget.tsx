import { effect } from '@preact/signals'
import { render } from 'preact'
import { announcer } from './announcer.ts'
import { Panel } from './components/panel.tsx'
import { openConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { Mount } from './host-events.ts'
import { browserMemory } from './memory.ts'
import { drawingOf } from './portraits/people.ts'
import { scenarioSessions } from './session-api.ts'
import { css } from './styles/panel.css'
import { css as paperCss } from './styles/paper.css'
import { englishTexts } from './texts.ts'

/**
 * Puts a panel into the launcher's shadow root. Before `open`, the panel sends and stores nothing and opens no
 * connection.
 *
 * The panel is a `dialog`. On a wide screen it is a popover beside the page. On a phone it covers the page, so it is
 * modal and Tab can't leave it. In both cases the dialog is in the browser's top layer, above any z-index.
 */
export const mount: Mount = (root, config) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(paperCss + css)
  root.adoptedStyleSheets.push(sheet)

  const dialog = document.createElement('dialog')
  dialog.className = 'panel'
  dialog.setAttribute('part', 'panel')
  dialog.setAttribute('popover', 'manual')
  dialog.setAttribute('aria-labelledby', 'name')
  dialog.setAttribute('aria-label', englishTexts.panel)
  // The texts of the panel's labels and notices are English on a page in any language. The dialog has no `dir`, because
  // the launcher's side decides its position.
  dialog.lang = 'en'
  const stage = document.createElement('div')
  stage.style.display = 'contents'
  stage.dir = 'ltr'
  const regions = [region(), region()] as const
  dialog.append(stage, ...regions)
  root.append(dialog)

  const announce = announcer(regions)
  const memory = browserMemory(config)
  const phone = matchMedia('(max-width: 520px), (max-height: 480px)')
  const off = new AbortController()
  const { signal } = off
  let conversation: Conversation | null = null
  let stopRendering = () => {}
  let isOpen = false

  const talkTo = (npc: string) => {
    leave()
    const here = openConversation({
      ...config,
      texts: englishTexts,
      lang: 'en',
      drawingOf,
      api: scenarioSessions(config.origin, config.scenario),
      npc,
      memory,
      announcer: announce,
      replied: (name) => void (isOpen || config.unread(name)),
    })
    conversation = here
    // Preact renders synchronously within this effect. So the effect runs again when any signal changes that a
    // component has read, and no component needs its own subscription. The `key` makes a new panel for each colleague.
    stopRendering = effect(() => {
      const focused = root.activeElement
      render(<Panel key={npc} conversation={here} onNext={moveOn} onClose={close} />, stage)
      // A pressed card or button may disappear, and the focus with it.
      if (isOpen && focused && !focused.isConnected) focusFirst()
    })
  }
  const leave = () => {
    stopRendering()
    conversation?.close()
  }
  const moveOn = (npc: string) => {
    memory.setHere(npc)
    talkTo(npc)
    focusFirst()
  }
  const focusFirst = () => (stage.querySelector<HTMLElement>('textarea, [data-first]') ?? dialog).focus()
  const show = () => (phone.matches ? dialog.showModal() : dialog.showPopover())
  const hide = () => {
    if (dialog.open) dialog.close()
    if (dialog.matches(':popover-open')) dialog.hidePopover()
  }
  const open = () => {
    if (!conversation) talkTo(memory.here())
    if (!dialog.isConnected) root.append(dialog)
    // If the page moves the launcher, the browser closes the panel, but `isOpen` stays true.
    if (isOpen && (dialog.open || dialog.matches(':popover-open'))) return focusFirst()
    isOpen = true
    show()
    focusFirst()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    hide()
    config.closed(conversation?.store.transcript.peek().conversation?.npc.name)
  }
  const fit = () => {
    // On iOS the keyboard covers part of the page, and only the visual viewport knows the remaining height.
    dialog.style.setProperty('--height', `${visualViewport?.height ?? innerHeight}px`)
    dialog.style.setProperty('--top', `${visualViewport?.offsetTop ?? 0}px`)
  }

  dialog.tabIndex = -1
  dialog.addEventListener('keydown', (event) => {
    // Many sites have shortcuts on single keys, which typing in the panel must not trigger.
    event.stopPropagation()
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    close()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  phone.addEventListener(
    'change',
    () => {
      if (!isOpen) return
      hide()
      show()
      focusFirst()
    },
    { signal },
  )
  visualViewport?.addEventListener('resize', fit, { signal })
  visualViewport?.addEventListener('scroll', fit, { signal })
  fit()

  return {
    open,
    close,
    destroy() {
      isOpen = false
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
