import { setImmediate as nextLoop } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActorFailure } from '../../worker/actor/actor.ts'
import { event, sse, streamOf, streamed } from '../support/completion-stream.ts'
import { briefingOf, hear } from '../support/hear-actor.ts'
import type { Hearing } from '../support/hear-actor.ts'
import { refusedUrl } from '../support/model-server.ts'
import type { ModelHandler } from '../support/model-server.ts'
import { answer, close, encode, framed, hang, head, joinBytes, reset, send, wait } from '../support/model-steps.ts'
import type { Step } from '../support/model-steps.ts'
import { IDLE_MS, KEY, OVERALL_MS, startTrial, trialActor, waits } from '../support/model-trial.ts'

/** A text in everything that a faulty provider sends. No error and no log line may contain this text. */
const CANARY = 'canary-provider-text'

const logged: unknown[] = []
beforeEach(() => {
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...parts) => void logged.push(parts))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  expect(logged.splice(0)).toEqual([])
})

interface Row {
  readonly rule: string
  readonly name: string
  readonly steps: readonly Step[]
  readonly failure: ActorFailure
  readonly status?: number
  readonly retryAfterMs?: number
  readonly text?: string
}

const refusal = (
  rule: string,
  status: number,
  failure: ActorFailure,
  headers: Record<string, string> = {},
  retryAfterMs?: number,
): Row => ({
  rule,
  name: `${status} ${JSON.stringify(headers)}`,
  steps: answer(
    status,
    { 'content-type': 'application/json', ...headers },
    JSON.stringify({ error: { message: `${CANARY} for key ${KEY}`, type: CANARY } }),
  ),
  failure,
  status,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})

const said = event({ content: 'Grüß dich' })

