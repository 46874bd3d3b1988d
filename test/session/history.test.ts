import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../worker/core/walk/log-entry.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { historyBefore, notesIn } from '../../worker/session/history.ts'
import { withNode } from '../support/edit-graph.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'

const about = { graph: graphOf(), npc: sampleNpc }
const [pivot] = sampleNpc.pivots
const [choice] = pivot?.choices ?? []
if (!choice) throw new Error('no choice')
const { id, text, reaction, effect } = choice
const events: readonly LogEvent[] = [
  { seq: 1, at: 1, type: 'turn-start', turn: 1, attempt: 1, cid: 'a', text: 'Hello' },
  { seq: 2, at: 2, type: 'turn', turn: 1, attempt: 1, text: 'Sorry, a call.', outcome: 'failed', level: 'neutral' },
  { seq: 3, at: 3, type: 'turn-start', turn: 1, attempt: 2, cid: 'a', text: 'Hello' },
  { seq: 4, at: 4, type: 'turn', turn: 1, attempt: 2, text: 'Hi.', outcome: 'complete', level: 'neutral' },
  {
    seq: 5,
    at: 5,
    type: 'command',
    turn: 1,
    id: 'x',
    command: { name: 'AI_AdvanceObjective', objective: 'o', title: 'O' },
  },
  {
    seq: 6,
    at: 6,
    type: 'pivot-end',
    turn: 1,
    pivot: 'PIVOT_1',
    level: 'cooperative',
    choice: { cid: 'b', id, text, reaction, effect },
  },
  { seq: 7, at: 7, type: 'pivot-end', turn: 1, pivot: 'PIVOT_2', level: 'cooperative', choice: null },
  { seq: 8, at: 8, type: 'turn-start', turn: 2, attempt: 1, cid: 'c', text: 'And now?' },
]

describe('the history in a briefing', () => {
  it('[briefing-4] is what was said before this turn, with pivots as markers, without what failed', () => {
    expect(historyBefore(2, events, about)).toEqual([
      { who: 'learner', text: 'Hello' },
      { who: 'npc', text: 'Hi.' },
      { who: 'marker', text: 'PIVOT_1 resolved: the learner chose "What you really think." → mood +12' },
      { who: 'npc', text: 'Good.' },
      { who: 'marker', text: 'PIVOT_2 passed: the learner picked no card' },
    ])
  })

  it('[briefing-4] knows the mood of a choice that the graph has and the colleague has not, and of two alike the fork’s own', () => {
    const choices = [{ id, text, reaction, effect, mood: -3 }]
    const fork = { kind: 'pivot', pivot: { id: 'own', question: 'Well?', choices } } as const
    const bare = { ...sampleNpc, pivots: [] }
    const told = (node: string, npc: typeof sampleNpc) =>
      historyBefore(2, events, { graph: withNode(graphOf(), node, fork), npc })[2]?.text
    expect(told('PIVOT_1', sampleNpc)).toContain('mood -3')
    expect(told('PIVOT_1', bare)).toContain('mood -3')
    expect(historyBefore(2, events, { graph: graphOf(), npc: bare })[2]?.text).toContain('mood +12')
    const renamed = { ...fork, pivot: { ...fork.pivot, choices: choices.map((each) => ({ ...each, text: 'Else.' })) } }
    const other = withNode(graphOf(bare), 'DEEPEN', renamed)
    expect(historyBefore(2, events, { graph: other, npc: bare })[2]?.text).toContain('mood 0')
    expect(historyBefore(0, events, about)).toEqual([])
  })

  it('[briefing-10] has the notes of the log as markers, before the reply they were passed on the way to', () => {
    const note = (turn: string, text: string) => {
      const thought = { kind: 'annotation', node: 'n', text } as const
      return { at: 1, turn, entry: { type: 'thought', thought } } as const
    }
    const notes = notesIn([note('1', 'it begins'), note('choice:1', 'a card was picked')])
    const texts = (turn: number) => historyBefore(turn, [...events, reply], about, notes).map(({ text: said }) => said)
    expect(texts(2).slice(0, 3)).toEqual(['Hello', 'note: it begins', 'Hi.'])
    expect(texts(3).slice(-3)).toEqual(['And now?', 'note: a card was picked', 'Now this.'])
  })

  it('[briefing-10] has a note that was passed after the reply behind it', () => {
    const notes = notesIn([said('1', 'learner'), noted('1', 'before'), said('1', 'npc'), noted('1', 'behind')])
    expect(historyBefore(2, events, about, notes).map(({ text: told }) => told)).toEqual([
      'Hello',
      'note: before',
      'Hi.',
      'note: behind',
      ...historyBefore(2, events, about)
        .slice(2)
        .map(({ text: told }) => told),
    ])
  })

  it('[document-41] has what a tool answered, before the reply that it was used for', () => {
    const used = { type: 'used', tool: 'status', input: '4711', status: 'done', result: 'At the depot.' } as const
    const notes = notesIn([said('1', 'learner'), { at: 1, turn: '1', entry: used }, said('1', 'npc')])
    const texts = historyBefore(2, events, about, notes).map(({ text: told }) => told)
    expect(texts.slice(0, 3)).toEqual(['Hello', 'note: used status (4711): At the depot.', 'Hi.'])
  })

  it('[briefing-10] [walk-32] has no note of a way that was taken back as a loop, but what was passed before its reply', () => {
    const loop = (turn: string) => ({ at: 1, turn, entry: { type: 'internal-loop', node: 'n' } }) as const
    const decision = { from: 'n', to: 'm', reason: 'satisfied' } as const
    const decided = (turn: string) => ({ at: 1, turn, entry: { type: 'decision', decision } }) as const
    const texts = (records: readonly LogRecord[]) => notesIn(records).map(({ text: told }) => told)
    expect(texts([noted('1', 'a'), noted('2', 'b'), noted('2', 'c'), loop('2'), noted('3', 'd')])).toEqual(['a', 'd'])
    expect(texts([noted('1', 'a'), said('1', 'npc'), decided('1'), noted('1', 'b'), loop('1')])).toEqual(['a'])
  })
})

function noted(turn: string, note: string): LogRecord {
  return { at: 1, turn, entry: { type: 'thought', thought: { kind: 'annotation', node: 'n', text: note } } }
}

function said(turn: string, who: 'learner' | 'npc'): LogRecord {
  return { at: 1, turn, entry: { type: 'message', who, text: 'words', metadata: [] } }
}

const reply: LogEvent = {
  seq: 9,
  at: 9,
  type: 'turn',
  turn: 2,
  attempt: 1,
  text: 'Now this.',
  outcome: 'complete',
  level: 'neutral',
}
