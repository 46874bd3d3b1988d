import path from 'node:path'
import { WIRE_VERSION } from '../../../worker/wire/version.ts'
import { longTalk, LONG_TALK } from '../long-talk.ts'
import type { Peer, Talk } from '../peer.ts'
import { type Bundle, bundleWorker, ROOT, startWorker } from '../workerd.ts'
import { SocketIoTalk } from './socket-io.ts'

let bundle: Bundle

const ADMIN_SECRET = 'only-for-this-measurement-and-for-nothing-else'
/** No limit of a learner must end a measurement. Without bindings for them there are no rate limits either. */
const LIMITS = {
  WALKON_TURNS_MINUTE: '6000',
  WALKON_TURNS_SESSION: '100000',
  WALKON_TOKENS_SESSION: '1000000000000',
  WALKON_TOKEN_SECONDS: '43200',
}

/** Walkon on workerd. D1 is a Durable Object in the same process. */
export const walkon: Peer = {
  id: 'walkon',
  name: 'Walkon',
  modelPath: '/walkon/v1',
  opens: 'sessions',
  async prepare(folder) {
    bundle = await bundleWorker(path.join(ROOT, 'worker/index.ts'), folder)
    return bundle
  },
  async start(model) {
    const objects = { ConversationObject: 'CONVERSATIONS', LedgerObject: 'LEDGER', ErasureObject: 'ERASURES' }
    const vars = { OPENAI_BASE_URL: model, OPENAI_MODEL: 'm', WALKON_ADMIN_SECRET: ADMIN_SECRET, ...LIMITS }
    const server = await startWorker({
      bundle,
      objects,
      vars,
      hasDatabase: true,
      assets: path.join(ROOT, 'build/public'),
    })
    const begin = (scenario: string) => beginSession(server.url, scenario)
    let published: Promise<void> | null = null
    return {
      ...server,
      begin: () => begin('launch-decision'),
      async beginLong() {
        published ??= publish(server.url)
        await published
        return begin(LONG_TALK)
      },
    }
  },
}

async function beginSession(server: URL, scenario: string): Promise<Talk> {
  const { session, ticket, token } = (await post(new URL('api/sessions', server), { scenario, npc: 'maya' })) as {
    session: string
    ticket: string
    token: string
  }
  const url = new URL(`socket.io/?EIO=4&transport=websocket&hb=1&session=${session}&ticket=${ticket}`, server)
  let said = 0
  return new SocketIoTalk({
    url,
    auth: { v: WIRE_VERSION, token, short: true },
    isReady: (frame) => frame.startsWith('42["hello"'),
    // What the end of a turn contains may differ from version to version, but not that it says how the turn ended.
    isEnd: (frame) =>
      frame.startsWith('42[') && (frame.includes('"outcome"') || /"type":"turn"|^42\["turn"/.test(frame)),
    body: (text) => ({ cid: `c${++said}`, text }),
  })
}

async function publish(server: URL): Promise<void> {
  await post(new URL('api/admin/scenarios', server), await longTalk(), { authorization: `Bearer ${ADMIN_SECRET}` })
}

async function post(url: URL, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url.pathname} answered ${response.status}: ${text.slice(0, 1_000)}`)
  return JSON.parse(text)
}