const rows: readonly Row[] = [
  { rule: 'model-10', name: 'RST before the answer', steps: [reset], failure: 'unreachable' },
  { rule: 'model-10', name: 'FIN before the answer', steps: [close], failure: 'unreachable' },
  { rule: 'model-10', name: 'RST inside the headers', steps: [send('HTTP/1.1 200 O'), reset], failure: 'unreachable' },
  {
    rule: 'model-10',
    name: 'an answer that is not HTTP',
    steps: [send(`220 ${CANARY} ESMTP\r\n`), close],
    failure: 'unreachable',
  },

  refusal('model-11', 401, 'unauthorized'),
  refusal('model-11', 403, 'unauthorized'),
  refusal('model-12', 429, 'rate-limited'),
  refusal('model-12', 429, 'rate-limited', { 'retry-after': '7' }, 7_000),
  refusal('model-12', 429, 'rate-limited', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000),
  refusal('model-13', 400, 'provider-error'),
  refusal('model-13', 404, 'provider-error'),
  refusal('model-13', 408, 'provider-error'),
  refusal('model-13', 409, 'provider-error'),
  refusal('model-13', 422, 'provider-error'),
  refusal('model-13', 500, 'provider-error'),
  refusal('model-13', 502, 'provider-error'),
  refusal('model-13', 503, 'provider-error', { 'retry-after': '120' }, 120_000),
  refusal('model-13', 529, 'provider-error'),
  {
    rule: 'model-13',
    name: '500 with a body that never ends',
    steps: [head(500, { 'content-type': 'text/plain' }), send(CANARY), hang],
    failure: 'provider-error',
    status: 500,
  },
  { ...refusal('model-7', 307, 'provider-error', { location: `http://127.0.0.1:9/${CANARY}` }), name: 'a redirect' },

  {
    rule: 'model-14',
    name: 'HTML',
    steps: answer(200, { 'content-type': 'text/html' }, `<!doctype html><p>${CANARY}`),
    failure: 'not-a-model',
  },
  {
    rule: 'model-14',
    name: 'HTML under the type of an event stream',
    steps: streamOf(`<!doctype html>\n<p>${CANARY}</p>\n`),
    failure: 'not-a-model',
  },
  {
    rule: 'model-14',
    name: 'HTML of one line under no type',
    steps: [head(200, { 'content-type': null }), send(`<p>${CANARY}</p>`), close],
    failure: 'not-a-model',
  },
  {
    rule: 'model-14',
    name: 'JSON, as if nothing had been said of a stream',
    steps: answer(200, { 'content-type': 'application/json' }, `{"choices":[{"message":{"content":"${CANARY}"}}]}`),
    failure: 'not-a-model',
  },
  {
    rule: 'model-14',
    name: 'a good stream under a wrong type',
    steps: [head(200, { 'content-type': 'application/octet-stream' }), send(sse(['hello'])), close],
    failure: 'not-a-model',
  },
  {
    rule: 'model-14',
    name: 'a wrong type and a body that never ends',
    steps: [head(200, { 'content-type': 'text/html' }), hang],
    failure: 'not-a-model',
  },

  { rule: 'model-15', name: 'an empty 200', steps: answer(200, { 'content-type': null }, ''), failure: 'empty' },
  { rule: 'model-15', name: 'an empty event stream', steps: streamOf(''), failure: 'empty' },
  { rule: 'model-15', name: '204', steps: [head(204), close], failure: 'empty' },
  {
    rule: 'model-15',
    name: 'nothing but comments',
    steps: streamOf(': keep-alive\n\n: keep-alive\n\n'),
    failure: 'empty',
  },
  { rule: 'model-15', name: 'nothing but [DONE]', steps: streamOf('data: [DONE]\n\n'), failure: 'empty' },
  { rule: 'model-15', name: 'nothing but the role', steps: streamed([]), failure: 'empty' },
  {
    rule: 'model-15',
    name: 'nothing but white space',
    steps: streamed([' ', '\n\n']),
    failure: 'empty',
    text: ' \n\n',
  },
  {
    rule: 'model-15',
    name: 'only tool calls',
    steps: streamOf(
      event({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: CANARY, arguments: '{}' } }] }) +
        event({}, 'tool_calls') +
        'data: [DONE]\n\n',
    ),
    failure: 'empty',
  },
  {
    rule: 'model-15',
    name: 'a refusal before a word',
    steps: streamOf(event({ refusal: CANARY }) + event({ content: 'never heard' }) + 'data: [DONE]\n\n'),
    failure: 'empty',
  },
  {
    rule: 'model-15',
    name: 'content_filter before a word',
    steps: streamOf(event({ content: CANARY }, 'content_filter') + 'data: [DONE]\n\n'),
    failure: 'empty',
  },

  {
    rule: 'model-18',
    name: 'FIN after some text',
    steps: [head(), send(said), close],
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-18',
    name: 'half a line',
    steps: [head(), send(said + said.slice(0, 30)), close],
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-18',
    name: 'RST after some text',
    steps: [head(), send(said), reset],
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-18',
    name: 'RST after the headers',
    steps: [head(200, { 'transfer-encoding': 'chunked' }), reset],
    failure: 'cut-off',
  },
  {
    rule: 'model-18',
    name: 'a frame that is not finished',
    steps: [head(200, { 'transfer-encoding': 'chunked' }), send(framed(encode(said))), send('ff\r\ndata: '), close],
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-18',
    name: 'fewer bytes than content-length says',
    steps: [head(200, { 'content-length': '9999' }), send(said), close],
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-18',
    name: 'garbage that is said to be gzip',
    steps: [head(200, { 'content-encoding': 'gzip' }), send(CANARY), close],
    failure: 'cut-off',
  },

  { rule: 'model-19', name: 'no JSON at once', steps: streamOf(`data: {${CANARY}\n\n`), failure: 'not-a-model' },
  {
    rule: 'model-19',
    name: 'no JSON after some text, then a good end',
    steps: streamOf(`${said}data: {"choices":[${CANARY}\n\n${event({}, 'stop')}data: [DONE]\n\n`),
    failure: 'cut-off',
    text: 'Grüß dich',
  },
  {
    rule: 'model-19',
    name: 'null for a choice',
    steps: streamOf('data: {"choices":[null]}\n\n'),
    failure: 'not-a-model',
  },
  {
    rule: 'model-20',
    name: 'an error in the stream at once',
    steps: streamOf(`data: {"error":{"message":"${CANARY}","code":500}}\n\n`),
    failure: 'provider-error',
  },
  {
    rule: 'model-20',
    name: 'an error event after some text',
    steps: streamOf(`${said}event: error\ndata: {"message":"${CANARY}"}\n\n`),
    failure: 'provider-error',
    text: 'Grüß dich',
  },
  {
    rule: 'model-20',
    name: 'an error object after some text, then [DONE]',
    steps: streamOf(`${said}data: {"object":"error","message":"${CANARY}","code":500}\n\ndata: [DONE]\n\n`),
    failure: 'provider-error',
    text: 'Grüß dich',
  },
]

