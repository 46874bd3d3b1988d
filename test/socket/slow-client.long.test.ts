import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { beforeAll, expect, it, vi } from 'vitest'
import type { EchoReport } from '../support/echo-report.ts'
import { connectClient } from '../support/socket-client.ts'
import { SharedServer } from '../support/shared.ts'

vi.setConfig({ testTimeout: 120_000 })

let server: SharedServer

beforeAll(async () => {
  server = await SharedServer.open('echo')
})

it('[protocol-24] [protocol-31] a client that reads nothing is closed, and one that keeps up is not', async () => {
  const fast = connectClient(new URL('slow/', server.url), { query: { hb: '1' } })
  await fast.next('connect')
  const slow = await connectAndStopReading('slow')
  await expect.poll(async () => (await report()).peers.length).toBe(2)
  let floods = 0
  // Sends more data than a client may leave unread. The operating system also buffers a part of the data, and the
  // engine does not know how much.
  for (; floods < 100; floods++) {
    expect(await fast.emitAck('flood', 60_000)).toEqual({ flooded: 60_000 })
    expect(String(await fast.next('flooded'))).toHaveLength(60_000)
  }
  const { peers, disconnects } = await report()
  expect(peers.map(({ sid }) => sid)).toEqual([fast.socket.id])
  expect(disconnects).toHaveLength(1)
  expect(fast.unread()).not.toContain('disconnect')
  slow.destroy()
  fast.stop()
})

/** Opens a TCP connection, does the WebSocket handshake, and then reads nothing more. */
async function connectAndStopReading(name: string): Promise<net.Socket> {
  const socket = net.connect(Number(server.url.port), server.url.hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  const key = randomBytes(16).toString('base64')
  const head = [
    `GET /${name}/?EIO=4&transport=websocket HTTP/1.1`,
    `Host: ${server.url.host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  expect(answer.toString('latin1')).toContain('101 Switching Protocols')
  socket.pause()
  // This is one masked text frame with the two bytes `40`. A mask of zeros leaves the bytes unchanged.
  socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30]))
  return socket
}

async function report(): Promise<EchoReport> {
  return (await server.fetch('slow/report')).json()
}
