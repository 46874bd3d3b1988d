import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_TRANSCRIPT, apply, lastSaid, pendingSays, runningSpeech, standing } from '../../widget/apply.ts'
import { hashOf } from '../../worker/wire/text-hash.ts'
import type { Input, TranscriptState } from '../../widget/apply.ts'
import type { DecodedEvent } from '../../worker/wire/decode.ts'
import type { LogEvent, TurnOutcome } from '../../worker/wire/messages.ts'
import { ServerModel, shown } from './server-model.ts'
import type { Happening } from './server-model.ts'
import { runs } from '../support/runs.ts'

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('say' as const), text: fc.string() }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('speak' as const), text: fc.string({ minLength: 1 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('finish' as const),
      outcome: fc.constantFrom('complete' as const, 'failed' as const),
      text: fc.option(fc.string()),
    }),
  },
  fc.constantFrom<Happening>(
    { type: 'crash' },
    { type: 'restart' },
    { type: 'cut' },
    { type: 'retry' },
    { type: 'objective' },
    { type: 'pivot' },
    { type: 'pick', picks: true },
    { type: 'pick', picks: false },
    { type: 'unheard-of' },
    { type: 'end' },
  ),
)

/** Generates what the network does next with the frames that are under way. `at` selects one of these frames. */
const network = fc.record({ does: fc.constantFrom('deliver', 'double', 'lose', 'reconnect'), at: fc.nat(20) })

const HISTORIES = runs('usual')

