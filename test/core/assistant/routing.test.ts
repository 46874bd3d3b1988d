import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { route, type RoutingInput } from '../../../worker/core/assistant/routing.ts'

const AGENTS = [{ id: 'chat' }, { id: 'research' }, { id: 'edit' }, { id: 'editorial' }]
const ask = (message: string, more: Partial<RoutingInput> = {}) =>
  route({ message, agents: AGENTS, locked: null, requested: null, safety: null, ...more })

describe('routing', () => {
  it.each([
    ['hello', {}, { type: 'undecided', query: 'hello' }],
    ['@research what is it?', {}, { type: 'routed', agent: 'research', by: 'mention', query: 'what is it?' }],
    ['  @Research: what?', {}, { type: 'routed', agent: 'research', by: 'mention', query: 'what?' }],
    ['@res what?', {}, { type: 'routed', agent: 'research', by: 'mention', query: 'what?' }],
    ['@edit this', {}, { type: 'routed', agent: 'edit', by: 'mention', query: 'this' }],
    ['@edi this', {}, { type: 'ambiguous', among: ['edit', 'editorial'] }],
    [
      '@nobody there?',
      { locked: 'edit', requested: 'chat' },
      {
        type: 'ambiguous',
        among: ['chat', 'research', 'edit', 'editorial'],
        trace: [{ type: 'unknown-mention', name: 'nobody' }],
      },
    ],
    ['@nobody there?', { safety: 'chat' }, { type: 'routed', agent: 'chat', by: 'safety' }],
    ['mail me at a@research.org', {}, { type: 'undecided' }],
    ['@auto what now?', { locked: 'edit' }, { type: 'undecided', query: 'what now?', locked: null }],
    ['what now?', { locked: 'edit' }, { type: 'routed', agent: 'edit', by: 'lock', locked: 'edit' }],
    [
      'what now?',
      { locked: 'gone' },
      { type: 'undecided', locked: null, trace: [{ type: 'unknown-lock', name: 'gone' }] },
    ],
    ['@chat hi', { locked: 'edit' }, { type: 'routed', agent: 'chat', by: 'mention', locked: 'edit' }],
    ['hi', { requested: 'research' }, { type: 'routed', agent: 'research', by: 'request' }],
    ['hi', { requested: 'research', locked: 'edit' }, { type: 'routed', agent: 'edit', by: 'lock' }],
    ['hi', { requested: 'gone' }, { type: 'undecided', trace: [{ type: 'unknown-request', name: 'gone' }] }],
    [
      '@edit hi',
      { safety: 'chat', locked: 'edit', requested: 'edit' },
      { type: 'routed', agent: 'chat', by: 'safety' },
    ],
  ] as const)('[assistant-1] of %j with %j is %j', (message, more, expected) => {
    expect(ask(message, more)).toMatchObject(expected)
  })

  const name = fc.oneof(fc.constantFrom('chat', 'research', 'edit', 'gone', '__proto__'), fc.constant(null))
  const message = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('@chat', '@edi', '@auto', '@x', '@', '@@chat'), fc.string())
      .map((parts) => parts.join(' ')),
  )
  it('[assistant-1] is total, deterministic, and ranks safety, mention, lock, request and classifier', () => {
    fc.assert(
      fc.property(message, name, name, name, (text, locked, requested, safety) => {
        const input = { message: text, agents: AGENTS, locked, requested, safety }
        const routing = route(input)
        expect(route(input)).toEqual(routing)
        const known = (id: string | null): id is string => AGENTS.some((each) => each.id === id)
        expect(routing.locked === null || known(routing.locked)).toBe(true)
        if (routing.type === 'routed') expect(known(routing.agent)).toBe(true)
        if (known(safety)) expect(routing).toMatchObject({ type: 'routed', agent: safety, by: 'safety' })
        else if (routing.type === 'undecided') expect([routing.locked, known(requested)]).toEqual([null, false])
        else if (routing.type === 'routed' && routing.by === 'request') expect(routing.locked).toBe(null)
      }),
    )
  })
})
