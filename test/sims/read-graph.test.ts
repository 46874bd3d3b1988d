import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readGraph } from '../../sims/authoring/read-graph.ts'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'
import { formatFinding, formError } from '../../sims/authoring/finding.ts'
import type { StateDocument } from '../../worker/core/graph/document/document.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { graphData, graphDocument, graphFile, graphText } from '../support/graph-fixtures.ts'
import { spellGraph } from '../support/spell-graph.ts'
import { wholeDocument } from '../support/whole-document.ts'
import { runs } from '../support/runs.ts'

const FILE = graphFile('coaching@2')
const coaching = graphText('coaching@2')
const COACHING_DATA = graphData('coaching@2')

describe('a document', () => {
  it('[document-1] is the same in YAML and in JSON, however that is indented', () => {
    const data = graphData('coaching@2')
    const read = graphDocument('coaching@2')
    for (const indent of [0, 2, '\t']) expect(documentOf(JSON.stringify(data, null, indent))).toEqual(read)
  })

  it('[document-1] is the same with states by name and with a list of named states', () => {
    const { states, ...rest } = graphData('coaching@2')
    const list = Object.entries(states as Record<string, object>).map(([name, state]) => ({ name, ...state }))
    const read = documentOf(stringify({ ...rest, states: list }))
    expect(read).toEqual(graphDocument('coaching@2'))
    expect(read.states.map(({ name }) => name)).toEqual(list.map(({ name }) => name))
  })

  it('[document-2] holds the action state of the source documents, field by field', () => {
    expect(stateOf('engage_client_on_in_scope_topic')).toEqual({
      type: 'action',
      name: 'engage_client_on_in_scope_topic',
      objective: expect.stringMatching(/^Work on what the client asks, .* follow where they turn$/),
      actions: [
        'Answer every question that is open, with something of use before anything is asked back',
        'Ask one precise thing that would change the answer for this client',
        'Go along with a change of topic as it comes',
      ],
      navigationGuidelines: [
        'A new topic is taken up here and is no reason to leave',
        'Keep in mind which topic is the present one',
        'Say aloud that the topic has changed, then go on with the new one',
      ],
      actionGuidelines: ['Fit every answer to this client and to nobody in general', 'Be of use before being curious'],
      boundaryConstraints: [
        { text: 'Never leave because the topic changed', isHard: false },
        { text: 'Never pull the client back to a topic they have left unless they ask', isHard: true },
      ],
      exits: [
        {
          description: 'The present topic is finished and there may be others to look at',
          nextState: 'reflect_on_conversation_topics',
          isSafety: false,
          when: null,
          isGuarded: false,
        },
        {
          description: 'The client says plainly that they want to end the session now',
          nextState: 'end_session',
          isSafety: true,
          when: null,
          isGuarded: false,
        },
      ],
      includedContexts: ['task'],
      messageMetadata: ['coaching_session', 'focused_engagement'],
      dwell: null,
      satisfyWhen: null,
      contentSource: null,
      overlay: null,
      pivot: null,
    })
  })

  it('[document-2] has every field of every type of state', () => {
    fc.assert(
      fc.property(wholeDocument, fc.constantFrom('map' as const, 'list' as const), (document, form) => {
        expect(parseGraph(spellGraph(document, form))).toEqual({ ok: true, document })
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[document-2] that says only what it must gets the defaults of the documentation', () => {
    const data = {
      id: 'least',
      version: 1,
      name: 'Least',
      description: 'As little as will do.',
      states: {
        greet: { type: 'action', objective: 'Say hello' },
        look: { type: 'recall', next_state: 'send' },
        send: { type: 'side-effect', side_effect: { type: 'emit-event', event: 'seen' }, next_state: 'part' },
        choose: { type: 'decision', objective: 'Choose' },
        part: {
          type: 'action',
          objective: 'Part',
          dwell: {},
          exit_conditions: [{ description: 'Go', next_state: 'greet' }],
        },
      },
      new_user_initial_state: 'greet',
      returning_user_initial_state: 'greet',
      terminal_state: 'greet',
    }
    const parsed = parseGraph(data)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings))
    const { states, ...rest } = parsed.document
    expect(rest).toEqual({
      id: 'least',
      version: 1,
      name: 'Least',
      description: 'As little as will do.',
      newUserInitialState: 'greet',
      returningUserInitialState: 'greet',
      terminalState: 'greet',
      references: {},
      globalNavigationGuidelines: [],
      globalActionGuidelines: [],
      globalBoundaryConstraints: [],
      topologyDescription: null,
      behaviors: [],
      content: {},
      limits: { stall: 20, exchanges: 80 },
      speaksAtReturn: false,
      allowsRecursion: false,
      migrations: [],
    })
    expect(states[1]).toMatchObject({ queries: null, requestedInformation: null })
    expect(states[2]).toMatchObject({ sideEffect: { data: {} } })
    expect(states[3]).toMatchObject({ guidelines: [], exits: [] })
    expect(states[4]).toMatchObject({
      actions: [],
      dwell: { minTurns: 0, maxTurns: null, isGate: false, selfLoop: true },
      exits: [{ isSafety: false, when: null, isGuarded: false }],
    })
  })

  it('[document-2] is no longer than the documentation says', () => {
    const docs = readFileSync(new URL('../../docs/reference/graphs.md', import.meta.url), 'utf8')
    const example = /```yaml\n([^]*?)```/.exec(docs)?.[1] ?? ''
    const document = documentOf(example)
    expect(document.id).toBe('front-desk')
    expect(link(document, { library: [], scenario: null, npc: null }).ok).toBe(true)
  })

  it('[document-3] says a call with the state to go on with after it', () => {
    expect(stateOf('take_their_load')).toMatchObject({
      nextStates: [{ call: 'load.ask_for_load', returnTo: 'after_their_load' }],
    })
    expect(stateOf('choose_what_is_next')).toMatchObject({
      exits: [{}, {}, { nextState: { call: 'mood.ask_for_mood', returnTo: 'tell_the_office' } }, {}],
    })
  })

  it('[document-3] may have a silent state with no way on, or with several, for the lint to object to', () => {
    const withNext = (line: string) => documentOf(coaching.replace('    next_state: choose_what_is_next\n', () => line))
    const nextOf = (line: string) => withNext(line).states.find(({ name }) => name === 'reflect_on_conversation_topics')
    expect(nextOf('')).toMatchObject({ nextStates: [] })
    expect(nextOf('    next_state: [end_session, put_the_choice]\n')).toMatchObject({
      nextStates: ['end_session', 'put_the_choice'],
    })
  })

  it('[document-4] has guarded exits where a condition stands or where it says so', () => {
    expect(stateOf('put_the_choice')).toMatchObject({
      exits: [
        { when: { relationship: { atLeast: 'trusting' } }, isGuarded: true },
        { when: null, isGuarded: true },
      ],
      overlay: {
        when: {
          all: [
            { relationship: { atLeast: 'cooperative' } },
            { not: { satisfied: 'greet_client' } },
            { any: [{ satisfied: 'engage_client_on_in_scope_topic' }, { relationship: { atLeast: 'trusting' } }] },
          ],
        },
      },
    })
  })
})

/**
 * Each defect is one change to the coaching graph, with the message that the change must cause and the text at the
 * message's position.
 */
const defects: readonly { rule: string; what: string; from: string; to: string; says: string; at: string }[] = [
  {
    rule: 'document-5',
    what: 'a misspelt key of the graph',
    from: 'terminal_state: end_session\n',
    to: 'terminal_state: end_session\nterminal_staet: x\n',
    says: '/terminal_staet  is not a key',
    at: 'terminal_staet: x',
  },
  {
    rule: 'document-5',
    what: 'a misspelt key of a state',
    from: '    word_limit: 60',
    to: '    word_limits: 60',
    says: '/states/reflect_on_conversation_topics/word_limits  is not a key',
    at: 'word_limits: 60',
  },
  {
    rule: 'document-5',
    what: 'a field of another type of state',
    from: '    problem: Which topics',
    to: '    objective: Think\n    problem: Which topics',
    says: '/objective  is not a key',
    at: 'objective: Think',
  },
  {
    rule: 'document-5',
    what: 'a missing field',
    from: '    word_limit: 60\n',
    to: '',
    says: '/states/reflect_on_conversation_topics/word_limit  ',
    at: 'reflect_on_conversation_topics:\n    type',
  },
  {
    rule: 'document-5',
    what: 'a type of state there is not',
    from: '    type: reflection',
    to: '    type: meditation',
    says: '/type  is no type of state: action, decision, recall, reflection, annotation or side-effect',
    at: 'type: meditation',
  },
  {
    rule: 'document-5',
    what: 'a wrong type of value',
    from: '    word_limit: 60',
    to: '    word_limit: sixty',
    says: '/word_limit  ',
    at: 'word_limit: sixty',
  },
  {
    rule: 'document-5',
    what: 'an empty line',
    from: '  - Do one thing at a time',
    to: '  - " "',
    says: 'is empty',
    at: '" "',
  },
  {
    rule: 'document-5',
    what: 'a side effect there is not',
    from: '      type: send-email',
    to: '      type: send-fax',
    says: 'is no side effect: emit-event or send-email',
    at: 'type: send-fax',
  },
  {
    rule: 'document-5',
    what: 'event data that is no text',
    from: 'stage: closing }',
    to: 'stage: 3 }',
    says: 'side_effect/data/stage',
    at: 'stage: 3',
  },
  {
    rule: 'document-5',
    what: 'a boundary of neither form',
    from: '- { text: Never pull',
    to: '- { txt: Never pull',
    says: 'is neither a sentence nor { text, hard }',
    at: '{ txt: Never',
  },
  {
    rule: 'document-5',
    what: 'a reference without a version',
    from: 'mood: [check-in, 1]',
    to: 'mood: check-in',
    says: '/references/mood  is no reference: [id, version]',
    at: 'mood: check-in',
  },
  {
    rule: 'document-5',
    what: 'a behavior nothing triggers',
    from: '    conversation_triggers:\n      - The client has to leave in a few minutes\n',
    to: '    conversation_triggers: []\n',
    says: 'needs 1 to 50 triggers',
    at: 'conversation_triggers: []',
  },
  {
    rule: 'document-5',
    what: 'a mode there is not',
    from: 'mode: merge',
    to: 'mode: replace',
    says: 'behaviors/1/mode',
    at: 'mode: replace',
  },
  {
    rule: 'document-5',
    what: 'a version 0',
    from: 'service_hierarchical_state_machine_id: coaching\nversion: 2',
    to: 'service_hierarchical_state_machine_id: coaching\nversion: 0',
    says: '/version  versions count from 1',
    at: 'version: 0',
  },
  {
    rule: 'document-5',
    what: 'a fork with one way',
    from: secondChoice(),
    to: '',
    says: '2 to 4 choices',
    at: 'choices:',
  },
  {
    rule: 'document-3',
    what: 'a call that does not say where to return to',
    from: 'next_state: [load.ask_for_load, after_their_load]',
    to: 'next_state: load.ask_for_load',
    says: 'say where to go on after it, [load.ask_for_load, return_state]',
    at: 'next_state: load.ask_for_load',
  },
  {
    rule: 'document-3',
    what: 'an exit to a list of states',
    from: 'next_state: [mood.ask_for_mood, tell_the_office]',
    to: 'next_state: [ask_for_mood, tell_the_office]',
    says: 'is neither a state of this graph nor a call',
    at: 'next_state: [ask_for_mood',
  },
  {
    rule: 'document-4',
    what: 'a condition of two kinds',
    from: 'when: { relationship: trusting }',
    to: 'when: { relationship: trusting, satisfied: greet_client }',
    says: '/when  is no condition: give exactly one',
    at: 'when: { relationship: trusting, sat',
  },
  {
    rule: 'document-4',
    what: 'a condition deep inside that is none',
    from: '- relationship: trusting\n',
    to: '- relationship: friendly\n',
    says: 'overlay/when/all/2/any/1/relationship',
    at: 'relationship: friendly',
  },
  {
    rule: 'document-4',
    what: 'a condition on an exit that is not guarded',
    from: 'when: { relationship: trusting }',
    to: 'when: { relationship: trusting }\n        guarded: false',
    says: '/guarded  is false, but',
    at: 'guarded: false',
  },
  {
    rule: 'document-4',
    what: 'a guarded way out for what nobody planned for',
    from: '        guarded: true',
    to: '        guarded: true\n        safety: true',
    says: '/safety  is for an exit that is chosen',
    at: 'safety: true\n\n  tell_the_office',
  },
  {
    rule: 'document-6',
    what: 'no id',
    from: 'service_hierarchical_state_machine_id: coaching\n',
    to: '',
    says: 'has no id',
    at: '# A graph that uses every field',
  },
  {
    rule: 'document-6',
    what: 'two ids',
    from: 'version: 2\nname',
    to: 'id: couching\nversion: 2\nname',
    says: '/id  differs from service_hierarchical_state_machine_id',
    at: 'id: couching',
  },
  {
    rule: 'document-7',
    what: 'a state whose name is none',
    from: '  tell_the_office:\n',
    to: '  tell the office:\n',
    says: 'is no name',
    at: 'tell the office:',
  },
  {
    rule: 'document-7',
    what: 'a state that JavaScript has already',
    from: '  tell_the_office:\n',
    to: '  constructor:\n',
    says: 'is a name that JavaScript keeps for itself',
    at: 'constructor:',
  },
  {
    rule: 'document-7',
    what: 'a state called __proto__',
    from: '  tell_the_office:\n',
    to: '  __proto__:\n',
    says: 'is not a key this file knows',
    at: '__proto__:',
  },
  {
    rule: 'document-7',
    what: 'content under a name that no source could say',
    from: '  both_ways:\n    - Staying',
    to: '  both-ways:\n    - Staying',
    says: 'is no name for content',
    at: 'both-ways:\n    - Staying',
  },
  {
    rule: 'document-9',
    what: 'two behaviors of a name',
    from: 'id: short_of_time',
    to: 'id: in_distress',
    says: 'there is another behavior "in_distress"',
    at: 'id: in_distress\n    version: 1',
  },
  {
    rule: 'document-9',
    what: 'a migration from its own version',
    from: '- from: 1',
    to: '- from: 2',
    says: 'is no version before 2',
    at: 'from: 2',
  },
  {
    rule: 'document-9',
    what: 'a terminal state that stays',
    from: '      - Say goodbye and name the one thing the client takes on\n',
    to: '      - Say goodbye and name the one thing the client takes on\n    dwell: { max: 3 }\n',
    says: '/dwell  has no place in the terminal state',
    at: 'dwell: { max: 3 }',
  },
]

describe('two more types of state', () => {
  it('[document-40] are read as what they come to', () => {
    const states = {
      ask: {
        type: 'data-collection',
        objective: 'Ask how old they are',
        exit_conditions: [{ description: 'Told', next_state: 'look_up' }],
      },
      look_up: { type: 'tool-call', tool: 'age_band', data: { of: 'client' }, next_state: 'part' },
      part: { type: 'action', objective: 'Part', actions: ['Say goodbye'] },
    }
    const ends = { new_user_initial_state: 'ask', returning_user_initial_state: 'ask', terminal_state: 'part' }
    const parsed = parseGraph({ id: 'ages', version: 1, name: 'Ages', description: 'Ages.', states, ...ends })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings))
    expect(parsed.document.states[0]).toMatchObject({ type: 'action', objective: 'Ask how old they are' })
    expect(parsed.document.states[1]).toMatchObject({
      type: 'side-effect',
      sideEffect: { type: 'emit-event', event: 'tool.age_band', data: { of: 'client' } },
    })
  })
})

