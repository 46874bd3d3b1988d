import type { Events, Handle, Options } from '@walkon/widget'
import type { CSSProperties, ReactElement, Ref } from 'react'

/** `onOpen`, `onMessage` and so on: a handler for each event of the launcher. */
type Handlers = { [Name in keyof Events as `on${Capitalize<Name>}`]?: Events[Name] }

export interface WalkonChatProps extends Options, Handlers {
  /** The launcher's handle, to open it, to send a message and so on. */
  ref?: Ref<Handle>
  /** The class and style of the element around an inline chat. */
  className?: string
  style?: CSSProperties & { [property: `--walkon-${string}`]: string }
}

/**
 * A button in the page's corner that opens the chat, or with `mode="inline"` the chat in its place. It goes when the
 * component goes. On a server it renders an empty place.
 */
export function WalkonChat(props: WalkonChatProps): ReactElement | null
