/**
 * The version of the messages in `messages.ts`. A client sends its version in CONNECT. A server that no longer supports
 * the client's version refuses the connection with `start-over`, so that the page loads a newer widget.
 *
 * 1 · first version
 * 2 · tokens in CONNECT, `renew`, `cancel`, the outcome `cut`, `page` in `say`
 * 3 · `gained` in `turn` and `pivot-end`, `typed` in `pivot-end`, `resume` in `say`, `resumed` in `turn-start`, the
 *     event `opening`, `offers` in `turn`; later `text` in `gained`, and for assistants only: `page`, `lock`, `context` in `say`, `agent` in
 *     `turn`, the event `edits`; `takesPage` in `hello`; for a client that connects with `short`: `d` and `turn`
 */
export const WIRE_VERSION = 3

/**
 * The text of a heartbeat, which a client sends to keep its connection. The platform answers with `HEARTBEAT_PONG`,
 * even while the conversation's object hibernates, but only if the client sends exactly this text
 * (`docs/reference/protocol.md`, [protocol-20]).
 */
export const HEARTBEAT_PING = '42["hb"]'
export const HEARTBEAT_PONG = '42["hb",1]'
