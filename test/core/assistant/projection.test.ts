import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage, ConversationState } from '../../../worker/core/assistant/conversation-state.ts'
import { fingerprint } from '../../../worker/core/graph/hash.ts'
import { NO_INTELLIGENCE, keepFinding } from '../../../worker/core/assistant/intelligence.ts'
import {
  latestMessages,
  MOST_BYTES,
  MOST_MESSAGES,
  type Need,
  NEEDS,
  project,
} from '../../../worker/core/assistant/projection.ts'

/** A state in which every field has a text of its own, by which a leak is recognised. */
const FULL: ConversationState = {
  user_id: 'secret-user_id',
  conversation_id: 'secret-conversation_id',
  session_id: 'secret-session_id',
  messages: [{ role: 'user', text: 'secret-messages' }],
  current_query: 'secret-current_query finding',
  active_agent: 'secret-active_agent',
  shared_memory: {
    search_results: { local: [{ title: 't', url: 'u', text: 'secret-search_results' }], web: [] },
    conversation_context: { about: 'secret-conversation_context' },
    agent_handoffs: [{ from: 'a', to: 'b', why: 'secret-agent_handoffs', at: 1 }],
    data_sufficiency: { 'secret-data_sufficiency': true },
    active_editor: {
      is_editable: true,
      filename: 'secret-filename',
      language: 'markdown',
      content: 'secret-content',
      content_start: 0,
      content_length: 14,
      frontmatter: { title: 'secret-frontmatter' },
    },
    pipeline_preference: 'prefer',
    active_pipeline_id: 'secret-active_pipeline_id',
    active_pipeline: { id: 'p', title: 'secret-pipeline', summary: '', preference: 'prefer' },
    locked_agent: 'secret-locked_agent',
    permissions: {
      pending: [],
      settled: ['secret-settled'],
      grants: [
        { request: 'secret-request', operation: 'web_search', scope: 'conversation', call: null, expiresAt: 100 },
        { request: 'secret-request', operation: 'file_write', scope: 'conversation', call: null, expiresAt: 100 },
      ],
    },
    research_findings: { a: 'secret-research_findings' },
  },
  intent_classification: { agent: 'secret-intent_classification', confidence: 1, by: 'listener' },
  agent_results: { a: { text: 'secret-agent_results', at: 1 } },
  latest_response: 'secret-latest_response',
  chat_agent_response: 'secret-chat_agent_response',
  editor_operations: [
    { id: 'secret-editor_operations', op: 'delete', start: 0, expected: 'a', text: '', before: '', after: '', why: '' },
  ],
  manuscript_edit: { filename: 'secret-manuscript_edit', offered: [], accepted: [], rejected: [] },
  requires_user_input: true,
  is_complete: false,
  error_state: 'secret-error_state',
  persona: { ai_name: 'secret-persona', persona_style: 'casual', political_bias: 'neutral' },
  conversation_topic: 'secret-conversation_topic',
  conversation_intelligence: keepFinding(
    NO_INTELLIGENCE,
    { agent: 'a', query: 'q', content: 'secret-intelligence finding', type: 'research', topics: ['secret-topic'] },
    1,
    fingerprint,
  ),
  metadata: {
    title: 'secret-metadata',
    created_at: 1,
    updated_at: 1,
    tags: ['secret-tags'],
    description: 'secret-description',
    is_pinned: true,
    is_archived: false,
  },
  active_agent_checkpoint: 'secret-active_agent_checkpoint',
  orchestrator_routing_decision: { agent: 'secret-routing', by: 'lock', trace: [] },
  agent_insights: { a: ['secret-agent_insights'] },
  pending_operations: [
    {
      id: 'secret-pending_operations',
      type: 'x',
      summary: '',
      permission_required: true,
      status: 'pending',
      created_at: 1,
    },
  ],
  pending_permission_requests: [],
}

/** The texts that every agent is told. */
const FOR_ALL = ['user_id', 'messages', 'current_query', 'active_agent', 'persona', 'conversation_topic']
/** The texts that a need adds. Everything else is told to nobody. */
const FOR_NEED: Readonly<Record<Need, readonly string[]>> = {
  editor: ['content', 'filename', 'frontmatter'],
  'editor-facts': ['filename', 'frontmatter'],
  pipeline: ['pipeline'],
  'search-results': ['search_results'],
  'research-findings': ['research_findings'],
  handoffs: ['agent_handoffs'],
  context: ['conversation_context'],
  'data-sufficiency': ['data_sufficiency'],
  lock: ['locked_agent'],
  permissions: [],
  intelligence: ['intelligence', 'topic'],
}

const secretsIn = (value: unknown) =>
  [...new Set([...JSON.stringify(value).matchAll(/secret-(\w+)/g)].map(([, name]) => name ?? ''))].toSorted()
