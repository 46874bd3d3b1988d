import { BACKBONES } from '../support/backbones.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'
import type { ActionDocument, GraphDocument, StateDocument } from '../../worker/core/graph/document/document.ts'
import { flatten } from '../../worker/core/graph/document/flatten.ts'
import { type Graph, nodeOf, speaks, type SpeakingNode } from '../../worker/core/graph/graph.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { linkedSet } from '../../worker/core/graph/document/linked-set.ts'
import { DEFAULT_POLICY } from '../../worker/core/graph/policy.ts'
import { topologyOf } from '../../worker/core/graph/map/topology.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { actionOf, anyDocument, documentOf, exitOf, OTHER } from '../support/any-document.ts'
import { graphDocument } from '../support/graph-fixtures.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'
import { spellGraph } from '../support/spell-graph.ts'
import { runs } from '../support/runs.ts'

const coaching = graphDocument('coaching@2')
const mood = graphDocument('check-in@1')
const load = graphDocument('check-in@2')
const library = [mood, load, coaching]

describe('a linked graph', () => {
  it('[document-10] keeps the names of its own states and qualifies those of graphs it refers to', () => {
    const graph = linked(coaching)
    expect(graph.order).toEqual([
      ...coaching.states.map(({ name }) => name),
      'check-in@1/ask_for_mood',
      'check-in@1/note_mood',
      'check-in@1/leave_check',
      'check-in@2/ask_for_load',
      'check-in@2/leave_check',
    ])
    expect(Object.keys(graph.nodes).toSorted()).toEqual(graph.order.toSorted())
    expect(graph.order.every((id) => nodeOf(graph, id).id === id)).toBe(true)
  })

  it('[document-10] holds two versions of one graph side by side', () => {
    const graph = linked(coaching)
    expect(nodeOf(graph, 'check-in@1/leave_check').intent).toBe('Hand back')
    expect(speaking(graph, 'check-in@1/leave_check').actions).toEqual(['Thank them'])
    expect(speaking(graph, 'check-in@2/leave_check').actions).toEqual(['Thank them for the number'])
    expect(graph.modules).toMatchObject({
      'check-in@1': { graph: 'check-in', version: 1, terminal: 'check-in@1/leave_check', speaksAtReturn: false },
      'check-in@2': { graph: 'check-in', version: 2, terminal: 'check-in@2/leave_check', speaksAtReturn: true },
    })
  })

  it('[document-10] leaves out what no walk can come to, and whole graphs that nothing calls', () => {
    const graph = linked(coaching)
    expect(load.states.map(({ name }) => name)).toContain('ask_before_load')
    expect(graph.nodes).not.toHaveProperty(['check-in@2/ask_before_load'])
    const idle = linked({ ...mood, references: { load: { id: 'check-in', version: 2 } } })
    expect(Object.keys(idle.modules)).toEqual(['check-in@1'])
    expect(idle.order).toEqual(mood.states.map(({ name }) => name))
  })

  it('[document-10] goes through references of references', () => {
    const outer = caller('outer', { middle: { id: 'middle', version: 1 } }, 'middle.greet')
    const middle = caller('middle', { mood: { id: 'check-in', version: 1 } }, 'mood.ask_for_mood')
    const graph = linked(outer, [middle, mood])
    expect(nodeOf(graph, 'middle@1/greet').exits[0]).toMatchObject({
      to: 'check-in@1/ask_for_mood',
      returnTo: 'middle@1/close',
    })
    expect(Object.keys(graph.modules)).toEqual(['outer@1', 'middle@1', 'check-in@1'])
  })

  it('[document-11] is not made of a document with an error, and all findings come in order', () => {
    const broken = {
      ...coaching,
      terminalState: 'nowhere',
      states: coaching.states.map((state) => (state.type === 'reflection' ? { ...state, wordLimit: 0 } : state)),
    }
    const result = link(broken, about(library))
    expect(result.ok).toBe(false)
    const codes = result.findings.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['G003', 'G014']))
    expect(codes).toEqual(codes.toSorted())
  })

  it('[document-11] is not made when a graph it refers to has an error, told at the reference', () => {
    const broken = {
      ...mood,
      states: mood.states.map((state) => (state.type === 'annotation' ? { ...state, nextStates: [] } : state)),
    }
    const result = link(coaching, about([broken, load]))
    expect(result.ok).toBe(false)
    expect(result.findings).toContainEqual({
      code: 'G012',
      severity: 'error',
      at: '/references/mood',
      message: expect.stringMatching(/^In check-in@1 at \/states\/note_mood/),
    })
  })

  it('[document-11] says nothing of what is only doubtful in a graph it refers to', () => {
    const result = link(coaching, about(library))
    expect(result.ok).toBe(true)
    expect(link(mood, about([])).findings.map(({ code }) => code)).toContain('G027')
    expect(result.findings.filter(({ at }) => at.startsWith('/references'))).toEqual([])
  })

  it('[document-11] needs every version it refers to', () => {
    const result = link(coaching, about([mood]))
    expect(result.ok).toBe(false)
    expect(result.findings).toContainEqual(expect.objectContaining({ code: 'G002', at: '/references/load' }))
  })
})

