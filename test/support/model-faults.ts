import { gzipSync } from 'node:zlib'
import { setTimeout as pause } from 'node:timers/promises'
import type { ActorFailure } from '../../worker/actor/actor.ts'
import { event } from './completion-stream.ts'
import { smallPieces } from './maya-model.ts'
import { answer, close, encode, framed, hang, head, joinBytes, keep, reset, send, wait } from './model-steps.ts'
import type { Step } from './model-steps.ts'

/** The positions in a response at which a fault can occur. */
export const POSITIONS = [
  'before the headers',
  'before the first word',
  'in the speech',
  'in the separator',
  'in the report',
] as const
export type Position = (typeof POSITIONS)[number]

/** A text that a faulty provider puts into everything it sends. It must reach no learner and no log. */
const CANARY = 'canary-provider-text'

/** A place in a response at which a fault occurs. */
export interface Place {
  readonly position: Position
  /** The response's text before the fault. `after` is the text that would follow the fault. */
  readonly before: string
  readonly after: string
  /**
   * The time between two pieces that are sent slowly, in milliseconds. It is too short for the idle limit to end the
   * reply.
   */
  readonly dripMs: number
}

/**
 * What a fault leads to. `whole`: the reply is complete. `part`: the reply ends as if nothing had failed, with the text
 * that was sent so far. `silent`: the model said nothing, which counts as a reply. Every other value is the name of a
 * failure.
 */
export type Comes = 'whole' | 'part' | 'silent' | ActorFailure

export interface Fault {
  readonly name: string
  readonly steps: (place: Place) => Iterable<Step>
  readonly comes: (place: Place) => Comes
}

/**
 * Returns what the server sends of a response before the fault. Before the headers this is nothing. Otherwise it is the
 * role and the text before the fault.
 */
function lead({ position, before }: Place): string {
  return position === 'before the headers' ? '' : ROLE + smallPieces(before).map(said).join('')
}

/** Returns the chunks that come after the fault, up to the last chunk with text. */
function rest({ position, after }: Place): string {
  return (position === 'before the headers' ? ROLE : '') + smallPieces(after).map(said).join('')
}

const said = (content: string): string => event({ content })
const ROLE = event({ role: 'assistant', content: '', refusal: null })
const STOP = event({}, 'stop')
const DONE = 'data: [DONE]\n\n'
const END = STOP + DONE
const good = (place: Place): string => lead(place) + rest(place) + END

const isAtHeaders = ({ position }: Place): boolean => position === 'before the headers'
const hasWords = ({ before }: Place): boolean => /\S/.test(before)

/** Returns a fault that puts `odd` into the middle of a response. The server then sends the rest of the response. */
function amid(name: string, odd: string | Uint8Array, comes: Fault['comes']): Fault {
  return {
    name,
    steps: (place) => [head(), send(lead(place)), send(odd), send(rest(place) + END), close],
    comes,
  }
}

/**
 * Returns a fault that puts `odd` into the middle of a response. The server then does not send the rest, but does the
 * steps of `then`.
 */
function ending(name: string, odd: string | Uint8Array, comes: Fault['comes'], then: readonly Step[] = [close]): Fault {
  return { name, steps: (place) => [head(), send(lead(place)), send(odd), ...then], comes }
}

/**
 * Returns a fault that sends the whole response in another form. The fault's place has no influence on what is sent.
 */
function form(name: string, of: (body: string, place: Place) => Iterable<Step>, comes: Fault['comes']): Fault {
  return { name, steps: (place) => of(good(place), place), comes }
}

/**
 * Returns a fault of the connection: the server sends what comes before the fault's place, and then does the steps of
 * `then`. If the place is before the headers, the server sends no headers.
 */
function line(name: string, then: readonly Step[], comes: Fault['comes'], odd: string | Uint8Array = ''): Fault {
  return {
    name,
    steps: (place) => (isAtHeaders(place) ? then : [head(), send(lead(place)), send(odd), ...then]),
    comes,
  }
}

