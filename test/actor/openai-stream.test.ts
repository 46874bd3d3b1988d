import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../worker/actor/actor.ts'
import { ReplyMeter } from '../../worker/actor/reply-meter.ts'
import { event, sse, streamOf, streamed } from '../support/completion-stream.ts'
import { briefingOf, hear } from '../support/hear-actor.ts'
import type { Hearing } from '../support/hear-actor.ts'
import mayaPath from '../fixtures/maya-ten-turns.json' with { type: 'json' }
import { mayaReplies, mayaReply, smallPieces } from '../support/maya-model.ts'
import type { ModelServer } from '../support/model-server.ts'
import {
  close,
  encode,
  framed,
  hang,
  head,
  hostileChunks,
  hostileCuts,
  joinBytes,
  send,
} from '../support/model-steps.ts'
import type { Step } from '../support/model-steps.ts'
import { startTrial, waits } from '../support/model-trial.ts'
import { runs } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const DONE = 'data: [DONE]\n\n'
const stop = event({}, 'stop') + DONE
const hi = event({ content: 'Grüß dich' })
const reply = mayaReply('DEEPEN', 1)

interface Row {
  readonly rule: string
  readonly name: string
  readonly steps: readonly Step[]
  readonly text?: string
}

const bytes = sse(smallPieces(reply))
const rows: readonly Row[] = [
  { rule: 'model-24', name: 'one write', steps: streamed([reply]), text: reply },
  ...(IS_LONG
    ? [
        {
          rule: 'model-24',
          name: 'one byte a write',
          steps: [head(), ...hostileChunks(bytes, [...bytes.keys()])],
          text: reply,
        },
      ]
    : []),
  {
    rule: 'model-24',
    name: 'cut where it hurts',
    steps: [head(), ...hostileChunks(bytes, hostileCuts(bytes))],
    text: reply,
  },
  { rule: 'model-24', name: 'CRLF', steps: streamed(['Grüß', ' dich'], { lineEnd: '\r\n' }) },
  { rule: 'model-24', name: 'CR', steps: streamed(['Grüß', ' dich'], { lineEnd: '\r' }) },
  {
    rule: 'model-24',
    name: 'CRLF, cut between the two',
    steps: [head(), ...hostileChunks(...cutAtLineEnds(sse(['Grüß', ' dich'], { lineEnd: '\r\n' })))],
  },
  {
    rule: 'model-24',
    name: 'LF and CRLF mixed',
    steps: streamOf(hi.replace('\n\n', '\n\r\n') + stop.replaceAll('\n\n', '\r\n\n')),
  },
  { rule: 'model-24', name: 'comments between events', steps: streamOf(`: hello\n\n${hi}: still here\n${stop}`) },
  { rule: 'model-24', name: 'a comment inside an event', steps: streamOf(`: one\n${hi.trimEnd()}\n: two\n\n${stop}`) },
  { rule: 'model-24', name: 'a byte order mark', steps: streamOf(`\uFEFF${hi}${stop}`) },
  {
    rule: 'model-24',
    name: 'a byte order mark, cut inside',
    steps: [head(), ...hostileChunks(encode(`\uFEFF${hi}${stop}`), [1, 2, 3])],
  },
  {
    rule: 'model-24',
    name: 'other fields of an event',
    steps: streamOf(`id: 7\nretry: 10\n${hi}event: message\n${stop}`),
  },
  { rule: 'model-24', name: 'no space after the colon', steps: streamOf((hi + stop).replaceAll('data: ', 'data:')) },
  {
    rule: 'model-24',
    name: 'JSON over two lines of data',
    steps: streamOf(`${hi.replace(',"choices"', ',\ndata: "choices"')}${stop}`),
  },
  {
    rule: 'model-24',
    name: 'text as \\u escapes',
    steps: streamOf(hi.replace('ü', '\\u00fc').replace('ß', '\\u00df') + stop),
  },
  { rule: 'model-24', name: '[DONE] twice', steps: streamOf(hi + stop + DONE) },
  { rule: 'model-24', name: 'text and nonsense after [DONE]', steps: streamOf(`${hi}${stop}${hi}data: {nonsense\n\n`) },
  { rule: 'model-24', name: '[DONE] and no blank line after it', steps: streamOf((hi + stop).trimEnd()) },
  { rule: 'model-24', name: 'no type at all', steps: [head(200, { 'content-type': null }), send(hi + stop), close] },
  {
    rule: 'model-24',
    name: 'a type with a charset',
    steps: [head(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' }), send(hi + stop), close],
  },
  {
    rule: 'model-24',
    name: 'frames of one byte',
    steps: [
      head(200, { 'transfer-encoding': 'chunked' }),
      send(joinBytes([...encode(hi + stop)].map((byte) => framed(Uint8Array.of(byte))))),
      send(framed()),
    ],
  },

  { rule: 'model-25', name: 'the role by itself', steps: streamOf(event({ role: 'assistant' }) + hi + stop) },
  {
    rule: 'model-25',
    name: 'a second choice, in pieces of its own and before the first in one',
    steps: streamOf(
      'data: {"choices":[{"index":1,"delta":{"content":"never"},"finish_reason":"stop"}]}\n\n' +
        'data: {"choices":[{"index":1,"delta":{"content":"never"}},{"index":0,"delta":{"content":"Grüß dich"}}]}\n\n' +
        stop,
    ),
  },
  { rule: 'model-25', name: 'choices: []', steps: streamOf(`data: {"choices":[]}\n\n${hi}${stop}`) },
  { rule: 'model-25', name: 'content: null', steps: streamOf(event({ content: null }) + hi + stop) },
  {
    rule: 'model-25',
    name: 'content that is not text',
    steps: streamOf(event({ content: 42 }) + event({ content: { a: 1 } }) + hi + stop),
  },
  {
    rule: 'model-25',
    name: 'tool calls beside text',
    steps: streamOf(event({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }) + hi + stop),
  },
  {
    rule: 'model-25',
    name: 'reasoning beside text',
    steps: streamOf(event({ reasoning_content: 'hm', reasoning: 'hm' }) + hi + stop),
  },
  {
    rule: 'model-25',
    name: 'a usage piece',
    steps: streamOf(`${hi}${event({}, 'stop')}data: {"choices":[],"usage":{"total_tokens":9}}\n\n${DONE}`),
  },
  {
    rule: 'model-25',
    name: 'JSON of any other shape',
    steps: streamOf(
      [
        'null',
        '7',
        '"x"',
        '[]',
        '{}',
        '{"choices":null}',
        '{"choices":"x"}',
        '{"choices":[]}',
        '{"choices":[7]}',
        '{"choices":[{"delta":null}]}',
      ]
        .map((json) => `data: ${json}\n\n`)
        .join('') +
        hi +
        stop,
    ),
  },
  { rule: 'model-25', name: 'an empty refusal', steps: streamOf(event({ content: 'Grüß dich', refusal: '' }) + stop) },
  {
    rule: 'model-25',
    name: 'an empty finish_reason',
    steps: streamOf(event({ content: 'Grüß' }, '') + event({ content: ' dich' }, '') + stop),
  },

  { rule: 'model-27', name: 'finish_reason without [DONE]', steps: streamOf(hi + event({}, 'stop')) },
  { rule: 'model-27', name: '[DONE] without finish_reason', steps: streamOf(hi + DONE) },
  { rule: 'model-27', name: 'finish_reason length', steps: streamOf(hi + event({}, 'length') + DONE) },
  {
    rule: 'model-27',
    name: 'finish_reason beside the last text',
    steps: streamOf(event({ content: 'Grüß dich' }, 'stop') + DONE),
  },
  {
    rule: 'model-27',
    name: 'finish_reason on every piece',
    steps: streamOf(event({ content: 'Grüß' }, 'stop') + event({ content: ' dich' }, 'stop') + DONE),
  },
  {
    rule: 'model-27',
    name: 'nonsense after finish_reason',
    steps: streamOf(`${hi}${event({}, 'stop')}data: {nonsense\n\n`),
  },
  {
    rule: 'model-27',
    name: 'a break after finish_reason',
    steps: [head(200, { 'content-length': '9999' }), send(hi + event({}, 'stop')), close],
  },
]

describe('a good reply', () => {
  for (const { rule, name, steps, text } of rows) {
    it(`[${rule}] ${name}`, async () => {
      const hearing = await trialOf(steps)
      expect(hearing).toMatchObject({ text: text ?? 'Grüß dich', error: null })
      expect(hearing.pieces).not.toContain('')
    })
  }

  it('[model-33] what arrives together is one piece', async () => {
    const letters = 'letters'.split('')
    const { pieces, text } = await trialOf([head(), send(letters.map((content) => event({ content })).join('') + stop)])
    expect(text).toBe(letters.join(''))
    expect(pieces).toEqual([text])
  })

  it('[model-24] a piece is handed on before the next one is there', async () => {
    const heard = Promise.withResolvers<void>()
    const { server, actor } = await startTrial(function* () {
      yield head()
      yield send(hi)
      yield { kind: 'wait', until: heard.promise }
      yield send(stop)
    })
    for await (const piece of actor.speak(briefingOf(), new AbortController().signal)) {
      expect(piece).toBe('Grüß dich')
      heard.resolve()
    }
    await server.close()
  })

  it('[model-26] a character split over two pieces is handed on whole', async () => {
    const { pieces, text } = await trialOf(streamed(['a\ud83d', '\ude00b', '\ud83d', '\ude00']))
    expect(text).toBe('a😀b😀')
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })

  it('[model-26] half a character at the end is marked', async () => {
    expect((await trialOf(streamed(['a\ud83d']))).text).toBe('a\ufffd')
  })

  it('[model-27] a server that hangs after finish_reason costs one second, and the reply stands', async () => {
    const { server, actor, clock } = await startTrial(() => [head(), send(hi + event({}, 'stop')), hang], {
      idleTimeoutMs: 7_000,
    })
    const hearing = hear(actor)
    await clock.whenRead(waits(3) + 1)
    clock.advance(1_000)
    expect(await hearing).toMatchObject({ text: 'Grüß dich', error: null })
    expect(await (await server.requests.next()).gone).toBe('client')
    await server.close()
  })

  for (const [name, withheld] of [
    ['a refusal', event({ refusal: 'no' })],
    ['content_filter', event({ content: 'no' }, 'content_filter')],
  ] as const) {
    it(`[model-28] ${name} after some text ends the reply there, and the request`, async () => {
      const { server, actor } = await startTrial(() => [head(), send(hi + withheld + event({ content: 'more' })), hang])
      expect(await hear(actor)).toMatchObject({ text: 'Grüß dich', error: null })
      expect(await (await server.requests.next()).gone).toBe('client')
      await server.close()
    })
  }

  it('[model-29] a model that never stops is cut at the limit, and left', async () => {
    const { server, actor, clock } = await startTrial(function* () {
      yield head()
      while (true) yield send(event({ content: 'again and ' }))
    })
    const { text, error } = await hear(actor)
    expect(error).toBeNull()
    expect(text).toBe('again and '.repeat(200))
    expect(await (await server.requests.next()).gone).toBe('client')
    expect(clock.pending).toBe(0)
    await server.close()
  })

  it('[model-29] one giant token is cut at the limit', async () => {
    const { text, error } = await trialOf(streamed(['é'.repeat(300_000)]))
    expect(error).toBeNull()
    expect(text).toBe('é'.repeat(2_000))
  })

  it('[model-29] a reply of exactly the limit is whole, and a cut does not halve a character', async () => {
    expect((await trialOf(streamed(['x'.repeat(2_000)]))).text).toBe('x'.repeat(2_000))
    expect((await trialOf(streamed([`x${'😀'.repeat(1_500)}`]))).text).toBe(`x${'😀'.repeat(999)}`)
  })
})

describe('any chunking', () => {
  let server: ModelServer
  let actor: Actor
  let script: readonly Step[] = []

  beforeAll(async () => {
    ;({ server, actor } = await startTrial(() => script))
  })
  afterAll(() => server.close())

  it('[model-24] of any reply gives the same text', async () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '---END---', 'é', '“', '😀', 'ü', '\\', '"', '{'),
      maxLength: 12,
    })
    const lineEnd = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const)
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })

    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        lineEnd,
        cuts,
        fc.boolean(),
        async (said, ends, at, isFramed) => {
          const whole = sse(said.flatMap(smallPieces), { lineEnd: ends })
          const writes = hostileChunks(
            whole,
            at.map((share) => Math.floor(share * whole.length)),
          )
          script = isFramed
            ? [head(200, { 'transfer-encoding': 'chunked' }), ...writes.map(inFrame), send(framed())]
            : [head(), ...writes]
          const { text, error } = await hear(actor)
          expect(text).toBe(said.join(''))
          expect(error?.failure ?? null).toBe(/\S/.test(said.join('')) ? null : 'empty')
        },
      ),
      { numRuns: runs('dear') },
    )
  })

  it('[model-26] [model-29] of any text through the meter gives its beginning, well formed', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '😀', 'é', '\ud83d', '\ude00'), maxLength: 30 })
    fc.assert(
      fc.property(text, fc.array(fc.nat(30)), fc.integer({ min: 1, max: 40 }), (said, cuts, limit) => {
        const meter = new ReplyMeter(limit)
        const ends = [0, ...cuts.toSorted((a, b) => a - b), said.length]
        const pieces = ends.map((end, at) => meter.take(said.slice(ends[at - 1] ?? 0, end)))
        const all = [...pieces, meter.end()].join('')
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
        expect(said.toWellFormed().startsWith(all)).toBe(true)
        expect(all.length).toBeLessThanOrEqual(limit)
        expect(all.length).toBeGreaterThanOrEqual(Math.min(said.length, limit - 1))
      }),
    )
  })
})

it('[model-24] Maya’s ten turns, cut at every hostile place, arrive whole', async () => {
  const path = mayaPath.turns.map(({ node }) => node)
  const { server, actor } = await startTrial(mayaReplies())

  const heard: Hearing[] = []
  for (const node of path) heard.push(await hear(actor, { briefing: briefingOf('s', `━━━ CURRENT NODE: ${node} ━━━`) }))

  expect(heard.map(({ error }) => error)).toEqual(path.map(() => null))
  const visits = path.map((node, at) => path.slice(0, at).filter((earlier) => earlier === node).length)
  expect(heard.map(({ text }) => text)).toEqual(path.map((node, at) => mayaReply(node, visits[at]!)))
  await server.close()
})

function cutAtLineEnds(all: Uint8Array): [Uint8Array, number[]] {
  return [all, [...all.keys()].filter((at) => all[at] === 10)]
}

function inFrame(step: Step): Step {
  return step.kind === 'send' ? send(framed(step.bytes)) : step
}

async function trialOf(steps: readonly Step[]): Promise<Hearing> {
  const { server, actor, clock } = await startTrial(() => steps)
  const hearing = await hear(actor)
  expect(clock.pending, 'timers left behind').toBe(0)
  await server.close()
  return hearing
}
