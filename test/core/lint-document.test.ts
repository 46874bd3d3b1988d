import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'
import { applyFixes } from '../../worker/core/graph/document/apply-fixes.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { type Finding, keysOf, pointerTo } from '../../worker/core/graph/finding.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { SEVERITY } from '../../worker/core/graph/document/lints/found.ts'
import { topologyOf } from '../../worker/core/graph/map/topology.ts'
import {
  baseData,
  type Change,
  type Defect,
  defectLibrary,
  defects,
  documentFrom,
  edited,
} from '../support/graph-document.ts'
import { sampleNpc } from '../support/sample-scenario.ts'

const library = defectLibrary()
const base = documentFrom(baseData())

describe('every lint', () => {
  it('[lint-1] has a row in the documentation, as grave as it is', () => {
    const text = readFileSync(new URL('../../docs/reference/lints.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| (G\d{3}) \| (error|warning|info)/gm)].map(([, code, severity]) => [
      code,
      severity,
    ])
    expect(Object.fromEntries(rows)).toEqual(SEVERITY)
    expect(rows).toHaveLength(Object.keys(SEVERITY).length)
  })

  it('[lint-2] the sound graph that the broken ones are made of has no finding', () => {
    expect(lintDocument(base, { library, npc: null })).toEqual([])
  })

  it.each(defects())('[lint-2] $code: $defect', (defect) => {
    const { code, severity = SEVERITY[code as keyof typeof SEVERITY], at } = defect
    const findings = lintOf(defect)
    expect(findings.map(shown)).toEqual(at.map((place) => `${code} ${place}`))
    expect(new Set(findings.map((finding) => finding.severity))).toEqual(new Set([severity]))
  })

  it('[lint-2] there is a broken graph for each of the 36 codes', () => {
    const codes = Array.from({ length: 35 }, (_, nth) => `G${String(nth + 1).padStart(3, '0')}`).concat('G039', 'G040')
    expect([...new Set(defects().map(({ code }) => code))].toSorted()).toEqual(codes)
  })

  it('[lint-3] all findings come at once, in one order, whatever the order of the library', () => {
    const together = defects().filter(({ code }) => ['G001', 'G006', 'G014', 'G029', 'G031', 'G033'].includes(code))
    const document = documentFrom(
      edited(
        baseData(),
        together.flatMap(({ change }) => change),
      ),
    )
    const findings = lintDocument(document, { library, npc: null })
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(together.map(({ code }) => code)))
    expect(findings.map(shown)).toEqual(findings.map(shown).toSorted())
    expect(lintDocument(document, { library: library.toReversed(), npc: null })).toEqual(findings)
  })

  it.each(defects().filter(({ isRefusedAtReading }) => !isRefusedAtReading))(
    '[lint-4] $code points into what its author wrote, or at a key that is missing there: $defect',
    ({ at, change }) => {
      const data = edited(baseData(), change)
      for (const pointer of at) expect(typeof valueAt(data, keysOf(pointer).slice(0, -1))).toBe('object')
    },
  )

  it('[lint-4] says the same of states in a list', () => {
    for (const { change, isRefusedAtReading } of defects()) {
      if (isRefusedAtReading) continue
      const data = edited(baseData(), change)
      const listed = documentFrom(inAList(data))
      const about = { library, npc: null }
      expect(lintDocument(listed, about)).toEqual(lintDocument(documentFrom(data), about))
    }
  })

  it('[lint-4] a pointer comes back to its keys', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (keys) => {
        expect(keysOf(pointerTo(...keys))).toEqual(keys)
      }),
    )
  })
})

