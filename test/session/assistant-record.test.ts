import { describe, expect, it } from 'vitest'
import { keepFinding } from '../../worker/core/assistant/intelligence.ts'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { type AssistantRecord, newAssistantRecord } from '../../worker/session/assistant/assistant-record.ts'
import { readAssistantRecord } from '../../worker/session/assistant/record-schema.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import { graphOf, sampleScenario } from '../support/sample-scenario.ts'

const info = {
  session: 's',
  scenario: sampleScenario,
  learner: { kind: 'anonymous', id: 'l' },
  run: null,
  createdAt: 1,
} as unknown as SessionInfo
const fresh = newAssistantRecord(info)
const call = { id: '1.0', tool: 't', input: 'i', status: 'asking', result: '', until: 9 } as const
const request = {
  id: 'ask-1.0',
  operation: 't',
  agent: 'a',
  call: '1.0',
  reasoning: 'r',
  estimatedCost: null,
  safety: 'low',
  askedAt: 1,
  expiresAt: 9,
} as const
const grant = { request: 'ask-1.0', operation: 't', scope: 'conversation', call: null, expiresAt: 9 } as const
const full: AssistantRecord = {
  ...fresh,
  walks: { a: startWalk(graphOf()) },
  turn: {
    id: 1,
    agent: 'a',
    by: 'lock',
    query: 'q',
    trace: [{ type: 'unknown-lock', name: 'x' }],
    calls: [call],
    handedTo: 'b',
  },
  exchanges: [{ turn: 1, agent: 'a', call: { ...call, status: 'done' } }],
  state: {
    ...fresh.state,
    intent_classification: { agent: 'a', confidence: 1, by: 'model' },
    manuscript_edit: { filename: 'f', offered: ['1.0'], accepted: [], rejected: [] },
    conversation_intelligence: keepFinding(
      fresh.state.conversation_intelligence,
      { agent: 'a', query: 'q', content: 'c', type: 'answer', topics: ['t'] },
      1,
      fingerprint,
    ),
    shared_memory: {
      ...fresh.state.shared_memory,
      locked_agent: 'a',
      permissions: { pending: [request], grants: [grant], settled: ['x'] },
      research_findings: { a: 'b' },
    },
  },
}
const read = (value: unknown) => readAssistantRecord(JSON.stringify(value))
const withPart = (path: readonly string[], value: unknown): unknown =>
  path.length === 0 ? value : { ...Object(at(full, path.slice(0, -1))), [path.at(-1) ?? '']: value }
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (Object(inner) as Record<string, unknown>)[key], value)
/** Returns the record with one part replaced. */
function damaged(path: readonly string[], value: unknown): unknown {
  let inner = withPart(path, value)
  for (let up = path.slice(0, -1); up.length > 0; up = up.slice(0, -1)) inner = withPart(up, inner)
  return inner
}

describe('the stored record of an assistant', () => {
  it('[assistant-29] is read as it was written', () => {
    expect(read(fresh)).toEqual({
      ...fresh,
      state: { ...fresh.state, shared_memory: { ...fresh.state.shared_memory, research_findings: {} } },
    })
    expect(read(full)).toEqual(full)
  })

  it('[assistant-29] of an older version gets what it lacks', () => {
    const { exchanges: _, ...older } = full
    const { agent_insights: __, active_agent_checkpoint: ___, ...state } = older.state
    expect(read({ ...older, state })).toEqual({
      ...full,
      exchanges: [],
      state: { ...full.state, active_agent_checkpoint: null, agent_insights: {} },
    })
  })

  it.each<[readonly string[], unknown]>([
    [['turn'], null],
    [['walks'], {}],
    [['exchanges'], []],
    [['state', 'active_agent'], null],
    [['state', 'conversation_intelligence'], fresh.state.conversation_intelligence],
    [['state', 'shared_memory', 'permissions'], { pending: [], grants: [], settled: [] }],
    [['state', 'shared_memory', 'agent_handoffs'], []],
    [['state', 'is_complete'], false],
  ])('[assistant-29] that is damaged at %j has the rest', (path, otherwise) => {
    for (const bad of [7, 'x', { v: 2 }, [{ v: 2 }], { a: { v: 2 } }]) {
      const [from] = [read(damaged(path, bad))]
      if (path.at(-1) === 'active_agent' && bad === 'x') continue
      expect(from).toEqual(damaged(path, otherwise))
    }
  })

  it('[assistant-29] that says not whose it is, or is of another version, counts as none', () => {
    for (const bad of [
      null,
      {},
      [],
      { ...full, v: 2 },
      damaged(['state', 'user_id'], 1),
      damaged(['state', 'persona'], {}),
    ])
      expect(read(bad)).toBe(null)
    expect(readAssistantRecord('{"v":1,')).toBe(null)
  })
})
