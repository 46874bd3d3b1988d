import { describe, expect, it } from 'vitest'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { nearest } from '../../worker/core/graph/document/lints/nearest.ts'
import { graphDocument } from '../support/graph-fixtures.ts'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'

const NAMES = ['find_book', 'greet_visitor', 'say_goodbye', 'conversation_triggers', 'a', 'b']

describe('a name that is not there', () => {
  it.each([
    ['find_bok', 'find_book'],
    ['greet_visiter', 'greet_visitor'],
    ['triggers', 'conversation_triggers'],
    ['say', 'say_goodbye'],
    ['elsewhere', null],
    ['c', null],
    ['', null],
  ])('[lint-27] %j was likely meant for %j', (name, meant) => {
    expect(nearest(name, NAMES)).toBe(meant)
  })

  it('[lint-27] is answered with the one that was likely meant, wherever it stands', () => {
    const said = messages({
      greet: exits('find_bok', ['lobbi.enter', 'find_boook']),
      find_book: exits('bye'),
      bye: END,
    })
    expect(said).toContain('Leads to find_bok, which does not exist. Is find_book meant?')
    expect(said).toContain('Calls lobbi.enter, but no reference is called "lobbi". Is lobby meant?')
    expect(said).toContain('Returns to find_boook, which is no state of this graph. Is find_book meant?')
  })

  it('[lint-27] is answered with nothing where nothing is near', () => {
    expect(messages({ greet: exits('nowhere', 'bye'), bye: END })).toContain('Leads to nowhere, which does not exist.')
  })

  it('[lint-27] what nothing leads to is told apart from what only comes after it', () => {
    const found = lint({ greet: exits('bye'), lost: exits('after'), after: exits('bye'), bye: END })
    const unreached = found.filter(({ code }) => code === 'G007').map(({ at, message }) => [at, message])
    expect(unreached).toEqual([
      ['/states/after', 'Only states that no conversation comes to lead here. Lead to one of them, or remove it.'],
      ['/states/lost', 'No exit leads here. Lead to it, or remove it.'],
    ])
  })
})

const END = { type: 'action', objective: 'Part', actions: ['Say goodbye'] }

function exits(...targets: readonly (string | readonly string[])[]) {
  const exit_conditions = targets.map((next_state, i) => ({ description: `Way ${'abcd'[i]}`, next_state }))
  return { type: 'action', objective: 'Go on', actions: ['Ask', 'Ask again'], exit_conditions }
}

function messages(states: object): readonly string[] {
  return lint(states).map(({ message }) => message)
}

function lint(states: object) {
  const parsed = parseGraph({
    id: 'desk',
    version: 1,
    name: 'Desk',
    description: 'Somebody wants a book.',
    states,
    new_user_initial_state: 'greet',
    returning_user_initial_state: 'greet',
    terminal_state: 'bye',
    references: { lobby: ['coaching', 2] },
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings))
  return lintDocument(parsed.document, { library: [parsed.document, graphDocument('coaching@2')], npc: null })
}
