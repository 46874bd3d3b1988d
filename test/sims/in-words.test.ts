import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { describe, expect, it } from 'vitest'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import { graphText } from '../support/graph-fixtures.ts'

const DESK = `id: desk
version: 1
name: Desk
description: Somebody wants a book.
states:
  greet:
    type: action
    objective: Find out what they want
    actions:
      - Ask what they want
      - Ask who wrote it
    exit_conditions:
      - description: They named a book
        next_state: bye
    dwell: { gate: false }
  bye:
    type: action
    objective: Part
    actions: [Say goodbye]
new_user_initial_state: greet
returning_user_initial_state: greet
terminal_state: bye
limits: { stall: 6 }
behaviors:
  - id: sad
    version: 1
    conversation_triggers: [They are sad]
    mode: merge
`

describe('what an author is told', () => {
  it('[document-31] is nothing where nothing is wrong', () => {
    expect(readGraph(DESK, 'desk.yaml').ok).toBe(true)
  })

  it.each([
    ['version: 1\nname', 'version: "1"\nname', '2:1 /version  has to be a number, and is text. Take the quotes away'],
    ['new_user_initial_state: greet\n', '', '1:1 /new_user_initial_state  is missing. It has to be text'],
    ['- Ask who wrote it', '- Ask: who wrote it', 'has to be text, and is keys with their values. A text with a colon'],
    ['    objective: Part\n', '    objective:\n', '/states/bye/objective  has to be text, and is empty'],
    ['actions: [Say goodbye]', 'actions: Say goodbye', 'has to be a list, and is text. Each item of a list has a dash'],
    ['exit_conditions', 'exit_condition', 'is not a key this file knows. Is exit_conditions meant?'],
    ['conversation_triggers', 'triggers', 'is not a key this file knows. Is conversation_triggers meant?'],
    ['limits:', 'wishes:', '/wishes  is not a key this file knows'],
    ['mode: merge', 'mode: MERGE', 'is none of merge, overwrite'],
    ['gate: false', 'gate: no', 'has to be true or false, and is text. YAML takes yes and no for text'],
    ['stall: 6', 'stall: 0', '/limits/stall  is less than 1'],
    ['stall: 6', 'exchanges: 101', '/limits/exchanges  is more than 100'],
    ['next_state: bye', 'next_state: lobby.enter', 'say where to go on after it, [lobby.enter, return_state]'],
    ['next_state: bye', 'next_state: to the end', 'is neither a state of this graph nor a call'],
    ['They named a book', 'They named: a book', 'A text with a colon in it stands in quotes'],
  ])('[document-31] %j as %j: %s', (from, to, says) => {
    expect(DESK).toContain(from)
    const said = complaintsOf(DESK.replace(from, to))
    expect(said.join('\n')).toContain(says)
    expect(said.join('\n')).not.toMatch(/expected|received|invalid|undefined|too (?:small|big)/i)
  })

  it('[document-31] says of each of several unknown keys which one was meant', () => {
    const said = complaintsOf(
      DESK.replace('objective: Find', 'objectives: Find').replace('    actions:\n', '    action:\n'),
    )
    expect(said.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      '/states/greet/objective  is missing. It has to be text',
      '/states/greet/objectives  is not a key this file knows. Is objective meant?',
      '/states/greet/action  is not a key this file knows. Is actions meant?',
    ])
  })

  it('[document-31] is told in the same words about a scenario and about every other document', () => {
    const scenario = readScenario('id: x\nversion: one\n', 'x.yaml', SHIPPED_LIBRARY)
    const said = scenario.ok ? [] : scenario.findings.map(({ message }) => message)
    expect(said).toContain('has to be a number, and is text')
    const coaching = complaintsOf(graphText('coaching@2').replace(/^version: 2$/m, 'version: [2]'))
    expect(coaching).toEqual([expect.stringContaining('has to be a number, and is a list')])
  })
})

function complaintsOf(text: string): readonly string[] {
  const read = readGraph(text, 'desk.yaml')
  if (read.ok) throw new Error('nothing is wrong with it')
  return read.findings.map(({ line, column, at, message }) => `${line}:${column} ${at}  ${message}`)
}