/**
 * Returns a fault in which the server refuses the request with a status. If the response has already begun, the refusal
 * can only be an error inside the stream.
 */
function status(code: number, failure: ActorFailure, headers: Readonly<Record<string, string>> = {}): Fault {
  const error = JSON.stringify({ error: { message: `${CANARY}, key sk-canary`, type: CANARY, code } })
  return {
    name: `${code} ${Object.keys(headers).length > 0 ? JSON.stringify(headers) : ''}`.trim(),
    steps: (place) =>
      isAtHeaders(place)
        ? answer(code, { 'content-type': 'application/json', ...headers }, error)
        : [head(), send(lead(place)), send(`data: ${error}\n\n`), close],
    comes: (place) => (isAtHeaders(place) ? failure : 'provider-error'),
  }
}

const always =
  (comes: Comes): Fault['comes'] =>
  () =>
    comes
/** Returns the outcome `before` if no text was sent before the fault, and otherwise the outcome `after`. */
const early =
  (before: Comes, after: Comes): Fault['comes'] =>
  (place) =>
    hasWords(place) ? after : before
const whole = always('whole')
const broken = early('not-a-model', 'cut-off')
/** What happens if the stream ends as it should, but before the reply is complete. */
const endsWell = early('silent', 'part')
/** What happens if the connection breaks before the response or within it. */
const severed: Fault['comes'] = (place) => (isAtHeaders(place) ? 'unreachable' : 'cut-off')
/** What happens if the server closes the connection in the regular way although the stream is not finished. */
const unfinished: Fault['comes'] = (place) =>
  isAtHeaders(place) ? 'unreachable' : hasWords(place) ? 'cut-off' : 'silent'

const isReply = ({ before, after }: Place): boolean => (before + after).includes('---END---')

function chunked(parts: readonly (string | Uint8Array)[]): Uint8Array {
  return joinBytes(parts.map((part) => framed(typeof part === 'string' ? encode(part) : part)))
}
const CHUNKED = { 'transfer-encoding': 'chunked' }