describe('a defect of a document', () => {
  it.each(defects.map((defect) => [`[${defect.rule}] ${defect.what}`, defect] as const))(
    '%s is found, at its line',
    (_, { from, to, says, at }) => {
      const text = changed(from, to)
      const found = findingsOf(text).filter((finding) => finding.includes(says))
      expect(found).not.toEqual([])
      expect(found.map((finding) => Number(finding.split(':')[1]))).toContain(lineOf(text, at))
    },
  )

  it('[document-9] two states of a name, in a list, are found at the second', () => {
    const { states, ...rest } = graphData('check-in@1')
    const [first] = Object.entries(states as Record<string, object>).map(([name, state]) => ({ name, ...state }))
    const text = stringify({ ...rest, states: [first, first] })
    expect(findingsOf(text).map((finding) => finding.replace(/^.*? /, ''))).toContain(
      'error form /states/1/name  there is another state "ask_for_mood"',
    )
  })

  it('[document-5] of the YAML itself is found at its line and column', () => {
    const reading = readGraph('id: a\nstates: [b\nversion: 1\n', 'x.yaml')
    expect(reading.ok ? '' : formatFinding(reading.findings[0]!)).toMatch(/^x\.yaml:3:\d+ error form \/ {2}/)
  })

  it('[document-5] comes with all the others, in the order of the file', () => {
    const text = changed('version: 2\nname', 'version: x\nname')
      .replace('    word_limit: 60', '    word_limit: x')
      .replace('mode: merge', 'mode: x')
    const reading = readGraph(text, FILE)
    const lines = reading.ok ? [] : reading.findings.map(({ line }) => line)
    expect(lines).toHaveLength(3)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })

  it('[document-5] has a place for a pointer into the document, whatever form its states have', () => {
    const pointer = '/states/choose_what_is_next/exit_conditions/2/next_state/1'
    expect(lineAt(coaching, pointer)).toBe(lineOf(coaching, 'tell_the_office]'))
    const { states, ...rest } = graphData('coaching@2')
    const list = Object.entries(states as Record<string, object>).map(([name, state]) => ({ name, ...state }))
    const text = stringify({ ...rest, states: list })
    expect(lineAt(text, pointer)).toBe(lineOf(text, '- tell_the_office'))
    expect(lineAt(text, '/nodes/end_session/maxTurns')).toBe(lineOf(text, '- name: end_session'))
    expect(lineAt(text, '/states/nowhere')).toBe(lineOf(text, '\nstates:') + 1)
    expect(lineAt(text, '')).toBe(1)
  })
})

