import { expect, it } from 'vitest'
import type { ProposedOperation } from '../../worker/core/assistant/editor-operations.ts'
import { assistedEnd } from '../../worker/session/assistant/assisted-end.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import type { AssistantRecord } from '../../worker/session/assistant/assistant-record.ts'
import { newAssistantRecord } from '../../worker/session/assistant/assistant-record.ts'
import type { TurnDeps } from '../../worker/session/turn-deps.ts'
import type { StoredTurn } from '../../worker/session/turn.ts'

const AGENT = { id: 'edit', name: 'Quill', hue: 30, does: 'Edits.', how: [], needs: ['editor'], tools: [], cues: [] }
const SPEC = { persona: { ai_name: 'Quill', persona_style: 'casual', political_bias: 'neutral' }, agents: [AGENT] }
const EDITOR = { filename: 'a.md', language: 'markdown', content: 'It was was teh teh end.', content_start: 0 }

function edits(proposed: readonly ProposedOperation[]) {
  const info = { session: 's', learner: { id: 'l' }, scenario: { title: '', assistant: SPEC }, createdAt: 1 }
  const record: AssistantRecord = {
    ...newAssistantRecord(info as never),
    turn: { id: 1, agent: 'edit', by: 'mention', query: 'q', trace: [], calls: [] },
  }
  const editor = { ...EDITOR, is_editable: true, content_length: EDITOR.content.length, frontmatter: {} }
  const assistant = { read: () => record, page: () => ({ kind: 'editor', editor }) }
  const deps = { info, store: { assistant, eventsAfter: () => [] }, now: () => 1 } as unknown as TurnDeps
  const turn = { id: 1, context: '0'.repeat(16), learner: 'q' } as StoredTurn
  const work = { topics: [], hand_over: null, edits: proposed }
  const end = assistedEnd(deps, SPEC as never, turn, {
    walk: { node: '' } as never,
    text: 'Done.',
    report: EMPTY_REPORT,
    work,
  })
  return { events: end?.events, kept: end?.change(record).state.editor_operations.map(({ id }) => id) }
}

const change = (quote: string, text: string): ProposedOperation => ({ op: 'replace', quote, text, why: '' })

it('[assistant-7] [message-38] an edit that has no clear place is named in the event, also if no other is proposed', () => {
  const bad = [change('teh', 'the'), change('gone', 'here'), change('end', 'end'), change('x'.repeat(4_001), '')]
  const refused = ['ambiguous', 'not-found', 'nothing-to-do', 'too-long']
  expect(edits(bad).events).toEqual([
    {
      type: 'edits',
      turn: 1,
      filename: 'a.md',
      operations: [],
      refused: refused.map((why, index) => ({ index, why })),
    },
  ])
  const mixed = edits([change('was was', 'was'), change('was teh', 'the'), change('end', 'END')])
  expect(mixed.events).toMatchObject([{ operations: [{ id: '1.0' }, { id: '1.2' }], refused: [{ why: 'overlaps' }] }])
  expect(mixed.kept).toEqual(['1.0', '1.2'])
  expect(edits([change('was was', 'was')]).events).not.toMatchObject([{ refused: expect.anything() }])
  expect(edits([]).events).toEqual([])
})