const transport: readonly Fault[] = [
  line('RST', [reset], severed),
  line('FIN', [close], unfinished),
  line('RST inside an event', [reset], severed, said(CANARY).slice(0, 40)),
  line(
    'FIN inside an event',
    [close],
    (place) => (isAtHeaders(place) ? 'unreachable' : broken(place)),
    said(CANARY).slice(0, 40),
  ),
  line('silence', [hang], always('idle')),
  line('silence inside an event', [hang], always('idle'), said(CANARY).slice(0, 40)),
  {
    name: 'silence after the end of the headers and a comment',
    steps: (place) => [head(), send(lead(place)), send(`: ${CANARY}\n\n`), hang],
    comes: always('idle'),
  },
  {
    name: 'one byte at a time, of the headers or of a comment',
    *steps(place) {
      if (isAtHeaders(place)) yield send('HTTP/1.1 200 OK\r\nx-slow: ')
      else yield* [head(), send(lead(place)), send(': ')]
      for (;;) {
        yield wait(pause(place.dripMs))
        yield send('.')
      }
    },
    comes: (place) => (isAtHeaders(place) ? 'idle' : 'timeout'),
  },
  {
    name: 'a comment now and then, for ever',
    *steps(place) {
      yield head()
      yield send(lead(place))
      for (;;) {
        yield wait(pause(place.dripMs))
        yield send(': keep-alive\n\n')
      }
    },
    comes: always('timeout'),
  },
  {
    name: 'a space now and then, for ever',
    *steps(place) {
      yield head()
      yield send(lead(place))
      for (;;) {
        yield wait(pause(place.dripMs))
        yield send(said(' '))
      }
    },
    comes: always('timeout'),
  },
  {
    name: 'a frame that is not finished, then FIN',
    steps: (place) => [head(200, CHUNKED), send(chunkedLead(place)), send('ff\r\ndata: '), close],
    comes: always('cut-off'),
  },
  {
    name: 'a frame with a size that is no number',
    steps: (place) => [head(200, CHUNKED), send(chunkedLead(place)), send(`zz\r\n${CANARY}\r\n`), close],
    comes: always('cut-off'),
  },
  {
    name: 'a frame longer than its size',
    steps: (place) => [head(200, CHUNKED), send(chunkedLead(place)), send(`3\r\n${CANARY}\r\n0\r\n\r\n`), close],
    comes: always('cut-off'),
  },
  {
    name: 'frames that never say that they end',
    steps: (place) => [head(200, CHUNKED), send(chunkedLead(place)), close],
    comes: always('cut-off'),
  },
  {
    name: 'fewer bytes than content-length says',
    steps: (place) => [head(200, { 'content-length': '99999' }), send(lead(place)), close],
    comes: always('cut-off'),
  },
  {
    name: 'more bytes than content-length says',
    steps: (place) => {
      const body = encode(lead(place))
      return [head(200, { 'content-length': String(body.length) }), send(body), send(rest(place) + END), close]
    },
    comes: early('silent', 'cut-off'),
  },
  {
    name: 'a second answer inside the first',
    steps: (place) => [
      head(),
      send(lead(place)),
      send(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\n\r\n<h1>${CANARY}</h1>\r\n`),
      close,
    ],
    comes: (place) => (isAtHeaders(place) ? 'not-a-model' : hasWords(place) ? 'cut-off' : 'silent'),
  },
]

/** Returns the HTTP chunks before the fault. None of them may be empty, because an empty chunk ends the body. */
function chunkedLead(place: Place): Uint8Array {
  const text = lead(place)
  return text === '' ? new Uint8Array() : chunked([text])
}

const refusals: readonly Fault[] = [
  status(400, 'provider-error'),
  status(401, 'unauthorized'),
  status(402, 'provider-error'),
  status(403, 'unauthorized'),
  status(404, 'provider-error'),
  status(408, 'provider-error'),
  status(409, 'provider-error'),
  status(413, 'provider-error'),
  status(422, 'provider-error'),
  status(429, 'rate-limited'),
  status(429, 'rate-limited', { 'retry-after': '7' }),
  status(429, 'rate-limited', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }),
  status(500, 'provider-error'),
  status(502, 'provider-error'),
  status(503, 'provider-error', { 'retry-after': '120' }),
  status(504, 'provider-error'),
  status(529, 'provider-error'),
  status(302, 'provider-error', { location: 'http://127.0.0.1:9/elsewhere' }),
  status(307, 'provider-error', { location: '/v1/chat/completions' }),
  status(599, 'provider-error'),
]

/** Faults in the headers. After the headers, the server sends the part of the response before the fault's place. */
const headers: readonly Fault[] = [
  {
    name: 'HTML',
    steps: (place) => [
      head(200, { 'content-type': 'text/html' }),
      send(`<!doctype html>${CANARY}${lead(place)}`),
      close,
    ],
    comes: always('not-a-model'),
  },
  form(
    'a good stream under a wrong type',
    (body) => [head(200, { 'content-type': 'application/octet-stream' }), send(body), close],
    always('not-a-model'),
  ),
  {
    name: 'JSON, as if nothing had been said of a stream',
    steps: ({ before, after }) =>
      answer(
        200,
        { 'content-type': 'application/json' },
        JSON.stringify({ choices: [{ message: { content: before + after } }] }),
      ),
    comes: always('not-a-model'),
  },
  {
    name: 'an empty answer',
    steps: (place) => [head(200, { 'content-type': null, 'content-length': '0' }), send(lead(place)), close],
    comes: always('silent'),
  },
  { name: '204', steps: (place) => [head(204), send(lead(place)), close], comes: always('silent') },
  {
    name: 'no type at all',
    steps: (place) => [head(200, { 'content-type': null }), send(good(place)), close],
    comes: whole,
  },
  {
    name: 'garbage that is said to be gzip',
    steps: (place) => [head(200, { 'content-encoding': 'gzip' }), send(lead(place) + CANARY), close],
    comes: always('cut-off'),
  },
  {
    name: 'gzip that is cut off',
    steps: (place) => [head(200, { 'content-encoding': 'gzip' }), send(gzipSync(good(place)).subarray(0, -30)), close],
    comes: always('cut-off'),
  },
  form('gzip', (body) => [head(200, { 'content-encoding': 'gzip' }), send(gzipSync(body)), close], whole),
  form(
    'the type twice',
    (body) => [
      send(
        'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\ncontent-type: text/event-stream\r\n\r\n',
      ),
      send(body),
      close,
    ],
    whole,
  ),
  form(
    'HTTP/1.0',
    (body) => [send('HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'), send(body), close],
    whole,
  ),
  // workerd takes the first status line as the response's status line.
  form(
    '100 Continue first',
    (body) => [send('HTTP/1.1 100 Continue\r\n\r\n'), head(), send(body), close],
    always('provider-error'),
  ),
  form(
    '103 Early Hints first',
    (body) => [send('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), head(), send(body), close],
    always('provider-error'),
  ),
  form(
    'a status line without a status',
    (body) => [send('HTTP/1.1 fine\r\n\r\n'), send(body), close],
    always('unreachable'),
  ),
  form(
    'an answer that is not HTTP',
    (body) => [send(`220 ${CANARY} ESMTP\r\n`), send(body), close],
    always('unreachable'),
  ),
  form(
    'a header without a colon',
    (body) => [send(`HTTP/1.1 200 OK\r\n${CANARY}\r\n\r\n`), send(body), close],
    always('unreachable'),
  ),
  form(
    'headers of a megabyte',
    (body) => [send(`HTTP/1.1 200 OK\r\nx-${'a'.repeat(1_000_000)}: b\r\n\r\n`), send(body), close],
    always('unreachable'),
  ),
  {
    name: 'a connection that is kept after an error, with bytes nobody asked for',
    steps: (place) => [
      ...answer(500, { connection: 'keep-alive' }, CANARY),
      send(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${lead(place)}${said(CANARY)}${END}`),
      keep,
    ],
    comes: always('provider-error'),
  },
  {
    name: 'a connection that is kept after an error',
    steps: () => [...answer(500, { connection: 'keep-alive' }, CANARY), keep],
    comes: always('provider-error'),
  },
  {
    name: 'a kept connection that ends in frames',
    steps: (place) => [
      head(200, { ...CHUNKED, connection: 'keep-alive' }),
      send(chunked([lead(place) || ': nothing yet\n\n', rest(place) + END, ''])),
      keep,
    ],
    comes: whole,
  },
]

