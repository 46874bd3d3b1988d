import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryLine } from '../../worker/core/briefing/briefing.ts'
import { taskFor } from '../../worker/core/briefing/task-for.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import { nodeOf, speaks } from '../../worker/core/graph/graph.ts'
import { readBehavior, readPick, readQueries, readReflection } from '../../worker/core/reply/read-answer.ts'
import { briefDecision, briefNode, stateBrief } from '../../worker/core/walk/brief-node.ts'
import type { Request, SelectionRequest, Thought } from '../../worker/core/walk/event.ts'
import { offersOf } from '../../worker/core/walk/ask.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { coach, coachingGraph, coachingScenario } from '../support/coaching.ts'
import { hostileText } from '../support/hostile-text.ts'
import { runs } from '../support/runs.ts'

const graph = coachingGraph()
const TOPIC = 'engage_client_on_in_scope_topic'
const LOAD = 'check-in@2/ask_for_load'

describe('every task', () => {
  it('[selection-1] has one system prompt, the same for all four kinds and whatever was said', () => {
    const expected = task(selectionAt(TOPIC)).system
    fc.assert(
      fc.property(fc.constantFrom(...kinds()), hostileText, (request, learner) => {
        expect(task(request, { learner, history: [{ who: 'npc', text: learner }] }).system).toBe(expected)
      }),
      { numRuns: runs('costly') },
    )
    for (const told of [coach.name, coach.role, ...coach.concerns, ...coach.goals, 'A coaching session for people'])
      expect(expected).toContain(told)
    for (const kept of ['---END---', 'emotional_state', ...coach.knowledge, 'em dashes'])
      expect(expected).not.toContain(kept)
  })

  it.each(kinds().map((request) => [request.type, request] as const))(
    '[selection-3] %s: its own state is marked on its own map',
    (_, request) => {
      const at = task(request, { node: TOPIC }).user
      const here = 'node' in request ? (typeof request.node === 'string' ? request.node : request.node.id) : TOPIC
      expect(at.match(/^>>> /gm)).toHaveLength(1)
      expect(at).toMatch(new RegExp(`^>>> \\[[A-Z]\\] ${here}`, 'm'))
      expect(at).toContain('[D] choose_what_is_next')
      expect(at).not.toContain('ask_before_load\n')
    },
  )

  const inner = kinds().filter(({ type }) => type !== 'behavior-request')
  it.each(inner.map((request) => [request.type, request] as const))(
    '[selection-31] %s: names the behavior in force, or says that there is none',
    (_, request) => {
      expect(task(request).user).toContain('BEHAVIOR IN FORCE:\n(none)')
      const walk = { ...startWalk(graph), behavior: { activation: 'b1', behavior: 'short_of_time', quiet: 0 } }
      const scene = { scenario: coachingScenario, npc: coach, graph, walk, history: [], said: [], learner: 'Hm.' }
      expect(taskFor(request, scene).user).toContain('BEHAVIOR IN FORCE:\nshort_of_time')
    },
  )

  it('[selection-3] a state of a graph referred to is marked on that graph’s map', () => {
    const { user } = task(selectionAt(LOAD))
    expect(user).toContain('>>> [A] ask_for_load')
    expect(user).toContain('[A] ask_before_load')
    expect(user).not.toContain('choose_what_is_next')
  })

  it('[selection-5] nothing from outside can put a separator, a heading, a line or a mark into it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds()),
        hostileText,
        hostileText,
        hostileText,
        (request, learner, earlier, found) => {
          const told = { history: lines(earlier), said: [found], thoughts: thoughts(found, earlier) }
          const { user } = task(request, { ...told, learner })
          const clean = task(request, {
            history: lines('x'),
            said: ['z'],
            thoughts: thoughts('y', 'y'),
            learner: 'x',
          }).user
          expect(user).not.toMatch(/[-–—－]{2,}\s*END\s*[-–—－]{2,}/i)
          expect(headingsOf(user)).toEqual(headingsOf(clean))
          expect(user.split('\n')).toHaveLength(clean.split('\n').length)
          expect(user.match(/^>>> /gm)).toHaveLength(1)
        },
      ),
      { numRuns: runs('usual') },
    )
  })

  it('[selection-5] holds the latest lines, points and thoughts, and of each find the first five', () => {
    const history = Array.from({ length: 50 }, (_, i): HistoryLine => ({ who: 'learner', text: `line ${i}.` }))
    const said = Array.from({ length: 40 }, (_, i) => `point ${i}.`)
    const many = Array.from({ length: 30 }, (_, i): Thought => ({
      kind: 'annotation',
      node: 'n',
      text: `thought ${i}.`,
    }))
    const found: Thought = {
      kind: 'recall',
      node: 'n',
      query: 'q',
      found: Array.from({ length: 9 }, (_, i) => `find ${i}.`),
    }
    const long: Thought = { kind: 'reflection', node: 'n', text: 'x'.repeat(5000) }
    const { user } = task(selectionAt(TOPIC), { history, said, thoughts: [...many, found, long] })
    expect(user.match(/line \d+\./g)).toHaveLength(20)
    expect(user).toContain('line 30.')
    expect(user.match(/point \d+\./g)).toHaveLength(40)
    expect(user.match(/thought \d+\./g)).toEqual(Array.from({ length: 10 }, (_, i) => `thought ${i + 20}.`))
    expect(user.match(/find \d\./g)).toHaveLength(5)
    expect(user).toContain('x'.repeat(600))
    expect(user).not.toContain('x'.repeat(601))
  })
})

