import type { Command, SearchHit } from '../worker/wire/messages.ts'

/** The events that the embedding page can listen to, by name: `Walkon.on('command', …)`. */
export interface HostEvents {
  /** The panel opened or closed. */
  open: { name: string }
  close: { name: string }
  /** The conversation is connected, so that the learner can talk; once for each conversation that the panel shows. */
  ready: ConversationDetail
  /** Somebody said something. Each message comes once, even if the page is reloaded. */
  message: ConversationDetail & { from: 'learner' | 'npc'; text: string }
  /** How many replies have come while the panel was closed; 0 when it opens again. */
  unread: { name: string; count: number }
  /** A command of the conversation. The widget dispatches each `id` once, even if the page is reloaded. */
  command: ConversationDetail & { id: string; command: Command }
  /** The person has taken a change that an agent proposed. `result` is the page's text with it. */
  edit: ConversationDetail & {
    id: string
    filename: string
    op: 'replace' | 'insert' | 'delete'
    start: number
    expected: string
    text: string
    result: string
  }
  /**
   * An agent needs a tool that the page has named (`tools` in `setPage`). One tab gets the event. Call `answer` or `fail`
   * within a minute.
   */
  tool: ConversationDetail & {
    call: string
    tool: string
    input: string
    answer: (text: string) => void
    fail: (why: string) => void
  }
  /** The conversation is over. `completion` says whether the colleague's goal was reached. */
  end: ConversationDetail & { completion: 'earned' | 'forced' }
  /** The widget could not be loaded (`code` is `not-loaded`), or the service refused something. */
  error: { name: string; code: string; message: string }
}

interface ConversationDetail {
  /** The launcher's name. */
  name: string
  session: string
  /** The colleague's id. */
  npc: string
}

/** Hands an event to the page. Returns something if the page listens to such events. */
export type Emit = <E extends keyof HostEvents>(event: E, detail: HostEvents[E]) => unknown

/** Proof of who the learner is: a token that the page's server signed, or a user id with its HMAC. */
export type Identity = string | { readonly user: string; readonly hash: string }

/** A proof of identity, or a function that returns a new proof for each call, because tokens expire. */
export type IdentitySource = Identity | (() => Identity | Promise<Identity>)

/** What a page shows, for an assistant: exactly one of `editor`, `pipeline` and `text`. */
export type HostPage = (
  | {
      editor: {
        filename: string
        /** The whole text. Of a long text, the part around `cursor` is sent. */
        content: string
        language?: string
        cursor?: number
        /** False if the text may not be changed. */
        editable?: boolean
      }
    }
  | { pipeline: { id: string; title: string; summary?: string; preference?: 'prefer' | 'ignore' } }
  | { text: string }
) & {
  /** What the page has found, for agents that cite it. */
  results?: { local?: SearchHit[]; web?: SearchHit[] }
  /** The names of the tools that the page runs for agents, by the event `tool`. */
  tools?: string[]
  /** The agent that answers if neither the person's mention nor a lock decides. */
  agent?: string
}

/**
 * What a page says about a launcher. A script tag says it in `data-` attributes and `<walkon-chat>` in attributes of the
 * same names, except the values that are functions or objects.
 */
export interface LauncherOptions {
  /** The ids of the scenario and of the first colleague. By default the service chooses. */
  scenario?: string
  npc?: string
  /** The launcher's name in calls and events; by default `npc`, else `scenario`, else `walkon`. */
  name?: string
  /** The button's text. */
  label?: string
  /** `bubble`: a button in the corner and a panel beside it. `inline`: in its place on the page. `full`: over the page. */
  mode?: 'bubble' | 'inline' | 'full'
  theme?: 'light' | 'dark' | 'auto'
  /** The bottom corner of the button: where lines of text begin, or where they end. */
  position?: 'start' | 'end'
  /** `none` shows no button; the page opens the chat. */
  launcher?: 'none'
  /** The language of the widget's own words, as a BCP 47 tag; by default that of the place on the page. */
  lang?: string
  /** The page's own wording of some of the widget's texts. `{name}` stands for a text's first value. */
  texts?: Record<string, string>
  /** `required`: the learner has to agree before anything is sent or stored. */
  consent?: 'required'
  identity?: IdentitySource
  /** What the page shows, for the colleague: a text, or for an assistant what it can work with. */
  page?: string | HostPage | null
  /** The address of the service, if the scripts come from another host. */
  service?: string
}

/** What the launcher hands to `mount`, and shares with the panel. */
export interface LauncherParts {
  readonly name: string
  readonly root: ShadowRoot
  readonly button: HTMLButtonElement
  /** The options as they are now: `identify`, `setPage` and `setLocale` change them. */
  readonly options: LauncherOptions
  /** The service's origin. */
  readonly origin: string
  readonly emit: Emit
  /** Whether the page or the learner wants the panel to be open. */
  isOpen: boolean
  /** Returns the language of the widget's own words. */
  readonly lang: () => string
  /** Sets the button's text, or what it says by default. */
  readonly say: (text?: string) => void
}

/** A mounted panel. */
export interface MountedPanel {
  /** Opens or closes the panel, as `parts.isOpen` says. `isQuiet` leaves the focus where it is. */
  sync(isQuiet?: boolean): void
  /** Opens the panel and sends a message as if the learner had typed it. */
  sendMessage(text: string): void
  /** Opens the panel and puts a text into the composer. */
  prefill(text: string): void
  /** Forgets the conversations of this launcher in this browser. */
  reset(): void
  setLocale(): void
  /** The page has said what it shows now. */
  setPage(): void
  destroy(): void
}

/** The entry of `widget.js`. */
export type Mount = (parts: LauncherParts) => MountedPanel