describe('the transcript', () => {
  it('[embed-16] shows what the server has after a hello, whatever was lost, doubled or reordered', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.array(network, { maxLength: 4 })), { maxLength: 60 }), (story) => {
        const { server, state } = play(story)
        const met = meet(server, state)
        expect(met.gap).toBe('none')
        expect(shown(met)).toEqual(shown(meet(server, EMPTY_TRANSCRIPT)))
      }),
      { numRuns: HISTORIES },
    )
  })

  it('[embed-41] what a reply offers stays while a typed answer is shown behind it, and not behind a card', () => {
    const choice = { cid: 'c', id: 'a', text: 'Both.', reaction: '', effect: 'She nods.' }
    const speech = { kind: 'speech', key: 's', turn: 1, attempt: 1, text: 'Fine.', outcome: 'complete' } as const
    const behind = (typed: 'card' | null) =>
      lastSaid({ ...EMPTY_TRANSCRIPT, items: [speech, { kind: 'pivot', key: 'p', choice, typed }] })?.kind
    expect([behind('card'), behind(null)]).toEqual(['speech', 'pivot'])
  })

  it('[embed-10] returns each new event once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.array(network, { maxLength: 4 })), { maxLength: 40 }), (story) => {
        const { news } = play(story)
        const seqs = news.map(({ seq }) => seq)
        expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b))
      }),
      { numRuns: HISTORIES },
    )
  })

  it('[embed-16] shows a reply that is complete exactly as the log has it, at every moment', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(happening, fc.array(network, { maxLength: 4 })), { maxLength: 40 }), (story) => {
        const { server, states } = play(story)
        const texts = new Set(server.log.map((event) => (event.type === 'turn' ? `${event.turn}:${event.text}` : '')))
        for (const { items } of states) {
          for (const item of items) {
            if (item.kind === 'speech' && item.outcome) expect(texts).toContain(`${item.turn}:${item.text}`)
          }
        }
      }),
      { numRuns: HISTORIES },
    )
  })

  it('[embed-10] drops an event that it already has', () => {
    const state = after([start(1, 1), turn(2, 1, 'Hello.')])
    const again = apply(state, { type: 'event', event: turn(2, 1, 'Something else.') })
    expect(again.news).toEqual([])
    expect(again.state).toEqual(state)
  })

  it('[embed-11] knows that something is missing when an event comes early, and shows nothing of it', () => {
    const state = after([start(1, 1)])
    const { state: early, news } = apply(state, { type: 'event', event: turn(3, 1, 'Too early.') })
    expect(early.gap).toBe('tail')
    expect(news).toEqual([])
    expect(shown(early)).toEqual(shown(state))
  })

  it('[embed-14] drops a piece of an older attempt', () => {
    const state = after([start(1, 1)], piece(1, 2, 0, 'Again'), piece(1, 1, 0, 'Old words'))
    expect(runningSpeech(state)?.text).toBe('Again')
  })

  it('[embed-14] removes the text of the older attempt when a newer one begins', () => {
    const state = after([start(1, 1)], piece(1, 1, 0, 'First try'), piece(1, 2, 0, 'Sec'))
    expect(runningSpeech(state)).toMatchObject({ attempt: 2, text: 'Sec' })
  })

  it('[embed-14] removes the text of a reply when the server has none of it', () => {
    const server = new ServerModel()
    const lived = [
      server.happen({ type: 'say', text: 'Hi' }),
      server.happen({ type: 'speak', text: 'Half a sent' }),
    ].flat()
    const state = lived.reduce((before, input) => apply(before, input).state, meet(new ServerModel(), EMPTY_TRANSCRIPT))
    server.happen({ type: 'crash' })
    expect(runningSpeech(state)?.text).toBe('Half a sent')
    expect(runningSpeech(meet(server, state))?.text).toBe('')
  })

  it('[embed-14] keeps a piece of a new attempt that came before the news of it', () => {
    const failed = turn(2, 1, 'Ask me again?', 'failed')
    const early = after([start(1, 1), failed], piece(1, 2, 0, 'Aga'), event({ ...start(3, 1), attempt: 2 }))
    expect(runningSpeech(early)).toMatchObject({ attempt: 2, text: 'Aga' })
    expect(runningSpeech(apply(early, piece(1, 2, 3, 'in.')).state)?.text).toBe('Again.')
  })

  it('[embed-10] a snapshot of the same log tells only of what is new in it', () => {
    const server = new ServerModel()
    server.happen({ type: 'say', text: 'Hi' })
    const before = meet(server, EMPTY_TRANSCRIPT)
    server.happen({ type: 'finish', outcome: 'complete', text: 'Hello.' })
    const { news, state } = apply(before, { type: 'hello', hello: server.hello({}) })
    expect(news.map(({ seq }) => seq)).toEqual([2])
    expect(state.items).toHaveLength(2)
  })

  it('[embed-11] appends only the part of a piece that goes beyond what is shown', () => {
    const state = after([start(1, 1)], piece(1, 1, 0, 'Good eve'), piece(1, 1, 5, 'evening.'))
    expect(runningSpeech(state)?.text).toBe('Good evening.')
  })

  it('[embed-11] asks for what is missing when a piece begins beyond what is shown', () => {
    const state = after([start(1, 1)], piece(1, 1, 0, 'Good'), piece(1, 1, 9, 'ing.'))
    expect(runningSpeech(state)?.text).toBe('Good')
    expect(state.gap).toBe('tail')
    expect(standing(state)).toEqual({ cursor: { epoch: 'e1', seq: 1 }, have: { turn: 1, attempt: 1, offset: 4 } })
  })

  it('[embed-14] replaces the streamed text by the text of the log', () => {
    const state = after([start(1, 1)], piece(1, 1, 0, 'Good mornin'), event(turn(2, 1, 'Good evening.')))
    expect(state.items.at(-1)).toMatchObject({ text: 'Good evening.', outcome: 'complete' })
  })

  it('[message-40] takes the end of a reply without its text if it shows just that text, and asks otherwise', () => {
    const end = (said: string): Input => {
      const { text, ...rest } = turn(2, 1, said) as Extract<LogEvent, { type: 'turn' }>
      return { type: 'turn', turn: { ...rest, length: text.length, hash: hashOf(text) } }
    }
    const whole = after([start(1, 1)], piece(1, 1, 0, 'Good evening.'), end('Good evening.'))
    expect(whole).toEqual(after([start(1, 1), turn(2, 1, 'Good evening.')]))
    expect(apply(whole, end('Good evening.'))).toEqual({ state: whole, news: [] })
    for (const shown of ['Good', 'Good evening!', 'Good morning. ']) {
      const state = after([start(1, 1)], piece(1, 1, 0, shown), end('Good evening.'))
      expect([state.gap, state.seq, runningSpeech(state)?.text]).toEqual(['tail', 1, shown])
    }
    expect(after([start(1, 1)], end('Good evening.')).gap).toBe('tail')
  })

  it('[embed-14] shows nothing more of a reply that is complete', () => {
    const state = after([start(1, 1), turn(2, 1, 'Done.')], piece(1, 1, 5, ' And more'))
    expect(state.items.at(-1)).toMatchObject({ text: 'Done.' })
  })

  it('[embed-14] shows nothing more of a reply that was stopped, whatever comes late or twice, and no other attempt of it', () => {
    const stopped = after([start(1, 1), turn(2, 1, 'Half a', 'cut')])
    expect(stopped.items.at(-1)).toMatchObject({ text: 'Half a', outcome: 'cut' })
    expect(runningSpeech(stopped)).toBeUndefined()
    for (const late of [piece(1, 1, 6, ' sentence.'), piece(1, 2, 0, 'Again'), piece(1, 9, 4, 'x')])
      expect(apply(stopped, late).state).toEqual(stopped)
  })

  it('[embed-14] a turn that runs again keeps its place and the words of the learner', () => {
    const failed = turn(2, 1, 'My phone. Ask me again?', 'failed')
    const state = after([start(1, 1), failed, { ...start(3, 1), attempt: 2 }])
    expect(state.items.map(({ kind }) => kind)).toEqual(['learner', 'speech'])
    expect(runningSpeech(state)).toMatchObject({ attempt: 2, text: '' })
  })

  it('[embed-27] an event of an unknown kind takes its place and shows nothing', () => {
    const state = after([start(1, 1), { seq: 2, type: 'unknown' }, turn(3, 1, 'Hello.')])
    expect(state.gap).toBe('none')
    expect(state.seq).toBe(3)
  })

  it('[embed-10] shows a command once, though it came under two numbers', () => {
    const objective = { name: 'AI_AdvanceObjective', objective: 'o', title: 'Find it' } as const
    const twice = [1, 2].map((seq): LogEvent => ({
      seq,
      at: 0,
      type: 'command',
      turn: 1,
      id: '1.0',
      command: objective,
    }))
    expect(after(twice).items).toHaveLength(1)
  })

  it('[embed-16] starts from nothing when the log is another one', () => {
    const state = after([start(1, 1)])
    const other = { ...new ServerModel().hello({}), epoch: 'e2', mode: 'resume' as const }
    const { state: lost } = apply(state, { type: 'hello', hello: other })
    expect(lost.gap).toBe('all')
    expect(standing(lost)).toEqual({})
  })

  it('[embed-16] starts from nothing when the log is shorter than what is shown', () => {
    const shorter = { ...new ServerModel().hello({ cursor: { epoch: 'e1', seq: 0 } }), head: 0 }
    expect(shorter.mode).toBe('resume')
    expect(apply(after([start(1, 1)]), { type: 'hello', hello: shorter }).state.gap).toBe('all')
  })

  it('what was said stands below the log until the log has it', () => {
    const entry = {
      cid: 'c2',
      message: { name: 'say', text: 'And?' },
      state: 'sent',
      refusal: null,
      tries: 0,
      notBefore: 0,
    } as const
    const waiting = after([start(1, 1)], { type: 'outbox', entries: [entry] })
    expect(pendingSays(waiting)).toEqual([entry])
    const logged = after([start(1, 1)], { type: 'outbox', entries: [entry] }, event({ ...start(2, 2), cid: 'c2' }))
    expect(pendingSays(logged)).toEqual([])
  })

  it('[embed-16] shows nothing before the first hello', () => {
    const { state } = apply(EMPTY_TRANSCRIPT, event(start(1, 1)))
    expect(apply(state, piece(1, 1, 0, 'Hi')).state).toEqual(EMPTY_TRANSCRIPT)
  })

  it('[assistant-17] shows a question of an agent before the reply that it is for', () => {
    const asked = {
      type: 'permission',
      turn: 1,
      id: 'ask-1.0',
      operation: 'search',
      agent: 'a',
      input: 'x',
      why: 'y',
      cost: null,
      safety: 'low',
      expiresAt: 9,
    } as const
    const call = { type: 'tool-call', turn: 1, call: '1.0', tool: 'search', input: 'x' } as const
    const { items } = after([
      start(1, 1),
      { ...asked, seq: 2, at: 0 },
      { type: 'permission-end', turn: 1, id: asked.id, answer: 'once', seq: 3, at: 0 },
      { ...call, seq: 4, at: 0 },
      { ...asked, id: 'ask-1.1', seq: 5, at: 0 },
      turn(6, 1, 'Found.'),
    ])
    expect(items.map((item) => (item.kind === 'assist' ? item.event.type : item.kind))).toEqual([
      'learner',
      'permission',
      'permission',
      'speech',
      'permission-end',
      'tool-call',
    ])
  })

  it('[embed-16] takes a snapshot that begins late in a long log', () => {
    const hello = { ...new ServerModel().hello({}), head: 42, events: [start(41, 9), turn(42, 9, 'Late.')] }
    const { state } = apply(EMPTY_TRANSCRIPT, { type: 'hello', hello })
    expect(state).toMatchObject({ seq: 42, gap: 'none' })
    expect(state.items).toHaveLength(2)
  })
})

