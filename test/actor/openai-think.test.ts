import { describe, expect, it } from 'vitest'
import { type Actor, ActorError } from '../../worker/actor/actor.ts'
import { answerSchema, indexBelow, orNull } from '../../worker/core/briefing/task-sections.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import { ConfigError, readConfig } from '../../worker/env.ts'
import { event, streamed } from '../support/completion-stream.ts'
import { hear } from '../support/hear-actor.ts'
import { answer, hang, head, send, type Step } from '../support/model-steps.ts'
import { IDLE_MS, OVERALL_MS, startTrial } from '../support/model-trial.ts'

const never = (): AbortSignal => new AbortController().signal
const schema = answerSchema('selection', { action: orNull(indexBelow(2)), exit: orNull(indexBelow(1)) })

describe('a piece of inner work', () => {
  it('[model-30] [model-31] is one streamed request, with a strict schema for its answer', async () => {
    const { server, actor } = await startTrial(() => streamed(['{"action"', ': 1, "exit": null}']))
    expect(await actor.think(taskOf('Think. é', 'WHAT TO DO: choose 😀'), never())).toBe('{"action": 1, "exit": null}')
    expect(server.requests.all).toHaveLength(1)
    const { body, path, authorization } = await server.requests.next()
    expect({ path, authorization }).toEqual({ path: '/v1/chat/completions', authorization: 'expected' })
    expect(body).toEqual({
      model: 'scripted',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 321,
      messages: [
        { role: 'system', content: 'Think. é' },
        { role: 'user', content: 'WHAT TO DO: choose 😀' },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'selection',
          strict: true,
          schema: {
            type: 'object',
            properties: {
              action: { anyOf: [{ type: 'integer', enum: [0, 1] }, { type: 'null' }] },
              exit: { anyOf: [{ type: 'integer', enum: [0] }, { type: 'null' }] },
            },
            required: ['action', 'exit'],
            additionalProperties: false,
          },
        },
      },
    })
    await server.close()
  })

  it('[model-31] a server that knows less is asked for less', async () => {
    for (const [structured, format] of [
      ['json_object', { type: 'json_object' }],
      ['none', undefined],
    ] as const) {
      const { server, actor } = await startTrial(() => streamed(['{}']), { structured })
      await actor.think(taskOf(), never())
      const { body } = await server.requests.next()
      expect((body as Record<string, unknown>)['response_format']).toEqual(format)
      expect(body).toHaveProperty('messages')
      await server.close()
    }
  })

  it('[model-31] a reply is asked for without any form', async () => {
    const { server, actor } = await startTrial(() => streamed(['hello']))
    await hear(actor)
    expect((await server.requests.next()).body).not.toHaveProperty('response_format')
    await server.close()
  })

  const faults: readonly [string, readonly Step[], string][] = [
    ['a refusal of the schema', answer(400, { 'content-type': 'application/json' }, '{"error": {}}'), 'provider-error'],
    ['a wrong key', answer(401, {}, ''), 'unauthorized'],
    ['nothing said', streamed([]), 'empty'],
    ['an answer withheld', [head(), send(event({ refusal: 'No.' }, 'stop'))], 'empty'],
    ['an end in the middle', [head(), send(event({ content: '{"exit": ' }))], 'cut-off'],
    ['another page', answer(200, { 'content-type': 'text/html' }, '<p>'), 'not-a-model'],
  ]
  it.each(faults)('[model-30] %s fails as a reply does, once', async (_, steps, failure) => {
    const { server, actor, clock } = await startTrial(() => [...steps])
    expect((await failed(actor)).failure).toBe(failure)
    expect(server.requests.all).toHaveLength(1)
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-30] is under the idle limit and the overall limit', async () => {
    for (const [ms, failure] of [
      [IDLE_MS, 'idle'],
      [OVERALL_MS, 'timeout'],
    ] as const) {
      const { server, actor, clock } = await startTrial(
        () => [hang],
        ms === OVERALL_MS ? { idleTimeoutMs: OVERALL_MS * 2 } : {},
      )
      const thinking = failed(actor)
      await server.requests.next()
      clock.advance(ms)
      expect((await thinking).failure).toBe(failure)
      await server.close()
    }
  })

  it('[model-30] given up, the server sees the connection close', async () => {
    const { server, actor } = await startTrial(() => [head(), send(event({ content: '{' })), hang])
    const caller = new AbortController()
    const thinking = failed(actor, caller.signal)
    const request = await server.requests.next()
    caller.abort()
    expect((await thinking).failure).toBe('aborted')
    expect(await request.gone).toBe('client')
    await server.close()
  })

  it('[model-30] is cut at the limit on characters, which no reader takes for an answer', async () => {
    const { server, actor } = await startTrial(() => streamed(['{"queries": ["', 'x'.repeat(3_000), '"]}']))
    expect(await actor.think(taskOf(), never())).toHaveLength(2_000)
    await server.close()
  })
})

describe('the setting', () => {
  it('[model-31] is one of three, and json_schema without one', () => {
    const speaker = (value: string) => readConfig({ OPENAI_API_KEY: 'k', WALKON_MODEL_STRUCTURED: value }).speaker
    for (const structured of ['json_schema', 'json_object', 'none'])
      expect(speaker(structured)).toHaveProperty('structured', structured)
    expect(speaker('')).not.toHaveProperty('structured')
    expect(() => speaker('canary')).toThrow(ConfigError)
    expect(() => speaker('canary')).toThrow(/WALKON_MODEL_STRUCTURED must be json_schema, json_object or none/)
    expect(() => speaker('canary')).not.toThrow(/canary/)
  })
})

function taskOf(system = 'Think.', user = 'Choose.'): Task {
  const refuse = (): never => {
    throw new Error('a model was to be told the two texts of the task only')
  }
  const hidden = new Proxy({}, { get: refuse })
  return { system, user, answer: schema, scene: hidden as Task['scene'], request: hidden as Task['request'] }
}

async function failed(actor: Actor, signal = never()): Promise<ActorError> {
  try {
    await actor.think(taskOf(), signal)
  } catch (error) {
    if (error instanceof ActorError) return error
    throw error
  }
  throw new Error('it was answered')
}
