import path from 'node:path'
import { startChild } from '../child.ts'
import type { Peer } from '../peer.ts'
import { SocketIoTalk } from './socket-io.ts'

/** socket.io on Node. */
export const socketio: Peer = {
  id: 'socketio',
  name: 'socket.io on Node',
  modelPath: '/v1',
  opens: 'connections',
  prepare: () => Promise.resolve(null),
  async start(model) {
    const file = path.join(import.meta.dirname, '../servers/socketio.mjs')
    const child = await startChild(process.execPath, [file], { env: { MODEL: model } })
    const url = new URL('socket.io/?EIO=4&transport=websocket', child.url)
    const talk = () =>
      new SocketIoTalk({
        url,
        isReady: (frame) => frame.startsWith('40'),
        isEnd: (frame) => frame.startsWith('42["turn"'),
        body: (text) => ({ text }),
      })
    return { ...child, data: null, begin: () => Promise.resolve(talk()), beginLong: () => Promise.resolve(talk()) }
  },
}