const all = secretsIn(FULL)
const agent = (needs: readonly Need[], operations: readonly string[] = []) => ({
  id: 'a',
  needs,
  operations,
  covers: ['a'],
})

/** The keys of what is told, so that a field without a text, such as a time, cannot come along. */
const ALL_KEYS = [
  'messages',
  'user_id',
  'current_query',
  'persona',
  'active_agent',
  'conversation_topic',
  'shared_memory',
].toSorted()
const KEY_FOR_NEED: Readonly<Record<Need, string>> = {
  editor: 'active_editor',
  'editor-facts': 'editor_facts',
  pipeline: 'active_pipeline',
  'search-results': 'search_results',
  'research-findings': 'research_findings',
  handoffs: 'agent_handoffs',
  context: 'conversation_context',
  'data-sufficiency': 'data_sufficiency',
  lock: 'locked_agent',
  permissions: 'permitted',
  intelligence: 'intelligence',
}

describe('what an agent is told', () => {
  it('[assistant-3] is, of every field of the state, what every agent may know and what it needs', () => {
    expect(all.length).toBeGreaterThan(30)
    expect(secretsIn(project(FULL, agent([]), 2).told)).toEqual(FOR_ALL.toSorted())
    for (const need of NEEDS)
      expect(secretsIn(project(FULL, agent([need]), 2).told), need).toEqual([...FOR_ALL, ...FOR_NEED[need]].toSorted())
    const told = new Set([...FOR_ALL, ...Object.values(FOR_NEED).flat()])
    expect(all.filter((name) => !told.has(name)).toSorted()).toEqual(
      [
        'active_agent_checkpoint',
        'active_pipeline_id',
        'agent_insights',
        'agent_results',
        'chat_agent_response',
        'conversation_id',
        'description',
        'editor_operations',
        'error_state',
        'intent_classification',
        'latest_response',
        'manuscript_edit',
        'metadata',
        'pending_operations',
        'request',
        'routing',
        'session_id',
        'settled',
        'tags',
      ].toSorted(),
    )
  })

  it('[assistant-3] holds for any set of needs, and says of every part why it was told', () => {
    fc.assert(
      fc.property(fc.subarray([...NEEDS]), (needs) => {
        const { told, because, bytes } = project(FULL, agent(needs), 2)
        const expected = new Set([...FOR_ALL, ...needs.flatMap((need) => FOR_NEED[need])])
        expect(secretsIn(told)).toEqual([...expected].toSorted())
        expect(Object.keys(told).toSorted()).toEqual(ALL_KEYS)
        // The facts of an editor are told with its text.
        const asked = needs.filter((need) => need !== 'editor-facts' || !needs.includes('editor'))
        expect(Object.keys(told.shared_memory).toSorted()).toEqual(asked.map((need) => KEY_FOR_NEED[need]).toSorted())
        expect(bytes).toBe(new TextEncoder().encode(JSON.stringify(told)).length)
        const parts = Object.keys(told).flatMap((key) =>
          key === 'shared_memory' ? Object.keys(told.shared_memory).map((part) => `shared_memory.${part}`) : [key],
        )
        expect(because.map(({ part }) => part).toSorted()).toEqual(parts.toSorted())
        for (const { why } of because) expect(why === 'every-agent' || needs.includes(why as Need)).toBe(true)
      }),
    )
  })

  it('[assistant-3] of grants is only which of its own operations are permitted', () => {
    const permitted = (operations: readonly string[], at = 2) =>
      project(FULL, agent(['permissions'], operations), at).told.shared_memory.permitted
    expect(permitted(['web_search'])).toEqual(['web_search'])
    expect(permitted([])).toEqual([])
    expect(permitted(['web_search', 'web_crawl'])).toEqual(['web_search'])
    expect(permitted(['web_search'], 100)).toEqual([])
  })

  it('[assistant-3] of earlier work is only that of agents that know nothing more', () => {
    const other = { ...agent(['intelligence']), id: 'b', covers: ['b'] }
    expect(project(FULL, other, 2).told.shared_memory.intelligence).toEqual([])
    expect(project(FULL, agent(['intelligence']), 2).told.shared_memory.intelligence).toHaveLength(1)
  })

  it('[assistant-23] of changes that were proposed is what the person decided, while the editor has their text', () => {
    const operation = { op: 'replace', start: 0, expected: 'teh', text: 'the', before: '', after: '', why: '' } as const
    const state: ConversationState = {
      ...FULL,
      editor_operations: ['a', 'b', 'c'].map((id) => ({ ...operation, id, text: 'x'.repeat(9_000) })),
      manuscript_edit: { filename: 'secret-filename', offered: ['a', 'b', 'c'], accepted: ['b'], rejected: ['a'] },
    }
    const told = (now: ConversationState, needs: readonly Need[] = ['editor']) =>
      project(now, agent(needs), 2).told.shared_memory.edits
    expect(told(state)).toEqual(
      ['left', 'taken', 'open'].map((verdict) => ({
        expected: 'teh',
        text: 'x'.repeat(200),
        before: '',
        after: '',
        verdict,
      })),
    )
    expect(
      told(
        state,
        NEEDS.filter((need) => need !== 'editor'),
      ),
    ).toBe(undefined)
    expect(told({ ...state, manuscript_edit: FULL.manuscript_edit })).toBe(undefined)
    const { active_editor: _, ...elsewhere } = FULL.shared_memory
    expect(told({ ...state, shared_memory: elsewhere })).toBe(undefined)
    expect(project(state, agent(['editor']), 2, 600).leftOut.map(({ part }) => part)).toContain('shared_memory.edits')
  })

  it('[assistant-2] of search results is always two lists', () => {
    const state = { ...FULL, shared_memory: { ...FULL.shared_memory, search_results: { local: [], web: [] } } }
    expect(project(state, agent(['search-results']), 2).told.shared_memory).toEqual({
      search_results: { local: [], web: [] },
    })
  })

  it('[assistant-3] of a pipeline is nothing if the person or the page ignores it', () => {
    const pipeline = { id: 'p', title: 't', summary: '', preference: 'ignore' as const }
    for (const memory of [{ pipeline_preference: 'ignore' as const }, { active_pipeline: pipeline }]) {
      const state = { ...FULL, shared_memory: { ...FULL.shared_memory, ...memory } }
      expect(project(state, agent(['pipeline']), 2).told.shared_memory).toEqual({})
    }
  })

  const exchange = fc.nat(9).chain((call) =>
    fc.constantFrom<readonly ChatMessage[]>(
      [{ role: 'call', agent: 'a', call: `${call}`, tool: 't', text: '' }],
      [{ role: 'result', call: `${call}`, tool: 't', text: '' }],
      [
        { role: 'call', agent: 'a', call: `${call}`, tool: 't', text: '' },
        { role: 'result', call: `${call}`, tool: 't', text: '' },
      ],
      [{ role: 'user', text: 'hello' }],
      [{ role: 'assistant', agent: 'a', text: 'hi' }],
    ),
  )
  it('[assistant-4] is at most twenty messages, and never half of a tool exchange', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 40 }), fc.integer({ min: 600, max: 4_000 }), (parts, most) => {
        const messages = parts.flat()
        for (const told of [
          latestMessages(messages).messages,
          project({ ...FULL, messages }, agent([]), 2, most).told.messages,
        ]) {
          expect(told.length).toBeLessThanOrEqual(MOST_MESSAGES)
          for (const [index, message] of told.entries()) {
            if (message.role === 'call')
              expect(told.slice(index).some((other) => other.role === 'result' && other.call === message.call)).toBe(
                true,
              )
            if (message.role === 'result')
              expect(told.slice(0, index).some((other) => other.role === 'call' && other.call === message.call)).toBe(
                true,
              )
          }
        }
      }),
    )
  })

  it('[assistant-10] fits the byte budget, and leaves parts out in the stated order', () => {
    const long = (text: string) => text + 'é'.repeat(30_000)
    const big: ConversationState = {
      ...FULL,
      current_query: long('q'),
      messages: Array.from({ length: 30 }, (_, index) => ({
        role: 'user' as const,
        text: long(String(index)).slice(0, 2_000),
      })),
      shared_memory: {
        ...FULL.shared_memory,
        search_results: {
          local: Array.from({ length: 40 }, () => ({ title: 't', url: 'u', text: long('local') })),
          web: Array.from({ length: 40 }, () => ({ title: 't', url: 'u', text: long('web') })),
        },
        active_editor: {
          ...(FULL.shared_memory.active_editor as never as { content: string }),
          content: long('e'),
        } as never,
      },
    }
    const { told, bytes, leftOut } = project(big, agent([...NEEDS]), 2)
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
    expect(leftOut.filter(({ why }) => why === 'byte-budget').map(({ part }) => part)).toEqual(
      [
        'shared_memory.search_results',
        'shared_memory.research_findings',
        'shared_memory.agent_handoffs',
        'shared_memory.conversation_context',
        'messages',
        'shared_memory.active_editor',
      ].slice(0, leftOut.filter(({ why }) => why === 'byte-budget').length),
    )
    expect(told.current_query.length).toBe(2_000)
    for (const most of [60_000, 30_000, 8_000, 6_000])
      expect(project(big, agent([...NEEDS]), 2, most).bytes).toBeLessThanOrEqual(most)
    expect(leftOut[0]).toEqual({ part: 'messages', why: 'last-20', amount: 10 })
  })
})
