import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { speaks } from '../../worker/core/graph/graph.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { CLIENTS, type Learner, NEWCOMERS } from '../support/context-learners.ts'
import { type Play, play, spokenStates, transcriptOf } from '../support/context-play.ts'
import { EVERY_LINE } from '../support/learner-lines.ts'
import { oneToOne, type Shipped, weekThree } from '../support/shipped-graphs.ts'
import { runs } from '../support/runs.ts'

const everybody = [
  ...Object.entries(CLIENTS).map(([name, learner]) => [`a client, ${name}`, oneToOne, learner] as const),
  ...Object.entries(NEWCOMERS).map(([name, learner]) => [`a newcomer, ${name}`, weekThree, learner] as const),
]

describe('a conversation in a graph of the house', () => {
  it.each(everybody)('[document-26] %s is led where a person would expect', async (_, shipped, learner) => {
    const held = await played(shipped, learner)
    expect(spokenStates(held)).toEqual(learner.path)
    expect(held.turns.length).toBe(learner.lines.length)
    expect(held.walk.end !== null).toBe(learner.path.at(-1) === shipped.graph.terminal)
  })

  it.each(everybody)('[document-26] %s hears nothing twice', async (_, shipped, learner) => {
    const { turns } = await played(shipped, learner)
    const all = turns.map(({ speech }) => speech).join('\n')
    const lines = Object.values(shipped.npc.rehearsal.states)
      .flatMap(({ actions }) => actions.flat())
      .map((line) => (typeof line === 'string' ? line : line.say))
    expect(lines.filter((line) => all.split(line).length > 2)).toEqual([])
  })

  it.each(Object.entries(NEWCOMERS))(
    '[document-26] of a newcomer, %s, the desk hears that it was held, or nothing',
    async (_, one) => {
      const { sends, log } = await played(weekThree, one)
      const wasHeld = log.past.some(({ node }) => node === 'report_the_check_in')
      expect(sends.map(({ sideEffect }) => sideEffect.type)).toEqual(wasHeld ? ['emit-event', 'send-email'] : [])
      expect(wasHeld).toBe(/ask_for_one_wish|find_them_somebody|settle_what_is_expected/.test(one.path.at(-2) ?? ''))
    },
  )

  it('[document-26] what was called unclear is found again and put right', async () => {
    const { walk, log } = await played(weekThree, NEWCOMERS['chatty'])
    expect(walk.thoughts).toContainEqual(
      expect.objectContaining({ kind: 'recall', found: [expect.stringContaining("What's unclear to me")] }),
    )
    expect(log.turns.at(5)?.path).toBe('[A] -> [N] -> [C] -> [R] -> [D] -> [A]')
  })

  it('[document-26] a question about money is one for the people desk, and the check-in goes on', async () => {
    const { turns, log } = await played(weekThree, NEWCOMERS['money'])
    expect(turns.filter(({ speech }) => /people desk/.test(speech)).map(({ learner }) => learner)).toEqual([
      'Yes. Can I ask about my salary?',
      'When does my probation end?',
      'And how many holidays do I get?',
    ])
    expect(behaviorsIn(log)).toContain('money_and_contract')
  })

  it.each([
    ['one-to-one', oneToOne, CLIENTS['chatty']],
    ['week-three', weekThree, NEWCOMERS['overwhelmed']],
  ] as const)('[document-26] %s reads like this', async (name, shipped, learner) => {
    const transcript = transcriptOf(shipped.npc, await played(shipped, learner))
    expect(`${transcript}\n`).toBe(readFileSync(new URL(`../fixtures/plays/${name}.txt`, import.meta.url), 'utf8'))
  })
})

describe('whoever wants to stop', () => {
  const places = [oneToOne, weekThree].flatMap((shipped) =>
    inside(shipped).map((walk) => [walk.node, shipped, walk] as const),
  )

  it.each(places)('[document-27] can, in %s, with the message that says so', async (_, shipped, from) => {
    for (const learner of ['I want to stop.', "Sorry, I've got to go.", "I don't want to do this."]) {
      const { walk, sends } = await play(shipped, [learner], 'new', from)
      expect(walk.node).toBe(shipped.graph.terminal)
      expect(walk.end).toEqual({ completion: 'forced' })
      expect(sends).toEqual([])
    }
  })

  const elsewhere = places.filter(([node, shipped]) => shipped === weekThree && node !== 'stay_with_what_was_said')

  it.each(elsewhere)('[document-27] is heard in %s when they are not safe', async (_, shipped, from) => {
    for (const learner of ['I am being harassed.', "I don't feel safe here.", 'My lead threatens me.']) {
      const { turns, log } = await play(shipped, [learner], 'new', from)
      expect(turns.map(({ node }) => node)).toEqual(['stay_with_what_was_said'])
      expect(turns[0]?.speech).toContain('I believe you')
      expect(behaviorsIn(log)).toEqual(['not_safe'])
    }
  })
})

describe('whatever is written', () => {
  const said = [
    ...EVERY_LINE,
    ...[...Object.values(CLIENTS), ...Object.values(NEWCOMERS)].flatMap(({ lines }) => lines),
  ]

  it.each([
    ['one-to-one', oneToOne],
    ['week-three', weekThree],
  ] as const)('[document-28] %s answers it and comes to an end', async (_, shipped) => {
    const lines = fc.array(fc.constantFrom(...said), { minLength: 41, maxLength: 41 })
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom('new', 'returning'), async (learner, person) => {
        const { turns, walk } = await play(shipped, learner, person)
        expect(turns.every(({ speech }) => speech.trim() !== '')).toBe(true)
        expect(walk.end).not.toBeNull()
      }),
      { numRuns: runs('costly') },
    )
  })
})

function played(shipped: Shipped, learner: Learner | undefined): Promise<Play> {
  if (!learner) throw new Error('nobody by that name')
  return play(shipped, learner.lines, learner.person)
}

/** Returns a walk in each speaking state except the terminals, after one exchange in that state. */
function inside({ graph }: Shipped): readonly Walk[] {
  return graph.order.flatMap((id) => {
    const node = graph.nodes[id]
    if (!node || !speaks(node) || Object.values(graph.modules).some(({ terminal }) => terminal === id)) return []
    const isCalled = node.module.startsWith('steady@')
    const visit = { node: id, turns: 1, visits: [{ node: id, exchanges: 1 }], engaged: [0] }
    return [{ ...startWalk(graph), ...visit, stack: isCalled ? ['back_from_steady'] : [] }]
  })
}

function behaviorsIn({ past, current }: Play['log']): readonly string[] {
  return [...past, current].flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.kind === 'behavior' && entry.change === 'activated' ? (entry.behavior ?? []) : [],
    ),
  )
}