describe('fixes', () => {
  const fixable = defects().filter((defect) => lintOf(defect).some(({ fix }) => fix))

  it('[lint-6] are offered for what has one right answer', () => {
    expect([...new Set(fixable.map(({ code }) => code))]).toEqual(['G006', 'G020', 'G029', 'G030'])
  })

  it.each(fixable)('[lint-6] $code is gone once it is fixed, and nothing else is wrong: $defect', ({ change }) => {
    for (const form of [(data: unknown) => data, inAList]) {
      const data = form(edited(baseData(), change))
      const before = structuredClone(data)
      const fixed = applyFixes(data, lintDocument(documentFrom(data), { library, npc: null }))
      expect(data).toEqual(before)
      expect(lintDocument(documentFrom(fixed), { library, npc: null })).toEqual([])
    }
  })

  it('[lint-6] take several exits out of one list', () => {
    const itself = {
      at: '/states/agree_task/exit_conditions/-',
      value: { description: 'They wait', next_state: 'agree_task' },
    }
    const twice = edited(baseData(), [itself, { ...itself, value: { ...itself.value, description: 'They sigh' } }])
    const fixed = applyFixes(twice, lintDocument(documentFrom(twice), { library, npc: null }))
    expect(fixed).toEqual(baseData())
  })

  it('[lint-6] all at once: an exit to itself, a sign in another and a map that shows both', () => {
    const change = [
      { at: '/states/agree_task/exit_conditions/0/description', value: 'It’s agreed' },
      { at: '/states/agree_task/exit_conditions/-', value: { description: 'They wait', next_state: 'agree_task' } },
    ]
    const drawn = topologyOf(documentFrom(edited(baseData(), change)), library)
    const data = edited(baseData(), [...change, { at: '/topology_description', value: drawn }])
    const findings = lintDocument(documentFrom(data), { library, npc: null })
    expect(findings.map(({ code }) => code)).toEqual(['G006', 'G029'])
    expect(lintDocument(documentFrom(applyFixes(data, findings)), { library, npc: null })).toEqual([])
  })

  it('[lint-6] leave the last exit of a state alone', () => {
    const [finding] = lintWith([
      { at: '/states/agree_task/exit_conditions', value: [{ description: 'On', next_state: 'agree_task' }] },
    ]).filter(({ code }) => code === 'G006')
    expect(finding?.fix).toBeUndefined()
  })

  it('[lint-6] do nothing for a place that is not there, and leave what is no data as it is', () => {
    const finding = (fix: NonNullable<Finding['fix']>): Finding => ({ ...found('x'), fix })
    const nowhere = [finding({ at: '/states/nobody/objective', value: 'x' }), finding({ at: '/a/9', remove: true })]
    expect(applyFixes(baseData(), nowhere)).toEqual(baseData())
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(applyFixes(data, [])).toEqual(data)
      }),
    )
  })
})

describe('what lints look at', () => {
  it('[lint-7] a round on which nobody speaks is found through a graph that is called', () => {
    const findings = lintWith([
      {
        at: '/states/choose_path/exit_conditions/1',
        value: { description: 'It is not clear yet', next_state: 'call_out' },
      },
      {
        at: '/states/call_out',
        value: { type: 'annotation', inner_thought: 'Once more.', next_state: ['scale.pass_by', 'choose_path'] },
      },
    ])
    expect(findings.map(shown)).toEqual(['G009 /states/choose_path'])
    expect(findings[0]?.message).toContain('choose_path -> call_out -> choose_path')
  })

  it('[lint-7] it is none where the called graph speaks, or speaks as it returns', () => {
    const ask = { type: 'annotation', inner_thought: 'Once more.', next_state: ['scale.ask_for_number', 'choose_path'] }
    const exit = {
      at: '/states/choose_path/exit_conditions/1',
      value: { description: 'It is not clear yet', next_state: 'call_out' },
    }
    expect(lintWith([exit, { at: '/states/call_out', value: ask }])).toEqual([])
    const passing = { ...ask, next_state: ['scale.pass_by', 'choose_path'] }
    const speaking = library.map((graph) => ({ ...graph, speaksAtReturn: true }))
    expect(lintWith([exit, { at: '/states/call_out', value: passing }], speaking)).toEqual([])
  })

  it('[lint-8] a call comes back only if the graph called can end', () => {
    const stuck = library.map((graph) =>
      graph.id === 'pain-scale'
        ? { ...graph, states: graph.states.map((state) => leadingTo(state, 'ask_for_number')) }
        : graph,
    )
    const trapped = lintWith([], stuck).filter(({ code }) => code === 'G008')
    expect(trapped.map(({ at }) => at)).toEqual(['/states/mark_beginning', '/states/recall_history'])
  })

  it.each([
    ['Otherwise', true],
    ['Anything else', true],
    ['None of these', true],
    ['It is not clear what they want', true],
    ['They have decided', false],
    ['They want something elsewhere', false],
  ])('[lint-9] %j as the last exit of a decision is a catch-all: %s', (description, isCatchAll) => {
    const findings = lintWith([{ at: '/states/choose_path/exit_conditions/2/description', value: description }])
    expect(findings.map(({ code }) => code)).toEqual(isCatchAll ? [] : ['G010'])
  })

  it.each([
    ['Something was agreed', 'something WAS agreed.', true],
    ['The person has agreed to the task', 'The person agrees to the tasks', true],
    ['The person has agreed to a task', 'The person has not agreed to a task', false],
    ['The person wants to stop', 'The person wants to go on', false],
    ['They ask about the walk', 'They ask about the dose', false],
  ])('[lint-10] %j and %j can be told apart or not', (one, other, isAlike) => {
    const exit = (index: number, value: string) => ({
      at: `/states/agree_task/exit_conditions/${index}/description`,
      value,
    })
    const findings = lintWith([exit(0, one), exit(1, other)])
    expect(findings.map(({ code }) => code)).toEqual(isAlike ? ['G011'] : [])
  })

  it('[lint-11] what a colleague brings is looked up with them, and taken on trust without', () => {
    const change = [{ at: '/states/explain_finding/content_source', value: 'decision_facts' }]
    const silent = { ...sampleNpc, decisionFacts: [], document: null }
    expect(lintWith(change)).toEqual([])
    expect(lintWith(change, library, silent).map(shown)).toEqual(['G018 /states/explain_finding/content_source'])
    expect(lintWith(change, library, { ...silent, decisionFacts: ['It hurts.'] })).toEqual([])
  })

  it.each([
    ['You walk 450 metres now, 12 percent more.', true],
    ['You walk 450 metres, in 3 shoes.', true],
    ['You walk 1,450 metres now.', false],
    ['That is 12.5% more.', false],
    ['That is 11% more.', false],
    ['Come back in 6 weeks.', true],
    ['Come back in 8 weeks.', false],
  ])('[lint-12] %j agrees with the document: %s', (line, agrees) => {
    const findings = lintWith([{ at: '/content/finding/0', value: line }])
    expect(findings.map(({ code }) => code)).toEqual(agrees ? [] : ['G031'])
  })

  it('[lint-12] without a document of its own a graph is held against the colleague’s', () => {
    const change = [{ at: '/content/document', remove: true as const }]
    expect(lintWith(change)).toEqual([])
    const document = { title: 'Report', kind: 'report', lines: ['Distance: 430 metres'] }
    expect(lintWith(change, library, { ...sampleNpc, document }).map(shown)).toEqual(['G031 /content/finding/0'])
  })

  it('[lint-12] what is said in a fork may round, what is known may not', () => {
    const document = { at: '/content/document', value: ['Up 12.4%.', '450 metres'] }
    const finding = { at: '/content/finding/0', value: 'You walk 450 metres.' }
    const asked = { at: '/states/ask_preference/pivot/question', value: 'Is 12% much?' }
    expect(lintWith([document, finding, asked])).toEqual([])
    expect(lintWith([document, { ...finding, value: 'It is 12% more.' }]).map(({ code }) => code)).toEqual(['G031'])
  })

  it('[lint-13] the shortest way goes through, by no safety exit, and counts what a called graph asks for', () => {
    const shortest = (limit: number) => lintWith([{ at: '/limits/exchanges', value: limit }]).map(({ code }) => code)
    expect([3, 4].map(shortest)).toEqual([['G022'], []])
  })

  it('[lint-14] a map that shows the same graph in another hand is no finding', () => {
    const map = [
      'START(new user) → [A] greet_newcomer',
      'START(returning user) → [A] greet_newcomer',
      '[A] greet_newcomer',
      '   (They have said what they want)  →  [A] say_goodbye',
      '[A] say_goodbye → END',
    ].join('\n')
    const data = { ...small(), topology_description: map }
    expect(lintDocument(documentFrom(data), { library: [], npc: null }).filter(({ code }) => code === 'G030')).toEqual(
      [],
    )
    const other = { ...data, topology_description: map.replace('what they want', 'nothing') }
    expect(lintDocument(documentFrom(other), { library: [], npc: null }).map(({ code }) => code)).toContain('G030')
    const unreadable = { ...data, topology_description: 'greeting, then goodbye' }
    expect(lintDocument(documentFrom(unreadable), { library: [], npc: null }).map(({ code }) => code)).toContain('G030')
  })
})

