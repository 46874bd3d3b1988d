import { effect, untracked } from '@preact/signals'
import { render } from 'preact'
import type { Announcer } from '../../../widget/announcer.ts'
import { typeset } from '../../../widget/clean.ts'
import { Panel } from '../../../widget/components/panel.tsx'
import { answerPivot, areCardsOpen } from '../../../widget/components/pivot-cards.tsx'
import { openConversation } from '../../../widget/conversation.ts'
import type { Conversation } from '../../../widget/conversation.ts'
import { markdownWriter } from '../../../widget/markdown.ts'
import { useMarkdown } from '../../../widget/reply-writer.ts'
import { css as panelCss } from '../../../widget/styles/panel.css'
import { css as paperCss } from '../../../widget/styles/paper.css'
import { renewCredentials, UNAVAILABLE } from '../../../widget/session-api.ts'
import type { SessionApi } from '../../../widget/session-api.ts'
import { decodeRefusal } from '../../../worker/wire/decode.ts'
import type { Command } from '../../../worker/wire/messages.ts'
import type { Game } from '../game.ts'
import { doingOf, routeOfStep, stepAfter } from '../next-step.ts'
import { isWriting } from '../page-keys.ts'
import { calledName } from '../people.ts'
import { castDrawing } from '../portraits/people.ts'
import { runApi, RunApiError, typesetAll } from '../run-api.ts'
import type { TalkNews } from '../run-gains.ts'
import { openersIn } from '../texts/authored.ts'
import { directionOf } from '../texts/locale.ts'
import { locale, t } from '../texts/texts.ts'
import { documentMark, markSeen } from '../notebook/kept-notebook.ts'
import { talksOf } from './kept-talks.ts'
import { css } from './talk.css'

// In the game, the parser is in the file with the conversation.
useMarkdown(markdownWriter)

/**
 * Begins or continues the conversation with one colleague of a run, with the widget's own components. Reports to the
 * run what each exchange gained, and when the conversation ends.
 *
 * @returns a function that leaves the conversation and closes its socket
 */
export function mountTalk(host: HTMLElement, { game, run, npc }: { game: Game; run: string; npc: string }): () => void {
  const panel = panelIn(host)
  const memory = talksOf(run)
  const isNewHere = memory.session(npc) === null
  const announcer = mutable(game.announcer)
  /** The author's first messages to this colleague. The simulation may load after the conversation opens. */
  const authored = () => game.store.card.value?.people.find(({ id }) => id === npc)?.openers
  let ownTexts: typeof t.widget | undefined
  const conversation = openConversation({
    name: 'game',
    origin: location.origin,
    npc,
    // Asked for with every line that is drawn.
    get texts() {
      const openers = authored()
      return openers ? (ownTexts ??= { ...t.widget, openers }) : t.widget
    },
    // The simulation's language, whatever the page's language. The simulation may load after the conversation opens.
    get lang() {
      return game.store.card.value?.language ?? 'en'
    },
    get openers() {
      return authored() ?? openersIn(this.lang)
    },
    drawingOf: castDrawing,
    api: runSessions(game.store.key.value),
    memory,
    announcer,
    emit: (_, detail) => {
      const news = 'command' in detail ? endIn(npc, detail.command) : null
      if (news) game.tellRun(run, news)
    },
    identity: async () => '',
    page: () => ({}),
    replied: () => undefined,
    onExchange: ({ at, level, gained = {} }) => {
      game.tellRun(run, { type: 'exchange', npc, at, level, gained: typesetAll(gained) })
      // The talk shows the whole document.
      if (gained.documents !== undefined && gained.documents.length > 0) markSeen(run, [documentMark(npc)])
    },
  })
  const { store } = conversation
  const { card, run: view } = game.store
  const nameOf = (id: string) => calledName(card.value?.people.find((person) => person.id === id))
  // The button under an ended conversation leads to the next colleague. If the conversation with that colleague is over
  // too, the button leads to the run's next step.
  const leadsTo = (to: string) =>
    stepAfter(view.value ?? { people: [], decision: null }, card.value?.guide ?? '', npc, to)
  render(
    <Panel
      conversation={conversation}
      onNext={(to) => game.go(routeOfStep(leadsTo(to), run))}
      nextSays={({ id }) => {
        const step = leadsTo(id)
        // The decision is not a talk with the guide.
        const person = 'npc' in step && step.kind !== 'tell' && card.value?.people.find((each) => each.id === step.npc)
        return [doingOf(step, nameOf), person || null]
      }}
      onClose={() => game.go({ screen: 'desk', run })}
      notices={game.store.notes}
    />,
    panel,
  )
  const off = new AbortController()
  const stops = [
    effect(() => {
      const { name } = store.stage.value
      // `refresh` reads the run's signal. Without `untracked`, this effect would run again whenever the run changes.
      if (name === 'refused') untracked(() => void game.refresh())
      if (name !== 'open') return
      // If this browser opens a conversation that began on another device, its messages arrive all at once. Screen
      // readers don't announce these messages, because the learner can read them.
      if (isNewHere && store.settled.value > 0) announcer.muteForNow()
    }),
    keepFocusIn(host, panel, conversation),
    fitToScreen(host, panel),
  ]
  const pick = (event: KeyboardEvent) => {
    // The list of keyboard shortcuts covers the cards, and the cards may be folded. A digit must not pick a hidden card,
    // because an answer can't be undone.
    if (!game.store.keysShown.value && areCardsOpen(panel)) pickByNumber(event, conversation)
  }
  document.addEventListener('keydown', pick, { signal: off.signal })

  return () => {
    off.abort()
    for (const stop of stops) stop()
    conversation.close()
    render(null, panel)
  }
}