type Network = { does: string; at: number }

/** Plays a story: events at the server, and after each event what the network does with the server's messages. */
function play(story: [Happening, Network[]][]) {
  const server = new ServerModel()
  const underway: Input[] = []
  const states: TranscriptState[] = []
  const news: LogEvent[] = []
  let state = meet(server, EMPTY_TRANSCRIPT)
  const receive = (input: Input) => {
    const applied = apply(state, input)
    state = applied.state
    states.push(state)
    news.push(...applied.news)
  }
  for (const [what, actions] of story) {
    underway.push(...server.happen(what))
    for (const { does, at } of actions) {
      if (does === 'reconnect') receive({ type: 'hello', hello: server.hello(standing(state)) })
      const frame = underway[at % underway.length]
      if (!frame) continue
      if (does !== 'double') underway.splice(at % underway.length, 1)
      if (does === 'deliver' || does === 'double') receive(frame)
    }
  }
  return { server, state, states, news }
}

/**
 * Connects the client and gives it a hello. Like the widget, requests another hello as long as the client knows that it
 * misses events.
 */
function meet(server: ServerModel, before: TranscriptState): TranscriptState {
  let state = before
  for (let asked = 0; asked < 3; asked += 1) {
    state = apply(state, { type: 'hello', hello: server.hello(standing(state)) }).state
    if (state.gap === 'none') break
  }
  return state
}

function after(events: DecodedEvent[], ...inputs: Input[]): TranscriptState {
  const empty = meet(new ServerModel(), EMPTY_TRANSCRIPT)
  return [...events.map(event), ...inputs].reduce((state, input) => apply(state, input).state, empty)
}

function event(body: DecodedEvent): Input {
  return { type: 'event', event: body }
}

function start(seq: number, number: number): Extract<LogEvent, { type: 'turn-start' }> {
  return { seq, at: 0, type: 'turn-start', turn: number, attempt: 1, cid: `c${number}`, text: 'Hi' }
}

function turn(seq: number, number: number, text: string, outcome: TurnOutcome = 'complete'): LogEvent {
  return { seq, at: 0, type: 'turn', turn: number, attempt: 1, text, outcome, level: 'neutral' }
}

function piece(number: number, attempt: number, offset: number, text: string): Input {
  return { type: 'delta', delta: { turn: number, attempt, offset, text } }
}
