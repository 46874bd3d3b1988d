/**
 * HTTP long-polling, for networks that let no WebSocket through. A file of its own (`polling.js`), with its own copy of
 * what it shares with the engine in `widget.js`: a shared chunk would be one more file for everybody.
 */
// oxlint-disable-next-line oxc/no-barrel-file -- the file is the bundle's entry
export { Fetch as Polling } from 'socket.io-client'
