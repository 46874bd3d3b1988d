import { describe, expect, it, vi } from 'vitest'
import { createOpenAiActor } from '../../worker/actor/openai-actor.ts'
import { event, sse, streamed } from '../support/completion-stream.ts'
import { briefingOf, hear } from '../support/hear-actor.ts'
import { startModelServer } from '../support/model-server.ts'
import { answer, hang, head, send } from '../support/model-steps.ts'
import { KEY, startTrial, trialActor, waits } from '../support/model-trial.ts'

const never = (): AbortSignal => new AbortController().signal

describe('the request', () => {
  it('[model-6] is one streaming chat completion of the two texts of the briefing', async () => {
    const { server, actor } = await startTrial(() => streamed(['hello']))
    await hear(actor, { briefing: briefingOf('You are Maya. é', 'Hello “you” 😀') })
    const request = await server.requests.next()
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions', authorization: 'expected' })
    expect(request.body).toEqual({
      model: 'scripted',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 321,
      messages: [
        { role: 'system', content: 'You are Maya. é' },
        { role: 'user', content: 'Hello “you” 😀' },
      ],
    })
    await server.close()
  })

  it('[model-6] names the limit as it is told to', async () => {
    const { server, actor } = await startTrial(() => streamed(['hello']), { tokenParameter: 'max_completion_tokens' })
    await hear(actor)
    const { body } = await server.requests.next()
    expect(body).toHaveProperty('max_completion_tokens', 321)
    expect(body).not.toHaveProperty('max_tokens')
    await server.close()
  })

  for (const [baseURL, name] of [
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://eu.api.openai.com/v1', 'max_completion_tokens'],
    ['https://api.openai.com.example/v1', 'max_tokens'],
    ['https://notapi.openai.com.example/v1', 'max_tokens'],
    ['http://localhost:11434/v1/', 'max_tokens'],
  ] as const) {
    it(`[model-6] asks ${baseURL} for ${name}`, async () => {
      const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 500 }))
      await hear(trialActor(baseURL))
      const [url, init] = sent.mock.calls[0]!
      sent.mockRestore()
      expect(url).toBe(`${baseURL.replace(/\/$/, '')}/chat/completions`)
      expect(JSON.parse(init?.body as string)).toHaveProperty(name, 321)
    })
  }

  for (const status of [408, 409, 429, 500, 503]) {
    it(`[model-6] is not repeated after ${status}, which the client library would repeat`, async () => {
      const { server, actor } = await startTrial(() => answer(status, {}, '{}'))
      await hear(actor)
      expect(server.requests.all).toHaveLength(1)
      await server.close()
    })
  }

  it('[model-6] takes no account, no key and no log level from the environment of the process', async () => {
    vi.stubEnv('OPENAI_ORG_ID', 'org-canary')
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-canary')
    vi.stubEnv('OPENAI_API_KEY', 'sk-other')
    vi.stubEnv('OPENAI_LOG', 'debug')
    const logged = vi.spyOn(console, 'debug').mockImplementation(() => {})
    const { server, actor } = await startTrial(() => streamed(['hello']))
    await hear(actor)
    vi.unstubAllEnvs()
    const request = await server.requests.next()
    expect(request.authorization).toBe('expected')
    expect(JSON.stringify(request.headers)).not.toContain('canary')
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
    await server.close()
  })

  it('[model-7] does not take the key along a redirect', async () => {
    const trap = await startModelServer(() => streamed(['stolen']), { key: KEY })
    const { server, actor } = await startTrial(() => answer(307, { location: `${trap.url}/chat/completions` }, ''))
    expect((await hear(actor)).error).toMatchObject({ failure: 'provider-error', status: 307 })
    expect(trap.requests.all).toEqual([])
    await server.close()
    await trap.close()
  })

  it('names the actor for people', () => {
    expect(trialActor('http://127.0.0.1/v1')).toMatchObject({ kind: 'model', label: 'scripted' })
  })
})

describe('giving up', () => {
  it('[model-8] [model-22] before it begins: no request at all', async () => {
    const { server, actor, clock } = await startTrial(() => streamed(['hello']))
    expect((await hear(actor, { signal: AbortSignal.abort() })).error?.failure).toBe('aborted')
    expect(server.requests.all).toEqual([])
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-8] [model-22] before the answer: the server sees the connection close', async () => {
    const { server, actor, clock } = await startTrial(() => [hang])
    const caller = new AbortController()
    const hearing = hear(actor, { signal: caller.signal })
    const request = await server.requests.next()
    caller.abort()
    expect((await hearing).error?.failure).toBe('aborted')
    expect(await request.gone).toBe('client')
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-8] [model-22] in the middle: what was said stays said', async () => {
    const { server, actor, clock } = await startTrial(() => [head(), send(event({ content: 'half a ' })), hang])
    const caller = new AbortController()
    const hearing = hear(actor, { signal: caller.signal })
    await clock.whenRead(waits(3))
    caller.abort(new Error('a reason of the caller’s own'))
    expect(await hearing).toMatchObject({ text: 'half a ', error: { failure: 'aborted' } })
    expect(await (await server.requests.next()).gone).toBe('client')
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-22] between two pieces that have both arrived', async () => {
    const { server, actor } = await startTrial(() => streamed(['one', 'two']))
    const caller = new AbortController()
    const heard: string[] = []
    const listening = (async () => {
      for await (const piece of actor.speak(briefingOf(), caller.signal)) {
        heard.push(piece)
        caller.abort()
      }
    })()
    await expect(listening).rejects.toMatchObject({ failure: 'aborted' })
    // What arrived together was one piece, so both may have been heard, but nothing after the abort.
    expect(heard).toHaveLength(1)
    await server.close()
  })

  it('[model-8] a listener who stops ends the request', async () => {
    const { server, actor, clock } = await startTrial(() => [head(), send(event({ content: 'one' })), hang])
    for await (const piece of actor.speak(briefingOf(), never())) {
      expect(piece).toBe('one')
      break
    }
    expect(await (await server.requests.next()).gone).toBe('client')
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-8] lets go of the caller’s signal', async () => {
    const { server, actor } = await startTrial(() => streamed(['hello']))
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await hear(actor, { signal })
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
    await server.close()
  })

  it('[model-8] many replies at once on one actor do not disturb each other', async () => {
    const { server, actor } = await startTrial((request) => streamed([JSON.stringify(request.body).length.toString()]))
    const lengths = Array.from({ length: 20 }, (_, at) => briefingOf('s', 'x'.repeat(at)))
    const hearings = await Promise.all(lengths.map((briefing) => hear(actor, { briefing })))
    const [first = 0] = hearings.map(({ text }) => Number(text))
    expect(hearings.map(({ text }) => Number(text))).toEqual(lengths.map((_, at) => first + at))
    await server.close()
  })
})

it('[model-6] works with the system’s own clock', async () => {
  const server = await startModelServer(() => [head(), send(sse(['tick']))])
  const actor = createOpenAiActor({
    baseURL: server.url,
    model: 'scripted',
    apiKey: 'none',
    idleTimeoutMs: 5_000,
    overallTimeoutMs: 5_000,
    maxOutputTokens: 10,
    maxOutputCharacters: 100,
  })
  expect(await hear(actor)).toEqual({ pieces: ['tick'], text: 'tick', error: null })
  await server.close()
})

it('[model-16] the system’s own clock ends a silence', async () => {
  const server = await startModelServer(() => [hang])
  expect((await hear(trialActor(server.url, { idleTimeoutMs: 30 }))).error?.failure).toBe('idle')
  await server.close()
})