describe('a state as a node', () => {
  it('[document-12] speaks, and stays until somebody picks a way out', () => {
    expect(nodeOf(linked(coaching), 'engage_client_on_in_scope_topic')).toMatchObject({
      kind: 'speak',
      module: 'coaching@2',
      minTurns: 0,
      maxTurns: null,
      isGate: false,
      selfLoop: true,
      satisfyWhen: null,
      content: [],
      overlay: null,
      contexts: ['task'],
      messageMetadata: ['coaching_session', 'focused_engagement'],
      exits: [
        { id: 'exit-1', by: 'choice', to: 'reflect_on_conversation_topics', returnTo: null, isSafety: false },
        { id: 'exit-2', by: 'choice', to: 'end_session', returnTo: null, isSafety: true },
      ],
    })
  })

  it('[document-12] has the length of stay, the fork, the overlay and the guarded exits it was given', () => {
    const graph = linked(coaching)
    expect(nodeOf(graph, 'greet_client')).toMatchObject({ minTurns: 1, maxTurns: 4, satisfyWhen: expect.any(String) })
    expect(nodeOf(graph, 'put_the_choice')).toMatchObject({
      kind: 'pivot',
      pivot: { id: 'p1', choices: [{ id: 'a' }, { id: 'b' }] },
      overlay: { id: 'own_story', content: { source: 'content.own_story', lines: ['I stayed a year too long once.'] } },
      exits: [
        { id: 'exit-1', by: 'guard', when: { relationship: { atLeast: 'trusting' } } },
        { id: 'exit-2', by: 'guard', when: null, to: 'tell_the_office' },
      ],
    })
  })

  it('[document-13] that is the last has its say once, and is where a call returns', () => {
    const graph = linked(coaching)
    for (const id of ['end_session', 'check-in@1/leave_check', 'check-in@2/leave_check']) {
      expect(nodeOf(graph, id)).toMatchObject({
        kind: 'speak',
        minTurns: 1,
        maxTurns: 1,
        selfLoop: false,
        exits: [{ id: 'end', by: 'guard', when: null, to: null, returnTo: null }],
      })
    }
    expect(graph.terminal).toBe('end_session')
  })

  it('[document-14] that is silent is of its kind and has one way on', () => {
    const graph = linked(coaching)
    const next = (to: string, returnTo: string | null = null) => [{ id: 'next', by: 'guard', when: null, to, returnTo }]
    expect(nodeOf(graph, 'recall_last_session')).toMatchObject({
      kind: 'recall',
      queries: ['What did the client agree to try', 'Which of it did they do'],
      requested: 'What the client took on last time',
      exits: next('take_their_load'),
    })
    expect(nodeOf(graph, 'take_their_load')).toMatchObject({
      kind: 'annotate',
      thought: 'From here on the client says how they are.',
      exits: next('check-in@2/ask_for_load', 'after_their_load'),
    })
    expect(nodeOf(graph, 'reflect_on_conversation_topics')).toMatchObject({
      kind: 'reflect',
      wordLimit: 60,
      exits: next('choose_what_is_next'),
    })
    expect(nodeOf(graph, 'send_the_summary')).toMatchObject({
      kind: 'effect',
      sideEffect: { type: 'send-email', subject: 'Your session' },
      exits: next('end_session'),
    })
    expect(nodeOf(graph, 'choose_what_is_next')).toMatchObject({
      kind: 'decide',
      guidelines: ['What is open and pressing goes before what is open'],
      exits: [
        { by: 'choice', to: 'engage_client_on_in_scope_topic' },
        { by: 'choice', to: 'put_the_choice' },
        { id: 'exit-3', by: 'choice', to: 'check-in@1/ask_for_mood', returnTo: 'tell_the_office' },
        { by: 'choice', to: 'tell_the_office' },
      ],
    })
  })

  it('[document-14] names nodes in its conditions, and keeps its overlay apart from others of that name', () => {
    const graph = linked(coaching)
    expect(speaking(graph, 'put_the_choice').overlay?.when).toMatchObject({
      all: [
        {},
        { not: { satisfied: 'greet_client' } },
        { any: [{ satisfied: 'engage_client_on_in_scope_topic' }, {}] },
      ],
    })
    expect(speaking(graph, 'check-in@2/ask_for_load').overlay).toMatchObject({
      id: 'check-in@2/own_story',
      when: { satisfied: 'check-in@2/ask_for_load' },
    })
  })

  it('[document-15] is guided by its own graph’s global guidelines first, then by its own', () => {
    const graph = linked(coaching)
    expect(speaking(graph, 'greet_client').guidelines).toEqual({
      navigation: [
        'Do one thing at a time',
        'Start with the welcome and name what was agreed only to somebody who has been here',
      ],
      action: ['Write the way a calm person talks', "Use the client's own word for their trouble"],
      boundary: [
        { text: 'Name no illness and no medicine', isHard: true },
        { text: 'Speak of nobody the client has not spoken of', isHard: false },
        { text: 'Give no advice before there is a topic', isHard: false },
      ],
    })
    expect(speaking(graph, 'check-in@2/ask_for_load').guidelines).toEqual({
      navigation: [],
      action: ['Never comment on a number', 'Take any number as it is'],
      boundary: [],
    })
  })

  it('[document-15] of every graph has all the global guidelines, in front', () => {
    fc.assert(
      fc.property(anyDocument, fc.array(fc.string()), fc.array(fc.string()), (document, navigation, action) => {
        const boundary = action.map((text) => ({ text, isHard: true }))
        const global = {
          globalNavigationGuidelines: navigation,
          globalActionGuidelines: action,
          globalBoundaryConstraints: boundary,
        }
        const graph = flat({ ...document, ...global })
        for (const node of Object.values(graph.nodes).filter(speaks)) {
          const own = node.module === graph.modules[node.module]?.id && node.module.startsWith('sample@')
          expect(node.guidelines).toEqual(
            own ? { navigation, action, boundary } : { navigation: [], action: [], boundary: [] },
          )
        }
      }),
    )
  })
})

