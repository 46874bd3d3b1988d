import { beforeAll, expect, it } from 'vitest'
import type { EchoReport } from '../support/echo-report.ts'
import { FrameSocket } from '../support/frame-socket.ts'
import { lots } from '../support/lots.ts'
import { mutatedPacket } from '../support/mutate-packet.ts'
import { connectClient } from '../support/socket-client.ts'
import { SharedServer } from '../support/shared.ts'

const SEED = 20_261_120
const BY_SOCKET = 7_000
const BY_POLLING = 3_000
/** How many packets one connection sends. The server closes most connections before the last packet. */
const A_CONNECTION = 10
/** How many connections are open at a time. */
const AT_ONCE = 20

let server: SharedServer

beforeAll(async () => {
  server = await SharedServer.open('echo')
})

it(
  '[protocol-19] [protocol-24] [protocol-26] ten thousand mutated packets do not disturb an honest client',
  { timeout: 600_000 },
  async () => {
    const at = (query: string) => new URL(`mutations/?${query}`, server.url)
    await server.fetch('mutations/options', {
      method: 'POST',
      body: JSON.stringify({ recovery: true, maxSockets: 64 }),
    })
    const honest = connectClient(at(''), { query: { hb: '1' } })
    const id = await honest.next('connect')
    await honest.next('hello')
    const draw = lots(SEED)
    let served = 0

    for (let sent = 0; sent < BY_SOCKET + BY_POLLING; sent += AT_ONCE * A_CONNECTION) {
      const attack = sent < BY_SOCKET ? hostileSocket : hostilePolling
      const attacks = Array.from({ length: AT_ONCE }, () => {
        const packets = Array.from({ length: A_CONNECTION }, () => mutatedPacket(draw))
        // Half of the connections first send a valid CONNECT. Otherwise hardly any connection would get past its first
        // packet.
        return attack(at, draw(2) === 0 ? ['40{"v":1}', ...packets] : packets)
      })
      served += 1
      expect(await honest.emitAck('echo', served)).toEqual({ echoed: served })
      expect(await honest.next('echo')).toBe(served)
      await Promise.all(attacks)
    }

    // Only the honest client is still connected. This client has received nothing that it had not requested.
    await expect.poll(async () => (await report()).peers.map(({ sid }) => sid), { timeout: 60_000 }).toEqual([id])
    const { log, kept, constructions } = await report()
    expect([honest.unread(), log, constructions]).toEqual([[], [], 1])
    expect(kept).toMatchObject({ probes: 0, awake: 0, readers: 0 })
    expect(kept.polling).toBeLessThanOrEqual(64)
    expect(served).toBe(50)
    expect(await honest.emitAck('echo', 'at last')).toEqual({ echoed: 'at last' })
    honest.stop()
  },
)

type Address = (query: string) => URL

async function hostileSocket(at: Address, packets: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<void> {
  const socket = new FrameSocket(at('EIO=4&transport=websocket'))
  await socket.next()
  for (const packet of packets) socket.send(packet)
  socket.close()
  await socket.closed()
}

async function hostilePolling(at: Address, packets: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<void> {
  const opened = await (await fetch(at('EIO=4&transport=polling'))).text()
  const { sid }: { sid: string } = JSON.parse(opened.slice(1))
  const session = at(`EIO=4&transport=polling&sid=${sid}`)
  // Sends some packets alone and some together, because the body of a POST may contain one packet or several.
  for (const body of [...packets.slice(0, 4), joined(packets.slice(4))]) {
    const answer = await fetch(session, { method: 'POST', body })
    expect({ status: answer.status, text: await answer.text() }).toMatchObject(FINE)
    if (answer.status !== 200) break
  }
  await fetch(session, { method: 'POST', body: '1' })
  expect([200, 400]).toContain((await fetch(session)).status)
}

const FINE = { status: expect.toSatisfy((status: number) => [200, 400, 413].includes(status)) }

function joined(packets: readonly (string | Uint8Array<ArrayBuffer>)[]): string {
  return packets.map((packet) => (typeof packet === 'string' ? packet : new TextDecoder().decode(packet))).join('\x1e')
}

async function report(): Promise<EchoReport> {
  return (await server.fetch('mutations/report')).json()
}