function small() {
  return {
    id: 'small',
    version: 1,
    name: 'Small',
    description: 'Two states.',
    new_user_initial_state: 'greet_newcomer',
    returning_user_initial_state: 'greet_newcomer',
    terminal_state: 'say_goodbye',
    states: {
      greet_newcomer: {
        type: 'action',
        objective: 'Hear what they want',
        actions: ['Ask', 'Wait'],
        exit_conditions: [{ description: 'They have said what they want', next_state: 'say_goodbye' }],
      },
      say_goodbye: { type: 'action', objective: 'End', actions: ['Say goodbye'] },
    },
  }
}

function lintOf({ change, isRefusedAtReading = false }: Defect): readonly Finding[] {
  const parsed = parseGraph(edited(baseData(), change))
  expect(parsed.ok).toBe(!isRefusedAtReading)
  const document = parsed.ok ? parsed.document : { ...base, limits: { ...base.limits, stall: 0 } }
  return lintDocument(document, { library, npc: null })
}

function lintWith(
  change: readonly Change[],
  graphs: readonly GraphDocument[] = library,
  npc: typeof sampleNpc | null = null,
): readonly Finding[] {
  return lintDocument(documentFrom(edited(baseData(), change)), { library: graphs, npc })
}

function leadingTo(state: GraphDocument['states'][number], nextState: string): GraphDocument['states'][number] {
  if ('nextStates' in state) return { ...state, nextStates: [nextState] }
  return { ...state, exits: state.exits.map((exit) => ({ ...exit, nextState })) }
}

function inAList(data: unknown): unknown {
  const { states, ...rest } = data as { states: Record<string, object> }
  return { ...rest, states: Object.entries(states).map(([name, state]) => ({ name, ...state })) }
}

function valueAt(data: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), data)
}

function found(at: string): Finding {
  return { code: 'G001', severity: 'error', at, message: 'x' }
}

function shown({ code, at }: Finding): string {
  return `${code} ${at}`
}