describe('content of a context graph', () => {
  it('[document-16] comes from the graph itself by name', () => {
    expect(speaking(linked(coaching), 'put_the_choice').content).toEqual([
      { source: 'content.both_ways', lines: coaching.content['both_ways'] },
      { source: 'content.document', lines: ['Notes are kept for 90 days.'] },
      { source: 'pivots[p1]', lines: ['If nothing changed until spring, would you still be here?'] },
    ])
  })

  it('[document-16] comes from the colleague and the scenario as in a backbone', () => {
    const graph = linkedFor(
      withSource('greet_client', 'decision_facts + content.welcome + scenario.decision'),
      sampleNpc,
    )
    expect(speaking(graph, 'greet_client').content).toEqual([
      { source: 'decision_facts', lines: sampleNpc.decisionFacts },
      { source: 'content.welcome', lines: ['The hour is theirs.'] },
      { source: 'scenario.decision', lines: expect.arrayContaining(['Ship or wait?']) },
    ])
    expect(
      nodeOf(linkedFor(withSource('put_the_choice', 'pivots[p2]', null), sampleNpc), 'put_the_choice'),
    ).toMatchObject({
      kind: 'pivot',
      pivot: sampleNpc.pivots[1],
    })
  })

  it('[document-16] is stood in for where there is no colleague', () => {
    expect(speaking(linked(withSource('greet_client', 'decision_facts')), 'greet_client').content).toEqual([
      { source: 'decision_facts', lines: ['[decision_facts]'] },
    ])
  })

  it.each(['nonsense', 'content.nothing', 'content.welcome[x]', 'content.constructor', 'greeting +', '__proto__'])(
    '[document-16] that is called %j is G024, with a colleague and without',
    (source) => {
      for (const who of [null, sampleNpc]) {
        const result = link(withSource('greet_client', source), {
          ...about(library),
          npc: who,
          scenario: who && sampleScenario,
        })
        expect(result.findings).toContainEqual(
          expect.objectContaining({ code: 'G024', at: '/states/greet_client/content_source' }),
        )
        expect(result.ok).toBe(false)
      }
    },
  )
})