describe('anything else', () => {
  it.each(['', '[]', '42', 'null', 'states: 3', 'states: [null, 3, {name: 5}]', 'a: *b', 'states: &a [*a]', '[[['])(
    '[document-8] a file that is %j is refused, not crashed on',
    (text) => {
      const reading = readGraph(text, 'x.yaml')
      expect(reading.ok ? [] : reading.findings).not.toEqual([])
    },
  )

  it('[document-8] a file nested beyond what a parser can follow is refused', () => {
    const reading = readGraph('['.repeat(20_000), 'x.yaml')
    expect(reading.ok ? [] : reading.findings).not.toEqual([])
  })

  it('[document-8] data that holds itself is refused', () => {
    const guard: Record<string, unknown> = {}
    guard['not'] = guard
    const data = graphData('check-in@1')
    const parsed = parseGraph({ ...data, states: { a: { type: 'action', objective: 'x', overlay: guard } } })
    expect(parsed.ok ? [] : parsed.findings).toEqual([
      formError(['states', 'a', 'overlay', 'not'], 'is nested too deeply'),
    ])
  })

  it('[document-8] any data is a document or problems', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything(), mutated()), (data) => {
        const parsed = parseGraph(data)
        if (parsed.ok) expect(parseGraph(spellGraph(parsed.document))).toEqual(parsed)
        else expect(parsed.findings.length).toBeGreaterThan(0)
      }),
      { numRuns: runs('usual') },
    )
  })

  it('[document-8] any text is a document or findings', () => {
    fc.assert(
      fc.property(fc.nat(coaching.length), fc.nat(40), fc.string({ maxLength: 8 }), (at, gone, put) => {
        const reading = readGraph(coaching.slice(0, at) + put + coaching.slice(at + gone), FILE)
        if (!reading.ok) expect(reading.findings.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true)
      }),
      { numRuns: runs('dear') },
    )
  })
})

