import { describe, expect, it } from 'vitest'
import type { Actor, Usage } from '../../worker/actor/actor.ts'
import { event, sse } from '../support/completion-stream.ts'
import { briefingOf } from '../support/hear-actor.ts'
import { answer, close, hang, head, reset, send, type Step } from '../support/model-steps.ts'
import { startTrial } from '../support/model-trial.ts'

const count = (usage: unknown) => `data: ${JSON.stringify({ choices: [], usage })}\n\n`
const DONE = 'data: [DONE]\n\n'
const COUNTED = { prompt_tokens: 812, completion_tokens: 40, total_tokens: 852 }

describe('what a call is told to have come to', () => {
  it('[budget-18] the server is asked to count, and is not where the deployment says so', async () => {
    for (const [usage, asked] of [
      [undefined, { include_usage: true }],
      ['asked', { include_usage: true }],
      ['none', undefined],
    ] as const) {
      const trial = await startTrial(() => [head(), send(sse(['hi'])), close], usage ? { usage } : {})
      await tellOf(trial.actor)
      expect((await trial.server.requests.next()).body).toHaveProperty('stream', true)
      expect(Reflect.get(Object(trial.server.requests.all[0]?.body), 'stream_options')).toEqual(asked)
      await trial.server.close()
    }
  })

  const told: readonly [string, readonly Step[], Usage][] = [
    [
      'a count after the end',
      [head(), send(event({ content: 'hé' }) + event({}, 'stop') + count(COUNTED) + DONE), close],
      { end: 'whole', counted: { input: 812, output: 40 }, heardBytes: 3 },
    ],
    [
      'a count with the end',
      [
        head(),
        send(
          `data: ${JSON.stringify({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }], usage: COUNTED })}\n\n${DONE}`,
        ),
        close,
      ],
      { end: 'whole', counted: { input: 812, output: 40 }, heardBytes: 2 },
    ],
    [
      'no count, and something thought aloud',
      [head(), send(event({ reasoning_content: 'hmm…' }) + event({ content: 'hi' }, 'stop') + DONE), close],
      { end: 'whole', counted: null, heardBytes: 8 },
    ],
    [
      'only [DONE]',
      [head(), send(event({ content: 'hi' }) + DONE), close],
      { end: 'whole', counted: null, heardBytes: 2 },
    ],
    ...[{ prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: -1 }, { prompt_tokens: 1e300 }, null, 'none'].map(
      (usage): [string, readonly Step[], Usage] => [
        `a count that is none: ${JSON.stringify(usage)}`,
        [head(), send(event({ content: 'hi' }, 'stop') + count(usage) + DONE), close],
        { end: 'whole', counted: null, heardBytes: 2 },
      ],
    ),
    [
      'a count on the way, and then the line breaks',
      [head(), send(event({ content: 'hi' }) + count(COUNTED) + event({ content: 'there' })), reset],
      { end: 'broken', counted: null, heardBytes: 7 },
    ],
    [
      'withheld: there may be more that nobody heard',
      [head(), send(event({ content: 'hi' }) + event({ content: 'no' }, 'content_filter')), hang],
      { end: 'broken', counted: null, heardBytes: 4 },
    ],
    [
      'cut at our limit, though the server was through by then',
      [head(), send(sse(['x'.repeat(1_500), 'y'.repeat(1_500)])), close],
      { end: 'broken', counted: null, heardBytes: 3_000 },
    ],
    [
      'an error in the form of a piece, and [DONE]',
      [head(), send(event({ content: 'hi' }) + 'data: {"object":"error","message":"no"}\n\n' + DONE), close],
      { end: 'broken', counted: null, heardBytes: 2 },
    ],
    ['nothing but headers', [head(), close], { end: 'broken', counted: null, heardBytes: 0 }],
    [
      'a page instead',
      answer(200, { 'content-type': 'text/html' }, '<p>'),
      { end: 'broken', counted: null, heardBytes: 0 },
    ],
    ['no answer at all', [reset], { end: 'broken', counted: null, heardBytes: 0 }],
    ...[401, 402, 429, 500, 503].map((status): [string, readonly Step[], Usage] => [
      `a status that no work was done for: ${status}`,
      answer(status, {}, '{}'),
      { end: 'free', counted: null, heardBytes: 0 },
    ]),
  ]
  it.each(told)('[budget-7] %s', async (_, steps, usage) => {
    const { server, actor } = await startTrial(() => [...steps])
    expect(await tellOf(actor)).toEqual([usage])
    await server.close()
  })

  it('[budget-7] a listener who leaves breaks it off, and one who never came had nothing asked', async () => {
    const { server, actor } = await startTrial(() => [head(), send(event({ content: 'half' })), hang])
    const seen: Usage[] = []
    for await (const _ of actor.speak(briefingOf(), new AbortController().signal, (usage) => seen.push(usage))) break
    expect(seen).toEqual([{ end: 'broken', counted: null, heardBytes: 4 }])
    expect(await tellOf(actor, AbortSignal.abort())).toEqual([{ end: 'free', counted: null, heardBytes: 0 }])
    expect(server.requests.all).toHaveLength(1)
    await server.close()
  })
})

/** Reads a reply to its end, even if the reply fails, and returns all token counts that the actor reports. */
async function tellOf(actor: Actor, signal = new AbortController().signal): Promise<readonly Usage[]> {
  const seen: Usage[] = []
  try {
    for await (const _ of actor.speak(briefingOf(), signal, (usage) => seen.push(usage)));
  } catch {
    // Other tests check the error of a failed reply.
  }
  return seen
}
