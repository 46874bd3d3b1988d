import { describe, expect, it } from 'vitest'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { audit, type Evidence } from '../support/audit.ts'
import type { Breach } from '../support/stream-watcher.ts'

const ASKED = 'What about this? mark-a-1'
const SAID = 'Take 2 to “mark-a-1”: a2·0.'

/** Returns the log of one turn that took two attempts. The second attempt was complete and ended the conversation. */
function log(): LogEvent[] {
  const start = { at: 1, type: 'turn-start', turn: 1, cid: 'c1', text: ASKED } as const
  const end = { name: 'AI_EndConversation', completion: 'earned', document: null, next: null } as const
  return [
    { seq: 1, ...start, attempt: 1 },
    { seq: 2, ...start, attempt: 2 },
    { seq: 3, at: 2, type: 'turn', turn: 1, attempt: 2, text: SAID, outcome: 'complete', level: 'neutral' },
    { seq: 4, at: 2, type: 'command', turn: 1, id: 'end', command: end },
  ]
}

function evidence(): Evidence & { clients: Evidence['clients'][number][] } {
  const client = {
    events: log(),
    commands: ['end'],
    acknowledged: new Map([['c1', { ok: true, turn: 1, seq: 1 } as const]]),
    shown: [
      { turn: 1, attempt: 1, text: 'Take 1 to' },
      { turn: 1, attempt: 2, text: 'Take 2 to “mark' },
    ],
    breaches: [],
  }
  const said = [1, 2].map((take) => ({ mark: 'mark-a-1', take, speech: SAID.replaceAll('2', String(take)) }))
  return { clients: [client], written: new Map([['c1', ASKED]]), stored: log(), said }
}

type Changed = Partial<Evidence>
const without = (...seqs: number[]) => log().filter(({ seq }) => !seqs.includes(seq))
const withEnd = (more: object): LogEvent[] =>
  log().map((event) => (event.type === 'turn' ? ({ ...event, ...more } as LogEvent) : event))
const client = (more: object) => [{ ...evidence().clients[0]!, ...more }]
/** Puts the same events into the stored log and into the log of the client. */
const both = (stored: LogEvent[]): Changed => ({ stored, clients: client({ events: stored }) })

const BROKEN: [string, Breach['kind'], Changed][] = [
  ['an acknowledged message is gone', 'lost', both([])],
  ['the client has seen what is not stored', 'lost', { stored: without(4) }],
  ['the client lacks what is stored', 'lost', { clients: client({ events: without(4) }) }],
  ['a stored text is another one', 'lost', { stored: withEnd({ at: 3 }) }],
  ['the log has a gap', 'lost', both(without(1))],
  ['a command was not carried out', 'lost', { clients: client({ commands: [] }) }],
  [
    'a message opened two turns',
    'doubled',
    both([...log(), { seq: 5, at: 3, type: 'turn-start', turn: 2, attempt: 1, cid: 'c1', text: ASKED }]),
  ],
  [
    'a turn was answered, and once more',
    'doubled',
    both(withEnd({ attempt: 1 }).toSpliced(3, 1, { ...(log()[2] as LogEvent), seq: 4 })),
  ],
  ['a turn ended twice', 'doubled', both([...log().slice(0, 3), { ...(log()[2] as LogEvent), seq: 4 }])],
  ['a command came twice', 'doubled', both([...log(), { ...(log()[3] as LogEvent), seq: 5 }])],
  ['a turn never ended', 'stuck', both(log().slice(0, 2))],
  [
    'an attempt was left out',
    'order',
    both(log().toSpliced(1, 1, { ...(log()[1] as LogEvent), attempt: 3 } as LogEvent)),
  ],
  ['what was shown is not stored', 'shown', { clients: client({ shown: [{ turn: 1, attempt: 2, text: 'Take 1' }] }) }],
  ['what was shown was never voided', 'shown', { clients: client({ shown: [{ turn: 1, attempt: 3, text: 'T' }] }) }],
  ['the separator was shown', 'shown', { clients: client({ shown: [{ turn: 1, attempt: 1, text: 'a\n---END' }] }) }],
  ['the report was stored', 'shown', both(withEnd({ text: `${SAID}{"node_satisfied":true}` }))],
  ['a reply is somebody else’s', 'foreign', both(withEnd({ text: SAID.replace('mark-a', 'mark-b') }))],
  ['two replies are mixed', 'foreign', both(withEnd({ text: SAID.replace('a2·0', 'a1·0') }))],
  ['a message is somebody else’s', 'foreign', { written: new Map() }],
  [
    'the model was asked too often',
    'unpaid',
    { said: [...(evidence().said ?? []), { mark: 'mark-a-1', take: 3, speech: SAID.replaceAll('2', '3') }] },
  ],
]

describe('the audit that the kills are judged by', () => {
  it('[turn-30] [turn-31] finds nothing where nothing is wrong', () => {
    expect(audit(evidence())).toEqual([])
  })

  it.each(BROKEN)('[turn-30] [turn-31] finds that %s', (_, kind, changed) => {
    expect(audit({ ...evidence(), ...changed }).map((breach) => breach.kind)).toContain(kind)
  })

  it('[turn-31] takes what a failed turn has shown for void, and what a stopped one has for stored', () => {
    const failed = both(withEnd({ outcome: 'failed', text: 'Sorry, where was I?' }))
    expect(audit({ ...evidence(), ...failed })).toEqual([])
    const cut = both(withEnd({ outcome: 'cut', text: SAID.slice(0, 20) }))
    expect(audit({ ...evidence(), ...cut })).toEqual([])
    const cutShort = both(withEnd({ outcome: 'cut', text: SAID.slice(0, 5) }))
    expect(audit({ ...evidence(), ...cutShort }).map(({ kind }) => kind)).toEqual(['shown'])
  })
})