/** Generates the coaching graph with one value replaced by any JSON value. */
function mutated(): fc.Arbitrary<unknown> {
  return fc.tuple(fc.infiniteStream(fc.nat()), fc.jsonValue()).map(([choices, put]) => {
    const data = structuredClone(COACHING_DATA)
    const deep = (choices.next().value ?? 0) % 5
    let here: Record<string, unknown> = data
    for (let level = 0; ; level++) {
      const keys = Object.keys(here)
      const key = keys[(choices.next().value ?? 0) % keys.length] ?? ''
      const below = here[key]
      if (level === deep || typeof below !== 'object' || below === null || Object.keys(below).length === 0) {
        here[key] = put
        return data
      }
      here = below as Record<string, unknown>
    }
  })
}

function documentOf(text: string) {
  const reading = readGraph(text, FILE)
  if (!reading.ok) throw new Error(reading.findings.map(formatFinding).join('\n'))
  return reading.document
}

function stateOf(name: string): StateDocument | undefined {
  return graphDocument('coaching@2').states.find((state) => state.name === name)
}

function findingsOf(text: string): readonly string[] {
  const reading = readGraph(text, FILE)
  return reading.ok ? [] : reading.findings.map(formatFinding)
}

function lineAt(text: string, pointer: string): number {
  const reading = readGraph(text, FILE)
  return reading.ok ? reading.positionOf(pointer).line : 0
}

function changed(from: string, to: string): string {
  if (!coaching.includes(from)) throw new Error(`the graph no longer has: ${from}`)
  return coaching.replace(from, () => to)
}

function lineOf(text: string, at: string): number {
  const offset = text.indexOf(at)
  if (offset < 0) throw new Error(`the changed graph has no: ${at}`)
  return text.slice(0, offset).split('\n').length
}

function secondChoice(): string {
  const start = coaching.indexOf('        - id: b\n')
  return coaching.slice(start, coaching.indexOf('    content_source: content.both_ways', start))
}