describe('what each fault becomes', () => {
  for (const { rule, name, steps, failure, status, retryAfterMs, text } of rows) {
    it(`[${rule}] ${name} → ${failure}`, async () => {
      const hearing = await trialOf(() => steps)
      expectFailure(hearing, failure)
      expect(hearing.error?.status).toBe(status ?? null)
      expect(hearing.error?.retryAfterMs).toBe(retryAfterMs ?? null)
      expect(hearing.text).toBe(text ?? '')
    })
  }

  it('[model-10] a port at which nobody listens → unreachable', async () => {
    expectFailure(await hear(trialActor(await refusedUrl())), 'unreachable')
  })

  it('[model-10] a host that has no address → unreachable', async () => {
    expectFailure(await hear(trialActor('http://walkon.invalid/v1')), 'unreachable')
  })
})

describe('silence', () => {
  it('[model-16] before the answer', async () => {
    const { server, actor, clock } = await startTrial(() => [hang])
    const hearing = hear(actor)
    const request = await server.requests.next()
    clock.advance(IDLE_MS - 1)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expectFailure(await hearing, 'idle')
    expect(await request.gone).toBe('client')
    await finish(server, clock)
  })

  it('[model-16] after the headers', async () => {
    const { server, actor, clock } = await startTrial(() => [head(), hang])
    const hearing = hear(actor)
    await clock.whenRead(waits(2))
    clock.advance(IDLE_MS)
    expectFailure(await hearing, 'idle')
    expect(await (await server.requests.next()).gone).toBe('client')
    await finish(server, clock)
  })

  it('[model-16] in the middle, inside a line', async () => {
    const { server, actor, clock } = await startTrial(() => [head(), send(said + said.slice(0, 40)), hang])
    const hearing = hear(actor)
    await clock.whenRead(waits(3))
    clock.advance(IDLE_MS)
    const heard = await hearing
    expectFailure(heard, 'idle')
    expect(heard.text).toBe('Grüß dich')
    expect(await (await server.requests.next()).gone).toBe('client')
    await finish(server, clock)
  })

  it('[model-16] a listener who takes its time does not make the model idle', async () => {
    const isBack = Promise.withResolvers<void>()
    const { server, actor, clock } = await startTrial(() => [
      head(),
      send(said),
      wait(isBack.promise),
      send(`${event({ content: '!' }, 'stop')}data: [DONE]\n\n`),
    ])
    const pieces: string[] = []
    for await (const piece of actor.speak(briefingOf(), new AbortController().signal)) {
      pieces.push(piece)
      // The loop has not asked for the next piece yet. If the actor read the next piece all the same, the read would
      // have begun by now.
      await nextLoop()
      clock.advance(IDLE_MS * 2)
      isBack.resolve()
    }
    expect(pieces).toEqual(['Grüß dich', '!'])
    await finish(server, clock)
  })

  it('[model-17] one byte at a time is not silence, but has an end → timeout', async () => {
    const gates = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
    const { server, actor, clock } = await startTrial(function* () {
      yield head()
      for (const gate of gates) {
        yield wait(gate.promise)
        yield send(':')
      }
      yield hang
    })
    const hearing = hear(actor)
    // The first wait is for the headers, and each later one for one byte. The waits for bytes last 9,990 ms together.
    await clock.whenRead(waits(2))
    for (const gate of gates) {
      clock.advance(IDLE_MS - 1)
      const next = clock.whenRead(clock.reads + 1)
      gate.resolve()
      await next
    }
    expect(clock.pending).toBe(1)
    clock.advance(OVERALL_MS - gates.length * (IDLE_MS - 1))
    expectFailure(await hearing, 'timeout')
    await finish(server, clock)
  })

  it('[model-17] the overall limit holds before the answer too', async () => {
    const { server, actor, clock } = await startTrial(() => [hang], { idleTimeoutMs: OVERALL_MS * 2 })
    const hearing = hear(actor)
    await server.requests.next()
    clock.advance(OVERALL_MS)
    expectFailure(await hearing, 'timeout')
    await finish(server, clock)
  })
})