describe('what a linked graph says of itself', () => {
  it('[document-17] is the document’s: entries, limits, version, why and where', () => {
    const graph = linked(coaching)
    expect(graph).toMatchObject({
      ir: 2,
      id: 'coaching',
      version: 2,
      entry: 'greet_client',
      returning: 'engage_client_on_in_scope_topic',
      policy: { ...DEFAULT_POLICY, stallBackstop: 12, exchangeLimit: 40 },
      migrations: coaching.migrations,
      closing: { objective: { id: 'coaching', title: 'Coaching session' }, document: null, next: null },
    })
    expect(graph.modules['coaching@2']).toMatchObject({
      description: coaching.description,
      topology: topologyOf(coaching, library),
    })
    expect(graph.modules['check-in@1']?.topology).toBe(topologyOf(mood))
  })

  it('[document-17] is the colleague’s where there is one: its closing and its id', () => {
    const graph = linkedFor(coaching, sampleNpc)
    expect(graph.id).toBe('coaching/sample/maya')
    expect(graph.closing).toMatchObject({ objective: { id: 'launch-risk' }, next: { id: 'marcus' } })
  })

  it('[document-17] holds the behaviors of all its graphs, those of its own first, one of a name', () => {
    const other = coaching.behaviors[1]
    if (!other) throw new Error('the fixture has two behaviors')
    const called = {
      ...mood,
      behaviors: [
        { ...other, id: 'in_distress' },
        { ...other, id: 'in_a_hurry' },
      ],
    }
    expect(linked(coaching, [called, load]).behaviors).toEqual([...coaching.behaviors, { ...other, id: 'in_a_hurry' }])
  })

  it('[document-18] has a hash that nothing but a change changes', () => {
    const graph = linked(coaching)
    const { hash, ...rest } = graph
    expect(fingerprint(rest)).toBe(hash)
    const listed = parseGraph(JSON.parse(JSON.stringify(spellGraph(coaching, 'list'))))
    expect(listed.ok && linked(listed.document, [load, mood]).hash).toBe(hash)
    expect(linked(coaching, [mood, load, documentOf({ id: 'bystander' })]).hash).toBe(hash)
    const changes: readonly GraphDocument[] = [
      { ...coaching, version: 3 },
      { ...coaching, limits: { stall: 12, exchanges: 41 } },
      { ...coaching, description: 'Otherwise.' },
      { ...coaching, globalActionGuidelines: [] },
      withSource('greet_client', 'content.document'),
    ]
    const hashes = changes.map((document) => linked(document).hash)
    expect(new Set([hash, ...hashes]).size).toBe(changes.length + 1)
    expect(linked(coaching, [{ ...mood, description: 'Otherwise.' }, load]).hash).not.toBe(hash)
  })
})

describe('recursion', () => {
  const again = { again: { id: 'loop', version: 1 } }

  it('[document-19] is a call into the same states, where a graph allows it', () => {
    const { states, ...rest } = caller('loop', again, 'again.begin')
    const begin = actionOf('begin', [exitOf('They are ready to hear more', 'greet'), exitOf('They are not', 'close')])
    const loop = { ...rest, states: [begin, ...states], newUserInitialState: 'begin', allowsRecursion: true }
    const graph = linked(loop, [loop])
    expect(graph.order).toEqual(['begin', 'greet', 'close'])
    expect(Object.keys(graph.modules)).toEqual(['loop@1'])
    expect(nodeOf(graph, 'greet').exits[0]).toMatchObject({ to: 'begin', returnTo: 'close' })
  })

  it('[document-19] is refused where it does not', () => {
    const result = link(caller('loop', again, 'again.greet'), about([]))
    expect(result.ok).toBe(false)
    expect(result.findings.map(({ code }) => code)).toContain('G015')
  })

  it('[document-19] over two graphs links each of them once', () => {
    const ping = { ...caller('ping', { pong: { id: 'pong', version: 1 } }, 'pong.greet'), allowsRecursion: true }
    const pong = { ...caller('pong', { ping: { id: 'ping', version: 1 } }, 'ping.greet'), allowsRecursion: true }
    const graph = linked(ping, [ping, pong])
    expect(graph.order).toEqual(['greet', 'close', 'pong@1/greet', 'pong@1/close'])
    expect(nodeOf(graph, 'pong@1/greet').exits[0]).toMatchObject({ to: 'greet', returnTo: 'pong@1/close' })
  })
})