function endIn(npc: string, command: Command): TalkNews | null {
  if (command.name !== 'AI_EndConversation') return null
  const { completion, next } = command
  return { type: 'end', npc, completion, next: next && { npc: next.id, why: typeset(next.why) } }
}

function panelIn(host: HTMLElement): HTMLElement {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [panelCss, paperCss, css].map((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  const panel = document.createElement('section')
  panel.className = 'panel'
  panel.setAttribute('aria-label', t.widget.panel)
  panel.lang = locale
  panel.dir = directionOf(locale)
  root.replaceChildren(panel)
  return panel
}

/**
 * Requests the conversation with a colleague, with the run's key: `POST /api/run/talk`. A run has one conversation with
 * each colleague.
 */
function runSessions(runKey: string): SessionApi {
  return {
    async create({ npc }) {
      try {
        const { session, key, token, ticket, lastsMs } = await runApi.talk(runKey, npc)
        return { ok: true, session, key, credentials: { token, ticket, lastsMs } }
      } catch (error) {
        const { code, next } = error instanceof RunApiError ? error : UNAVAILABLE
        return decodeRefusal({ ok: false, code, next, message: '' }) ?? UNAVAILABLE
      }
    },
    renew: renewCredentials(location.origin),
  }
}

function mutable(announcer: Announcer): Announcer & { muteForNow(): void } {
  let muted = false
  return {
    ...announcer,
    say: (text) => void (muted || announcer.say(text)),
    muteForNow() {
      muted = true
      queueMicrotask(() => (muted = false))
    },
  }
}

/**
 * Focuses the first control when the conversation is ready, and again when the focused control has disappeared. On a
 * phone, focuses no control at the start, because the keyboard would cover the scene.
 */
function keepFocusIn(host: HTMLElement, panel: HTMLElement, { store }: Conversation): () => void {
  const focusFirst = () => panel.querySelector<HTMLElement>('textarea, [data-first]')?.focus()
  const isLost = () => {
    const { activeElement } = document
    return activeElement === null || activeElement === document.body || activeElement === host
  }
  let used: EventTarget | null = null
  let wasOpen = false
  panel.addEventListener('focusin', ({ target }) => void (used = target))
  return effect(() => {
    const isOpen = store.stage.value.name === 'open' && store.transcript.value.conversation !== null
    requestAnimationFrame(() => {
      const isFirst = isOpen && !wasOpen
      wasOpen ||= isOpen
      if (isFirst && matchMedia('(pointer: fine)').matches && isAtHeading()) return focusFirst()
      if (used instanceof Node && !used.isConnected && isLost()) focusFirst()
    })
  })
}

/**
 * Returns true if the focus is still on the screen's heading, which the page focused when the screen appeared, or if
 * nothing has the focus.
 */
function isAtHeading(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.matches('h1')
}

/**
 * Fits the conversation to the height above the keyboard, which on iOS only `visualViewport` knows. Also zooms the
 * panel to the learner's font size, because the widget's sizes are in px.
 */
function fitToScreen(host: HTMLElement, panel: HTMLElement): () => void {
  const off = new AbortController()
  const { signal } = off
  const fit = () => {
    const { height = innerHeight, offsetTop = 0 } = visualViewport ?? {}
    host.style.setProperty('--height', `${height}px`)
    host.style.setProperty('--top', `${offsetTop}px`)
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
    panel.style.setProperty('zoom', String(zoom))
  }
  visualViewport?.addEventListener('resize', fit, { signal })
  visualViewport?.addEventListener('scroll', fit, { signal })
  addEventListener('resize', fit, { signal })
  fit()
  return () => off.abort()
}

/**
 * Lets the keys 1 to 9 answer a pivot from anywhere on the page. The panel itself handles keys that are pressed inside
 * the panel.
 */
function pickByNumber(event: KeyboardEvent, conversation: Conversation): void {
  const { pivot } = conversation.store.transcript.value
  if (!pivot || event.defaultPrevented || !/^[1-9]$/.test(event.key)) return
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event)) return
  event.preventDefault()
  answerPivot(conversation, pivot, Number(event.key) - 1)
}