const stream: readonly Fault[] = [
  form('CRLF', (body) => [head(), send(body.replaceAll('\n', '\r\n')), close], whole),
  form('CR', (body) => [head(), send(body.replaceAll('\n', '\r')), close], whole),
  form('a byte order mark', (body) => [head(), send(`\uFEFF${body}`), close], whole),
  form('no space after the colon', (body) => [head(), send(body.replaceAll('data: ', 'data:')), close], whole),
  form(
    'every byte alone',
    function* (body) {
      yield head()
      for (const byte of encode(body)) yield send(Uint8Array.of(byte))
      yield close
    },
    whole,
  ),
  {
    name: 'one piece for each character',
    steps: (place) => [head(), send(ROLE + Array.from(place.before + place.after, said).join('') + END), close],
    comes: whole,
  },
  {
    name: 'one piece for everything',
    steps: ({ before, after }) => [head(), send(ROLE + said(before + after) + END), close],
    comes: whole,
  },
  {
    name: 'one event over two lines of data',
    steps: (place) => [head(), send(good(place).replaceAll('"choices":', '\ndata: "choices":')), close],
    comes: whole,
  },
  amid('comments', `: ${CANARY}\n: \n\n:\n`, whole),
  amid('blank lines', '\n\n\n', whole),
  amid('fields that nobody knows', `x-field: ${CANARY}\nid: 7\nretry: 1\n\n`, whole),
  amid('a named event', `event: message\ndata: {"choices":[]}\n\n`, whole),
  // The HTML standard tells a client to ignore an event without data.
  amid('an event without data', 'event: ping\n\n', whole),
  ending('[DONE]', DONE, endsWell),
  amid('[DONE] twice', `${DONE}${DONE}`, endsWell),
  amid('text after [DONE]', `${DONE}${said(CANARY)}`, endsWell),
  {
    name: 'no [DONE] after the end',
    steps: (place) => [head(), send(lead(place) + rest(place) + STOP), close],
    comes: whole,
  },
  {
    name: 'no finish_reason before [DONE]',
    steps: (place) => [head(), send(lead(place) + rest(place) + DONE), close],
    comes: whole,
  },
  {
    name: 'an end that is not followed by an end of the connection',
    steps: (place) => [head(), send(good(place)), hang],
    comes: whole,
  },
  ending('finish_reason length', event({}, 'length') + DONE, endsWell),
  ending('finish_reason content_filter', event({ content: CANARY }, 'content_filter') + DONE, endsWell),
  ending('finish_reason that nobody knows', event({}, 'eos_token') + DONE, endsWell),
  ending('a refusal', event({ refusal: CANARY }) + STOP + DONE, endsWell),
  ending(
    'tool calls',
    event({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: CANARY, arguments: '{}' } }] }) +
      event({}, 'tool_calls') +
      DONE,
    endsWell,
  ),
  amid(
    'a tool call among the text',
    event({ tool_calls: [{ index: 0, function: { name: CANARY, arguments: '{"a":' } }] }),
    whole,
  ),
  amid('an old function call among the text', event({ function_call: { name: CANARY, arguments: '{}' } }), whole),
  amid('a train of thought', event({ reasoning_content: CANARY, content: null }), whole),
  amid('the role again', ROLE, whole),
  amid('null for the content', event({ content: null }), whole),
  amid('a number for the content', event({ content: 42 }), whole),
  amid('a list for the content', event({ content: [{ type: 'text', text: CANARY }] }), whole),
  amid('an object for the content', event({ content: { text: CANARY, toString: CANARY } }), whole),
  amid('no delta', 'data: {"choices":[{"index":0}]}\n\n', whole),
  amid('null for the delta', event(null), whole),
  amid('choices: []', `data: {"choices":[],"id":"${CANARY}"}\n\n`, whole),
  amid('choices: {}', `data: {"choices":{"0":{"delta":{"content":"${CANARY}"}}}}\n\n`, whole),
  amid('no choices', `data: {"detail":"${CANARY}"}\n\n`, whole),
  amid(
    'a usage piece',
    'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n',
    whole,
  ),
  amid(
    'usage that is no usage',
    'data: {"choices":[],"usage":{"prompt_tokens":"many","completion_tokens":-1,"total_tokens":1e999}}\n\n',
    whole,
  ),
  amid('a second choice', choiceOf(1, CANARY), whole),
  amid('a second choice that ends', choiceOf(1, CANARY, 'stop'), whole),
  amid('a second choice in the same piece', secondChoice(), whole),
  amid('a choice that is null', 'data: {"choices":[null]}\n\n', broken),
  amid('a number for a piece', 'data: 42\n\n', whole),
  amid('null for a piece', 'data: null\n\n', whole),
  amid('a line that is no JSON', `data: {"choices":[${CANARY}\n\n`, broken),
  amid('two pieces with no blank line between', `data: {"choices":[]}\ndata: {"choices":[]}\n\n`, broken),
  ending('an error', `data: {"error":{"message":"${CANARY}","code":500}}\n\n`, always('provider-error')),
  amid(
    'an error and then more text',
    `data: {"error":{"message":"${CANARY}","code":500}}\n\n`,
    always('provider-error'),
  ),
  ending('an error in words', `data: {"error":"${CANARY}"}\n\n`, always('provider-error')),
  ending('an error event', `event: error\ndata: {"message":"${CANARY}"}\n\n`, always('provider-error')),
  ending(
    'an error object and a good end',
    `data: {"object":"error","message":"${CANARY}","code":500}\n\n${DONE}`,
    always('provider-error'),
  ),
  amid(
    'bytes that are no UTF-8',
    joinBytes([encode(': '), Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0x80), encode('\n\n')]),
    whole,
  ),
  amid('NUL bytes', encode(': \0\0\0\n\n'), whole),
  // A NUL in the speech does no harm: the splitter removes it. A NUL in the report does harm, because the report is
  // then no valid JSON.
  amid('NUL escapes in the text', said('\0'), (place) => (isReply(place) ? 'whole' : 'part')),
  {
    name: 'one piece for each half of a character',
    steps: ({ before, after }) => [head(), send(ROLE + (before + after).split('').map(said).join('') + END), close],
    comes: whole,
  },
  amid(
    'JSON of a hundred thousand depths',
    `data: {"x":${'['.repeat(100_000)}${']'.repeat(100_000)},"choices":[]}\n\n`,
    whole,
  ),
  amid(
    '__proto__',
    `data: {"__proto__":{"choices":[{"delta":{"content":"${CANARY}"}}]},"choices":[{"index":0,"delta":{"__proto__":{"content":"${CANARY}"},"constructor":{"content":"${CANARY}"}}}]}\n\n`,
    whole,
  ),
  amid('the same key twice', `data: {"choices":[{"delta":{"content":"${CANARY}"}}],"choices":[]}\n\n`, whole),
  {
    name: 'an event of 10 MB on one line',
    steps: (place) => [
      head(),
      send(lead(place)),
      send(joinBytes([encode('data: {"choices":[{"delta":{"content":"'), encode('y'.repeat(10_000_000))])),
      send(`"}}]}\n\n${END}`),
      close,
    ],
    comes: broken,
  },
  {
    name: 'a line that never ends',
    *steps(place) {
      yield* [head(), send(lead(place)), send('data: ')]
      for (;;) yield send(MUCH)
    },
    comes: broken,
  },
  {
    name: 'comments for ever, as fast as they go',
    *steps(place) {
      yield* [head(), send(lead(place))]
      for (;;) yield send(COMMENTS)
    },
    comes: broken,
  },
  {
    name: 'text for ever',
    *steps(place) {
      yield* [head(), send(lead(place))]
      for (;;) yield send(said(' and so on'))
    },
    comes: always('part'),
  },
  {
    name: 'line ends for ever',
    *steps(place) {
      yield* [head(), send(lead(place))]
      for (;;) yield send(said('\n'))
    },
    comes: endsWell,
  },
  {
    name: 'one piece of 100 kB',
    steps: (place) => [head(), send(lead(place) + said(' and so on'.repeat(10_000)) + END), close],
    comes: always('part'),
  },
]