describe('a selection', () => {
  it('[selection-2] names and numbers what is offered, and all there is to choose by', () => {
    const walk = {
      ...standing(TOPIC),
      engaged: [1],
      behavior: { activation: 'b1', behavior: 'short_of_time', quiet: 0 },
    }
    const request = selectionAt(TOPIC, walk)
    const { user } = taskFor(request, { ...place(), walk, history: [], said: ['Notes are kept.'], learner: 'And now?' })
    for (const told of [
      '0. Answer every question that is open',
      '1. Ask one precise thing that would change the answer for this client (done here)',
      '2. Go along',
      '0. The present topic is finished',
      '1. The client says plainly that they want to end the session now (a way out, for emergencies)',
      'A new topic is taken up here',
      'Never pull the client back to a topic they have left unless they ask (HARD',
      'BEHAVIOR IN FORCE:\nshort_of_time, for when it is about: The client has to leave in a few minutes',
      'Work on what the client asks',
      'task: Stay or go?',
      '- Notes are kept.',
      'HOW YOU STAND TOWARDS THE LEARNER:\nneutral',
      '"And now?"',
    ])
      expect(user).toContain(told)
    expect(user).not.toContain('ONCE MORE')
  })

  it('[selection-2] says that an answer could not be taken', () => {
    expect(task({ ...selectionAt(TOPIC), isRetry: true }).user).toMatch(/^ONCE MORE:/)
  })

  it('[selection-2] offers exits only in a decision, and no exit where none is', () => {
    const decided = task(decisionAt('choose_what_is_next'))
    expect(decided.user).not.toContain('ACTIONS:')
    expect(decided.user).toContain('3. None of these')
    expect(decided.user).not.toContain('"action"')
    const bound = task({ ...selectionAt(TOPIC), exits: [] })
    expect(bound.user).not.toContain('EXITS:')
    expect(bound.user).not.toContain('"exit"')
  })
})

describe('the other tasks', () => {
  it('[selection-4] a behavior task gives the triggers and says which is in force', () => {
    const { user } = task(behaviorRequest('short_of_time'))
    expect(user).toContain(
      '- "short_of_time" (in force), when it is about:\n    • The client has to leave in a few minutes',
    )
    expect(user).toContain('- "in_distress", when it is about:')
  })

  it('[selection-4] a recall task says what is wanted and what was asked', () => {
    const { user } = task({ ...recallRequest(), requested: 'Their last goal', performed: ['what they tried'] })
    expect(user).toContain('WHAT YOU WANT TO KNOW:\nTheir last goal')
    expect(user).toContain('- what they tried')
    expect(user).toContain('at most 5')
    expect(task({ ...recallRequest(), requested: null }).user).toContain('bears on what they are saying now')
  })

  it('[selection-4] a reflection task gives the problem, the limit and what the colleague knows', () => {
    const { user } = task(reflectionRequest())
    expect(user).toContain('THE QUESTION:\nWhich topics were opened')
    expect(user).toContain('at most 60 words')
    expect(user).toContain('- Notes are kept for 90 days.')
    expect(user).toContain('House rules')
  })
})

describe('the schema of an answer', () => {
  it.each(kinds().map((request) => [request.type, request] as const))('[selection-6] %s: strict', (_, request) => {
    const { answer } = task(request)
    const { properties, ...rest } = answer.schema
    expect(rest).toEqual({ type: 'object', required: Object.keys(properties as object), additionalProperties: false })
    expect(answer.name).toMatch(/^[a-z_]{1,64}$/)
  })

  it('[selection-6] every pick that fits is read as what it says', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), fc.nat(5), fc.boolean(), (actions, exits, at, wantsExit) => {
        fc.pre(actions + exits > 0)
        const isExit = exits > 0 && (wantsExit || actions === 0)
        const index = at % (isExit ? exits : actions)
        const request = { ...selectionAt(TOPIC), actions: named('do', actions), exits: named('on', exits) }
        const { schema } = task(request).answer
        const answer = Object.fromEntries(
          Object.keys(schema['properties'] as object).map((key) => [
            key,
            key === (isExit ? 'exit' : 'action') ? index : null,
          ]),
        )
        expect(fits(answer, schema)).toBe(true)
        expect(readPick(JSON.stringify(answer), { actions, exits })).toEqual(
          isExit ? { exit: index } : { action: index },
        )
      }),
    )
  })

  it('[selection-6] so are behaviors, queries and conclusions', () => {
    const behavior = task(behaviorRequest(null)).answer.schema
    for (const answer of [{ behavior: 'in_distress' }, { behavior: null }]) {
      expect(fits(answer, behavior)).toBe(true)
      expect(readBehavior(JSON.stringify(answer), ['in_distress', 'short_of_time'])).toBe(answer.behavior)
    }
    expect(fits({ behavior: 'calm' }, behavior)).toBe(false)
    expect(fits({ queries: ['a', 'b'] }, task(recallRequest()).answer.schema)).toBe(true)
    expect(readQueries('{"queries": ["a", "b"]}')).toEqual(['a', 'b'])
    expect(fits({ reflection: 'They keep away.' }, task(reflectionRequest()).answer.schema)).toBe(true)
    expect(readReflection('{"reflection": "They keep away."}', 60)).toBe('They keep away.')
  })
})

