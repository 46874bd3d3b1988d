import { describe, expect, it } from 'vitest'
import { ActorError } from '../../worker/actor/actor.ts'
import type { Standing } from '../../worker/budget/breaker.ts'
import { createMeteredActor, type Purse } from '../../worker/budget/metered-actor.ts'
import type { Tokens } from '../../worker/budget/tokens.ts'
import { answerSchema, TEXT } from '../../worker/core/briefing/task-sections.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import { event, streamed } from '../support/completion-stream.ts'
import { briefingOf, hear } from '../support/hear-actor.ts'
import { type ModelHandler, startModelServer } from '../support/model-server.ts'
import { answer, hang, head, send } from '../support/model-steps.ts'
import { trialActor } from '../support/model-trial.ts'

const counted = 'data: {"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":7}}\n\ndata: [DONE]\n\n'
const never = () => new AbortController().signal

describe('an actor that is paid for', () => {
  it('[budget-5] [budget-7] sets the most aside before it asks, and is charged what the server counted', async () => {
    const { actor, purse, server } = await paid(() => [head(), send(event({ content: 'hi' }, 'stop') + counted)])
    expect((await hear(actor, { briefing: briefingOf('You.', 'Hé.') })).text).toBe('hi')
    expect(purse.log).toEqual([
      { reserved: { input: 64 + 4 + 4, output: 321 }, asked: 0 },
      { charge: { input: 90, output: 7 }, standing: { type: 'answered' } },
    ])
    await server.close()
  })

  it('[budget-5] inner work is a call like any other, its schema measured too', async () => {
    const { actor, purse, server } = await paid(() => streamed(['{}']))
    const schema = answerSchema('reflection', { reflection: TEXT })
    expect(await actor.think(taskOf('Think.', 'What?', schema), never())).toBe('{}')
    const input = 64 + 6 + 5 + JSON.stringify(schema).length
    expect(purse.log).toEqual([
      { reserved: { input, output: 321 }, asked: 0 },
      { charge: { input, output: 2 }, standing: { type: 'answered' } },
    ])
    await server.close()
  })

  it('[budget-5] what cannot be paid for is not asked', async () => {
    const { actor, purse, server } = await paid(() => streamed(['hi']))
    purse.refusal = new ActorError('spent')
    expect((await hear(actor)).error?.failure).toBe('spent')
    await expect(actor.think(taskOf(), never())).rejects.toThrow('spent')
    expect(server.requests.all).toEqual([])
    expect(purse.log).toHaveLength(2)
    await server.close()
  })

  it('[budget-7] a listener who leaves has all of it charged, once', async () => {
    const { actor, purse, server } = await paid(() => [head(), send(event({ content: 'half' })), hang])
    for await (const _ of actor.speak(briefingOf('You.', 'Hey.'), never())) break
    expect(purse.log.slice(1)).toEqual([{ charge: { input: 72, output: 321 }, standing: { type: 'unknown' } }])
    await server.close()
  })

  it.each([
    [401, 'turned-away'],
    [402, 'turned-away'],
    [403, 'turned-away'],
    [429, 'turned-away'],
    [400, 'unknown'],
    [500, 'unknown'],
  ] as const)('[budget-15] [budget-7] %i is charged nothing and says of our standing: %s', async (status, type) => {
    const { actor, purse, server } = await paid(() => answer(status, { 'retry-after': '7' }, '{}'))
    expect((await hear(actor)).error?.status).toBe(status)
    const standing = type === 'turned-away' ? { type, retryAfterMs: 7_000 } : { type }
    expect(purse.log.slice(1)).toEqual([{ charge: { input: 0, output: 0 }, standing }])
    await server.close()
  })
})

class Purser implements Purse {
  readonly log: (
    | { readonly reserved: Tokens; readonly asked: number }
    | { readonly charge: Tokens; readonly standing: Standing }
  )[] = []
  refusal: ActorError | null = null
  asked = () => 0

  reserve(most: Tokens) {
    this.log.push({ reserved: most, asked: this.asked() })
    if (this.refusal) return Promise.reject(this.refusal)
    return Promise.resolve({
      settle: (charge: Tokens, standing: Standing) => void this.log.push({ charge, standing }),
    })
  }
}

/**
 * Returns a metered actor, the scripted model server that it calls, and a purse that records what the actor reserves
 * before a call and charges after it.
 */
async function paid(handler: ModelHandler) {
  const server = await startModelServer(handler)
  const purse = new Purser()
  purse.asked = () => server.requests.all.length
  return { server, purse, actor: createMeteredActor(trialActor(server.url), purse, 321) }
}

function taskOf(system = 'Think.', user = 'Choose.', schema = answerSchema('reflection', { reflection: TEXT })): Task {
  return { ...briefingOf(system, user), answer: schema } as unknown as Task
}
