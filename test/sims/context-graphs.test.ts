import { describe, expect, it } from 'vitest'
import { readGraphFiles } from '../../scripts/build-scenarios.ts'
import { densityOfDocument } from '../../worker/core/graph/density.ts'
import type { ActionDocument, GraphDocument } from '../../worker/core/graph/document/document.ts'
import { link } from '../../worker/core/graph/document/link.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { RehearsalLines, SpokenLine } from '../../worker/core/scenario/rehearsal-lines.ts'
import { oneToOne, SHIPPED_DOCUMENTS, type Shipped, weekThree } from '../support/shipped-graphs.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const byName = SHIPPED_DOCUMENTS.map((document) => [`${document.id}@${document.version}`, document] as const)
const walked = [
  ['one-to-one', oneToOne],
  ['week-three', weekThree],
] as const

describe('the context graphs of the house', () => {
  it('[document-30] are all there are, and the build reads them without a finding', async () => {
    const { documents, findings } = await readGraphFiles(ROOT)
    expect(findings).toEqual([])
    expect(documents).toEqual(SHIPPED_DOCUMENTS)
  })

  it.each(byName)('[document-30] %s is clean by itself', (_, document) => {
    const linked = link(document, { library: SHIPPED_DOCUMENTS, scenario: null, npc: null })
    expect(linked).toMatchObject({ ok: true, findings: [] })
  })

  it.each([
    ['one-to-one', oneToOne, { states: 10, situations: 235, shortest: 1, longest: 41, band: 'dense' }],
    ['week-three', weekThree, { states: 23, situations: 457, shortest: 1, longest: 41, band: 'moderate' }],
  ] as const)('[document-30] %s, bound to its colleague, is proved', (id, { graph, npc, scenario }, numbers) => {
    const document = documentOf(id)
    const linked = link(document, { library: SHIPPED_DOCUMENTS, scenario, npc })
    const proof = verifyGraph(graph)
    expect([...linked.findings, ...proof.findings]).toEqual([])
    expect({
      states: graph.order.length,
      situations: proof.states,
      shortest: proof.shortest.exchanges,
      longest: proof.longest.exchanges,
      band: densityOfDocument(document).band,
    }).toEqual(numbers)
  })
})

describe('one-to-one', () => {
  it('[document-23] is left from its state for topics in three ways, and none of them is a topic', () => {
    const { exits, boundaryConstraints, navigationGuidelines } = actionIn('one-to-one', 'work_on_their_topic')
    expect(exits.map(({ nextState, isSafety }) => [nextState, isSafety])).toEqual([
      ['reflect_on_the_topics', false],
      ['name_other_help', true],
      ['end_session', true],
    ])
    expect(navigationGuidelines[0]).toBe('A new topic is taken up here and is no reason to leave')
    expect(boundaryConstraints.filter(({ isHard }) => isHard).map(({ text }) => text)).toEqual([
      'Never pull the client back to a topic they have left unless they ask for it',
    ])
  })

  it('[document-23] reflects on the topics before it asks for another, and ends on what is taken on first', () => {
    expect(waysFrom('one-to-one', 'reflect_on_the_topics')).toEqual(['look_for_another_topic'])
    expect(waysFrom('one-to-one', 'look_for_another_topic')).toEqual([
      'work_on_their_topic',
      'choose_the_first_step',
      'end_session',
    ])
    expect(waysFrom('one-to-one', 'choose_the_first_step')).toEqual(['note_the_step', 'end_session'])
  })
})

