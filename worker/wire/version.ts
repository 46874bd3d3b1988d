/**
 * The version of the messages in `messages.ts`. A client sends its version in CONNECT. A server that no longer supports
 * this version refuses the connection with `start-over`, because the page has to load a newer widget.
 *
 * 1 · first version
 * 2 · tokens in CONNECT, `renew`, `cancel`, the outcome `cut`, `page` in `say`
 * 3 · `gained` in `turn` and `pivot-end`, `typed` in `pivot-end`, `resume` in `say`, `resumed` in `turn-start`, the event
 *     `opening`
 */
export const WIRE_VERSION = 3

/**
 * The heartbeat: a client sends `HEARTBEAT_PING` as an event and gets `HEARTBEAT_PONG` back. The platform answers
 * the ping while the conversation hibernates, so both texts must match to the letter (`docs/reference/protocol.md`,
 * [protocol-20]).
 */
export const HEARTBEAT_PING = '42["hb"]'
export const HEARTBEAT_PONG = '42["hb",1]'
