import { describe, expect, it } from 'vitest'
import { readPublication } from '../../../sims/authoring/publication.ts'
import { readToolPick, type ToolSpec, toolTask, usedLine } from '../../../worker/core/assistant/tools.ts'
import { graphFor } from '../../../worker/core/graph/graph-for.ts'
import { parcelDesk } from '../../support/parcel-desk.ts'

const SEARCH: ToolSpec = {
  name: 'search',
  does: 'Searches.',
  takes: 'what to search for',
  effect: 'reads',
  cost: null,
  needsPermission: false,
  safety: 'low',
  runs: 'page',
}
const BOOK: ToolSpec = {
  ...SEARCH,
  name: 'book',
  takes: 'the visit',
  fields: {
    day: { type: 'text', is: 'the day' },
    people: { type: 'number', is: 'how many' },
    inside: { type: 'boolean', is: 'whether inside' },
  },
}
const pick = (tool: string, input: unknown) => readToolPick(JSON.stringify({ tool, input }), [SEARCH, BOOK])

describe('the input of a tool', () => {
  it('[document-42] is one text, or a JSON object with exactly the declared fields', () => {
    expect(pick('search', ' moths ')?.input).toBe('moths')
    const whole = JSON.stringify({ inside: true, people: 2, day: 'Friday', more: 'dropped' })
    expect(pick('book', whole)?.input).toBe('{"day":"Friday","people":2,"inside":true}')
  })

  it.each([
    ['a text', 'Friday'],
    ['no object', '[]'],
    ['null', 'null'],
    ['a missing field', '{"day":"Friday","people":2}'],
    ['a field of another type', '{"day":"Friday","people":"2","inside":true}'],
    ['a text that is too long', JSON.stringify({ day: 'x'.repeat(600), people: 1, inside: true })],
    ['nothing', ''],
  ])('[document-42] that is %s is refused', (_, input) => {
    expect(pick('book', input)).toBeNull()
  })

  it('[document-42] is described to the model', () => {
    const told = { messages: [], user_id: '', current_query: 'Book it.', active_agent: null, conversation_topic: null }
    const persona = { ai_name: '', persona_style: 'professional', political_bias: 'neutral' } as const
    const { user } = toolTask('maya', { ...told, persona, shared_memory: {} }, [SEARCH, BOOK], [], ['WHAT IS KNOWN: x'])
    expect(user).toContain('WHAT IS KNOWN: x')
    expect(user).toContain('search: Searches. It takes what to search for.')
    expect(user).toContain(
      'written as a JSON object {"day": text, the day; "people": number, how many; "inside": boolean',
    )
  })

  it('[document-41] and its result are one line of a transcript', () => {
    const call = { tool: 'search', input: 'moths', status: 'done', result: 'y'.repeat(8_000) } as const
    expect(usedLine(call)).toHaveLength(1_821)
    expect(usedLine({ ...call, status: 'denied' })).toBe('used search (moths): The person did not allow it.')
  })
})

describe('the tools of a graph', () => {
  it('[document-42] go to the states that name them, and to no other', () => {
    const read = readPublication(parcelDesk())
    if (!read.ok) throw new Error(JSON.stringify(read.findings))
    const [npc] = read.scenario.npcs
    const made = npc && graphFor(read.scenario, npc, read.library)
    if (!made?.ok) throw new Error('no graph')
    const toolsOf = (id: string) => {
      const node = made.graph.nodes[id]
      return node && 'tools' in node ? node.tools?.map(({ name, runs }) => `${name} ${runs}`) : undefined
    }
    expect(toolsOf('help_visitor')).toEqual(['parcel_status deployment', 'free_hour page'])
    expect(toolsOf('say_goodbye')).toBeUndefined()
  })

  it.each([
    ['a name that is not declared', (graph: Graph) => graph.states.help_visitor.tools.push('parcel_state')],
    ['a tool twice', (graph: Graph) => graph.tools.push({ ...graph.tools[0] })],
    [
      'one that changes something unasked',
      (graph: Graph) => (graph.tools[0] = { ...graph.tools[0], effect: 'writes' }),
    ],
    ['an effect of another kind', (graph: Graph) => (graph.tools[0] = { ...graph.tools[0], effect: 'deletes' })],
  ])('[document-42] with %s are not published', (_, change) => {
    const { graphs, ...rest } = parcelDesk()
    const graph = structuredClone(graphs[0]) as Graph
    change(graph)
    const read = readPublication({ ...rest, graphs: [graph] })
    expect(read.ok).toBe(false)
    expect(JSON.stringify(read)).toContain('tool')
  })
})

interface Graph {
  readonly tools: Record<string, unknown>[]
  readonly states: { readonly help_visitor: { readonly tools: string[] } }
}