const MUCH = encode('x'.repeat(65_536))
const COMMENTS = encode(': alive\n\n'.repeat(8_000))

function choiceOf(index: number, content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: finish }] })}\n\n`
}

function secondChoice(): string {
  const choices = [1, 0].map((index) => ({ index, delta: { content: index === 0 ? '' : CANARY }, finish_reason: null }))
  return `data: ${JSON.stringify({ choices })}\n\n`
}

/** Every way in which a model's server can fail, with some responses that only look like failures. */
export const FAULTS: readonly Fault[] = [...transport, ...refusals, ...headers, ...stream]

/** Returns the place in the middle of a response that consists of a single text. */
export function middleOf(text: string, dripMs: number): Place {
  const at = Math.floor(text.length / 2)
  return { position: 'in the speech', before: text.slice(0, at), after: text.slice(at), dripMs }
}

/** Returns the place at a position of a response with a speech, the separator and a report. */
export function placeIn(answer: { speech: string; report: string }, position: Position, dripMs: number): Place {
  const text = `${answer.speech}\n---END---\n${answer.report}`
  const at = {
    'before the headers': 0,
    'before the first word': 0,
    'in the speech': Math.floor(answer.speech.length / 2),
    'in the separator': answer.speech.length + 5,
    'in the report': text.length - Math.floor(answer.report.length / 2),
  }[position]
  return { position, before: text.slice(0, at), after: text.slice(at), dripMs }
}