describe('laws of linking', () => {
  it('[document-10] lays out any document: its own states first and in order, every exit under the name of what it leads to', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const graph = flat(document)
        const own = document.states.map(({ name }) => name)
        expect(graph.order.slice(0, own.length)).toEqual(own)
        expect(new Set(graph.order).size).toBe(graph.order.length)
        expect(graph.order.slice(own.length).every((id) => id.startsWith('elsewhere@3/'))).toBe(true)
        for (const state of document.states.filter(({ name }) => name !== document.terminalState)) {
          const targets = 'exits' in state ? state.exits.map(({ nextState }) => nextState) : state.nextStates
          const said = targets.map((target) =>
            typeof target === 'string'
              ? { to: target, returnTo: null }
              : { to: target.call.replace('other.', 'elsewhere@3/'), returnTo: target.returnTo },
          )
          expect(nodeOf(graph, state.name).exits.map(({ to, returnTo }) => ({ to, returnTo }))).toEqual(said)
          for (const { to, returnTo } of said) if (returnTo !== null) expect(graph.order).toContain(to)
        }
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[document-11] any document is a graph without errors, or has errors and is none', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const result = link(document, about([OTHER, ...library]))
        expect(result.findings.some(({ severity }) => severity === 'error')).toBe(!result.ok)
      }),
      { numRuns: runs('dear') },
    )
  })

  it('[document-18] linking is a function: the same in, the same out, and nothing in it is changed', () => {
    const before = structuredClone(library)
    expect(link(coaching, about(library))).toEqual(link(structuredClone(coaching), about(structuredClone(library))))
    expect(library).toEqual(before)
  })
})

describe('the graph for a colleague', () => {
  it('[document-20] is the backbone of the tier, or the context graph they walk', () => {
    const walks = { ...sampleNpc, walk: { graph: 'coaching', version: 2 } }
    expect(graphFor(sampleScenario, sampleNpc, { documents: library, backbones: BACKBONES })).toMatchObject({
      ok: true,
      graph: { id: 'technical/sample/maya' },
    })
    expect(graphFor(sampleScenario, walks, { documents: library, backbones: BACKBONES })).toEqual(
      link(coaching, { library, scenario: sampleScenario, npc: walks }),
    )
  })

  it('[document-20] that is not there is G002', () => {
    const walks = { ...sampleNpc, walk: { graph: 'coaching', version: 9 } }
    expect(graphFor(sampleScenario, walks, { documents: library, backbones: BACKBONES })).toEqual({
      ok: false,
      findings: [{ code: 'G002', severity: 'error', at: '', message: expect.stringContaining('coaching@9') }],
    })
  })
})

function about(others: readonly GraphDocument[]) {
  return { library: others, scenario: null, npc: null }
}

function linked(document: GraphDocument, others: readonly GraphDocument[] = library): Graph {
  const result = link(document, about(others))
  if (!result.ok) throw new Error(result.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return result.graph
}

function linkedFor(document: GraphDocument, npc: Npc): Graph {
  const result = link(document, { library, scenario: sampleScenario, npc })
  if (!result.ok) throw new Error(result.findings.map(({ code, at, message }) => `${code} ${at} ${message}`).join('\n'))
  return result.graph
}

/**
 * Flattens a document into a graph without checking it, because these tests are about laws that hold for any document.
 */
function flat(document: GraphDocument): Graph {
  return flatten(document, linkedSet(document, [OTHER]), null)
}

function speaking(graph: Graph, id: string): SpeakingNode {
  const node = nodeOf(graph, id)
  if (!speaks(node)) throw new Error(`${id} does not speak`)
  return node
}

/** Returns a graph that greets, calls another graph and closes. */
function caller(id: string, references: GraphDocument['references'], call: string): GraphDocument {
  const greet = actionOf('greet', [
    exitOf('They want to hear more of it', { call, returnTo: 'close' }),
    exitOf('They have had enough', 'close'),
  ])
  return documentOf({ id, description: 'Calls.', references, states: [greet, actionOf('close')] })
}

/**
 * Returns the coaching graph with another content source in one state. If `pivot` is null, that state also loses its
 * fork.
 */
function withSource(state: string, contentSource: string, pivot?: null): GraphDocument {
  const changed = (action: ActionDocument): StateDocument => ({
    ...action,
    contentSource,
    ...(pivot === null && { pivot }),
  })
  return {
    ...coaching,
    states: coaching.states.map((each) => (each.type === 'action' && each.name === state ? changed(each) : each)),
  }
}