describe('too much', () => {
  const block = encode('x'.repeat(65_536))

  const endless = [
    { name: 'a line that never ends, at once', start: 'data: ', failure: 'not-a-model' as const },
    { name: 'a line that never ends, after some text', start: `${said}data: `, failure: 'cut-off' as const },
    { name: 'one comment that never ends', start: ': ', failure: 'not-a-model' as const },
  ]
  for (const { name, start, failure } of endless) {
    it(`[model-21] ${name} → ${failure}, and little of it is taken`, async () => {
      let sent = 0
      const { server, actor, clock } = await startTrial(function* () {
        yield head()
        yield send(start)
        while (true) {
          yield send(block)
          sent += block.length
        }
      })
      expectFailure(await hear(actor), failure)
      expect(await (await server.requests.next()).gone).toBe('client')
      expect(sent).toBeLessThan(12_000_000)
      await finish(server, clock)
    })
  }

  it('[model-21] a long train of thought in events of its own is not too much', async () => {
    const thought = event({ reasoning_content: 'y'.repeat(100_000) })
    const hearing = await trialOf(() => [...streamOf(thought.repeat(15) + said + event({}, 'stop'))])
    expect(hearing).toMatchObject({ text: 'Grüß dich', error: null })
  })

  it('[model-21] an event of 10 MB on one line is not held → not-a-model', async () => {
    const line = joinBytes([encode('data: {"choices":[{"delta":{"content":"'), encode('y'.repeat(10_000_000))])
    expectFailure(await trialOf(() => [head(), send(line), send('"}}]}\n\n'), close]), 'not-a-model')
  })

  it('[model-21] an endless stream that never says a word → not-a-model', async () => {
    const comments = encode(': alive\n\n'.repeat(8_000))
    const hearing = await trialOf(function* () {
      yield head()
      while (true) yield send(comments)
    })
    expectFailure(hearing, 'not-a-model')
  })
})

async function trialOf(handler: ModelHandler): Promise<Hearing> {
  const { server, actor, clock } = await startTrial(handler)
  const hearing = await hear(actor)
  expect(server.requests.all).toHaveLength(1)
  await finish(server, clock)
  return hearing
}

async function finish(server: { close(): Promise<void> }, clock: { pending: number }): Promise<void> {
  expect(clock.pending, 'timers left behind').toBe(0)
  await server.close()
}

/**
 * Checks the failure, and rule [model-9]: no part of the error contains the provider's text, the address or the key.
 */
function expectFailure({ error }: Hearing, failure: ActorFailure): void {
  expect(error?.failure).toBe(failure)
  const shown = [
    error?.message,
    error?.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error?.cause),
  ].join()
  for (const secret of [CANARY, KEY, '127.0.0.1', '/v1', 'walkon.invalid']) expect(shown).not.toContain(secret)
  expect(error).not.toHaveProperty('cause')
}