describe('week-three', () => {
  it('[document-24] has every type of state, and both forms of recall', () => {
    const { states } = documentOf('week-three')
    expect([...new Set(states.map(({ type }) => type))].toSorted()).toEqual([
      'action',
      'annotation',
      'decision',
      'recall',
      'reflection',
      'side-effect',
    ])
    const recalls = states.filter((state) => state.type === 'recall')
    expect(
      recalls.map(({ queries, requestedInformation }) => [queries !== null, requestedInformation !== null]),
    ).toEqual([
      [true, false],
      [false, true],
    ])
    const effects = states.flatMap((state) => (state.type === 'side-effect' ? [state.sideEffect] : []))
    expect(effects).toMatchObject([{ type: 'emit-event', event: 'check_in.completed' }, { type: 'send-email' }])
  })

  it('[document-24] meets people who come back elsewhere, and calls a graph that comes back to a note', () => {
    const { newUserInitialState, returningUserInitialState, references } = documentOf('week-three')
    expect([newUserInitialState, returningUserInitialState]).toEqual(['open_the_check_in', 'open_again'])
    expect(references).toEqual({ steady: { id: 'steady', version: 1 } })
    const { nodes, modules } = weekThree.graph
    expect(nodes['ask_about_the_work']?.exits).toContainEqual(
      expect.objectContaining({ to: 'steady@1/lay_out_the_load', returnTo: 'back_from_steady' }),
    )
    expect(nodes['back_from_steady']?.kind).toBe('annotate')
    expect(modules['steady@1']).toMatchObject({ speaksAtReturn: false, terminal: 'steady@1/steadied' })
  })

  it('[document-24] merges one behavior and overwrites with another, and hard boundaries stay', () => {
    const { behaviors, globalBoundaryConstraints } = documentOf('week-three')
    expect(behaviors.map(({ id, mode }) => [id, mode])).toEqual([
      ['money_and_contract', 'merge'],
      ['not_safe', 'overwrite'],
    ])
    expect(behaviors.every(({ guidelines }) => guidelines.boundary.every(({ isHard }) => isHard))).toBe(true)
    expect(globalBoundaryConstraints.some(({ isHard }) => isHard)).toBe(true)
  })
})

describe('the lines of their colleagues', () => {
  it.each(walked)(
    '[document-25] %s has three for every action, and cues for no exit that is not there',
    (_, shipped) => {
      const { states } = shipped.npc.rehearsal
      const spoken = spokenStatesOf(shipped)
      for (const { key, state } of spoken) {
        const lines = states[key]
        expect(lines?.actions.map((some) => some.length >= 3)).toEqual(state.actions.map(() => true))
        expect(lines?.exits.length).toBe(state.exits.length)
      }
      const silent = Object.keys(states).filter((key) => !spoken.some((one) => one.key === key))
      expect(silent.flatMap((key) => states[key]?.actions ?? [])).toEqual([])
      const known = shipped.graph.order.map((id) => id.replace(/^(.+)@\d+\//, '$1.'))
      expect(silent.filter((key) => !known.includes(key))).toEqual([])
    },
  )

  it.each(walked)('[document-25] %s has no line twice', (_, { npc }) => {
    const lines = linesOf(npc.rehearsal)
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
  })
})

function documentOf(id: string): GraphDocument {
  const document = SHIPPED_DOCUMENTS.find((one) => one.id === id)
  if (!document) throw new Error(`no graph ${id}`)
  return document
}

function actionIn(id: string, name: string): ActionDocument {
  const state = documentOf(id).states.find((one) => one.name === name)
  if (state?.type !== 'action') throw new Error(`${name} is no action state of ${id}`)
  return state
}

function waysFrom(id: string, name: string) {
  const state = documentOf(id).states.find((one) => one.name === name)
  if (!state) throw new Error(`${name} is no state of ${id}`)
  return 'exits' in state ? state.exits.map(({ nextState }) => nextState) : state.nextStates
}

/**
 * Returns every state in which the colleague speaks, with the state's key in the rehearsal lines. Leaves out the
 * terminals of called graphs, which are silent.
 */
function spokenStatesOf({ graph }: Shipped): readonly { key: string; state: ActionDocument }[] {
  const [root = ''] = graph.id.split('/')
  return SHIPPED_DOCUMENTS.filter(({ id, version }) => graph.modules[`${id}@${version}`]).flatMap((document) =>
    document.states.flatMap((state) => {
      const isSilent = state.type !== 'action' || (document.id !== root && state.name === document.terminalState)
      return isSilent ? [] : [{ key: document.id === root ? state.name : `${document.id}.${state.name}`, state }]
    }),
  )
}

function linesOf({ states, answers, asides }: RehearsalLines): readonly string[] {
  const actions = Object.values(states).flatMap(({ actions: each }) => each.flat())
  return [...actions.map(sayOf), ...answers.flatMap(({ say }) => say), ...Object.values(asides).flat()]
}

function sayOf(line: SpokenLine): string {
  return typeof line === 'string' ? line : line.say
}