function kinds(): readonly Request[] {
  return [
    selectionAt(TOPIC),
    decisionAt('choose_what_is_next'),
    behaviorRequest(null),
    recallRequest(),
    reflectionRequest(),
  ]
}

function standing(node: string): Walk {
  return { ...startWalk(graph), node, visits: [{ node, exchanges: 1 }], turns: 1 }
}

function selectionAt(id: string, walk: Walk = standing(id)): SelectionRequest {
  const node = nodeOf(graph, id)
  if (!speaks(node)) throw new Error(`${id} does not speak`)
  const { actions, exits } = offersOf(graph, walk, node)
  return {
    type: 'selection-request',
    request: 't1:1',
    node: briefNode(graph, node, walk, { overlay: null, action: null }),
    actions,
    exits: exits.map(({ description }) => description),
    isRetry: false,
  }
}

function decisionAt(id: string): SelectionRequest {
  const node = nodeOf(graph, id)
  if (node.kind !== 'decide') throw new Error(`${id} does not decide`)
  const exits = offersOf(graph, standing(TOPIC), node).exits.map(({ description }) => description)
  const told = briefDecision(graph, node, standing(TOPIC))
  expect(told.state).toEqual(stateBrief(graph, node, standing(TOPIC), null))
  return { type: 'selection-request', request: 't1:2', node: told, actions: [], exits, isRetry: false }
}

function behaviorRequest(active: string | null): Request {
  const offered = graph.behaviors.map(({ id, triggers }) => ({ id, triggers }))
  return { type: 'behavior-request', request: 't1:1', offered, active }
}

function recallRequest(): Extract<Request, { type: 'recall-request' }> {
  const node = 'recall_last_session'
  return { type: 'recall-request', request: 't1:3', node, queries: null, requested: 'Their goal', performed: [] }
}

function reflectionRequest(): Request {
  const node = nodeOf(graph, 'reflect_on_conversation_topics')
  if (node.kind !== 'reflect') throw new Error('no reflection')
  return {
    type: 'reflection-request',
    request: 't1:4',
    node: node.id,
    problem: node.problem,
    wordLimit: node.wordLimit,
  }
}

function place() {
  return { scenario: coachingScenario, npc: coach, graph }
}

function task(
  request: Request,
  told: {
    learner?: string
    history?: readonly HistoryLine[]
    said?: readonly string[]
    thoughts?: readonly Thought[]
    node?: string
  } = {},
): Task {
  const walk = { ...standing(told.node ?? TOPIC), thoughts: told.thoughts ?? [] }
  const { learner = 'What now?', history = [], said = [] } = told
  return taskFor(request, { ...place(), walk, history, said, learner })
}

function lines(text: string): readonly HistoryLine[] {
  return [
    { who: 'learner', text },
    { who: 'npc', text },
    { who: 'marker', text },
  ]
}

function thoughts(found: string, text: string): readonly Thought[] {
  return [
    { kind: 'recall', node: 'n', query: text, found: [found, text] },
    { kind: 'reflection', node: 'n', text },
  ]
}

function named(verb: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${verb} ${index}`)
}

function headingsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => /^([A-Z][A-Z /-]+(?:\([A-Za-z ]+\))?):/.exec(line)?.[1] ?? [])
}

/** Returns whether a value fits a schema. Supports only the part of JSON Schema that the schemas of the answers use. */
function fits(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  const { type, anyOf, properties, items } = schema as {
    type?: string
    anyOf?: readonly Readonly<Record<string, unknown>>[]
    properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    items?: Readonly<Record<string, unknown>>
  }
  if (anyOf) return anyOf.some((each) => fits(value, each))
  if (schema['enum'] && !(schema['enum'] as readonly unknown[]).includes(value)) return false
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'string':
      return typeof value === 'string'
    case 'array':
      return Array.isArray(value) && value.every((item) => fits(item, items ?? {}))
    default: {
      if (typeof value !== 'object' || value === null) return false
      const entries = Object.entries(value)
      const known = properties ?? {}
      return (
        (schema['required'] as readonly string[]).every((key) => key in value) &&
        entries.every(([key, child]) => key in known && fits(child, known[key] ?? {}))
      )
    }
  }
}
