import { describe, expect, it } from 'vitest'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { EMPTY_REPORT, type Report } from '../../worker/core/reply/report.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import type { MessageHints, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'
import { nodeBlock } from '../../worker/core/briefing/node-block.ts'
import { SHIPPED_BACKBONES } from '../support/backbones.ts'
import { expertScenario, tomas } from '../support/expert-scenario.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'
import { play, turn, walkTo } from '../support/walk-events.ts'
import { walkedGraph } from '../support/walked-conversation.ts'

/** The backbone TECHNICAL as it is shipped, with the sample colleague's content. The colleague speaks first. */
const graph = graphOf(sampleNpc, SHIPPED_BACKBONES[0])
const QUESTION: MessageHints = { goodbye: false, question: true }
const GOODBYE: MessageHints = { goodbye: true, question: false }
const NEITHER: MessageHints = { goodbye: false, question: false }

/**
 * Plays one exchange. `report` has the fields that the actor reports, and `hints` says what the learner's message looks
 * like.
 */
function exchange(
  walk: Walk,
  report: Partial<Report>,
  hints: MessageHints = NEITHER,
  quality: 'clean' | 'missing' = 'clean',
  on: Graph = graph,
) {
  const [turnId, seq] = [`t${walk.seq + 1}`, walk.seq + 1]
  const events: readonly WalkEvent[] = [
    { type: 'learner', turnId, seq, hints },
    { type: 'report', turnId, seq, report: { ...EMPTY_REPORT, ...report }, quality },
  ]
  const steps = events.reduce<ReturnType<typeof step>[]>(
    (taken, event) => [...taken, step(on, taken.at(-1)?.walk ?? walk, event)],
    [],
  )
  const trace = steps.flatMap((taken) => taken.trace)
  return {
    walk: steps.at(-1)?.walk ?? walk,
    reasons: trace.flatMap((entry) => (entry.type === 'decision' ? [entry.decision.reason] : [])),
    briefs: steps.flatMap(({ effects }) => effects.filter(({ type }) => type === 'brief')).length,
    commands: steps.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.type === 'command' ? [effect.id] : [])),
    ),
  }
}

const arm = (fork: string) => exchange(walkTo(graph, fork), {}).walk

describe('an answer in the learner’s own words', () => {
  it('[walk-12] that comes to a card leads where the card leads, with its mood', () => {
    const typed = exchange(arm('PIVOT_1'), { pivot_choice: 'b' })
    const picked = step(graph, arm('PIVOT_1'), { type: 'pivot-choice', node: 'PIVOT_1', choice: 'b' }).walk
    expect(typed.reasons).toEqual(['pivot-choice'])
    expect(typed.walk.relationship).toEqual(picked.relationship)
    expect([typed.walk.node, typed.walk.pivots['PIVOT_1']]).toEqual([
      picked.node,
      { ...picked.pivots['PIVOT_1'], isTyped: true },
    ])
    expect(typed.walk.satisfied).toContain('PIVOT_1')
  })

  it('[walk-12] of another kind resolves the fork without a mood', () => {
    const own = exchange(arm('PIVOT_1'), { pivot_choice: 'own' })
    expect(own.reasons).toEqual(['pivot-own'])
    expect(own.walk.relationship).toEqual(arm('PIVOT_1').relationship)
    expect(own.walk.pivots['PIVOT_1']).toMatchObject({ state: 'chosen', choice: null })
  })

  it.each(['c', 'A', '', '__proto__', 'p1'])('[walk-4] by an id that was not offered (%j) is none', (choice) => {
    expect(exchange(arm('PIVOT_1'), { pivot_choice: choice }).reasons).toEqual(['pivot-asked'])
  })

  it('[walk-12] that came before the question was put resolves the fork without putting it', () => {
    const before = exchange(walkTo(graph, 'PIVOT_2'), { pivot_choice: 'b' })
    expect([before.reasons, before.commands, before.walk.node]).toEqual([['pivot-choice'], [], 'RESOLVE'])
  })

  it('[walk-12] a question of the learner’s own leaves the fork open, and is not counted as asking', () => {
    const asking = exchange(arm('PIVOT_1'), {}, QUESTION)
    expect(asking.reasons).toEqual(['pivot-open'])
    let { walk } = asking
    for (let open = 2; open < 5; open += 1) {
      const again = exchange(walk, {}, QUESTION)
      expect(again.reasons).toEqual(['pivot-open'])
      walk = again.walk
    }
    // This is the fifth exchange at the open fork. The learner asks a question again, but the walk goes on past the
    // fork.
    expect(exchange(walk, {}, QUESTION).reasons).toEqual(['pivot-passed'])
  })

  it('[walk-12] nobody is asked a third time', () => {
    const twice = exchange(arm('PIVOT_1'), {})
    expect(twice.reasons).toEqual(['pivot-asked'])
    expect(exchange(twice.walk, {})).toMatchObject({ reasons: ['pivot-passed'], walk: { node: 'DECISIVE' } })
  })

  it('[walk-12] [walk-46] counts late, until the next fork, and after the end', () => {
    const isTaken = (walk: Walk) => exchange(walk, { pivot_choice: 'a' }).walk.pivots['PIVOT_1']?.state === 'chosen'
    const passed = exchange(exchange(arm('PIVOT_1'), {}).walk, {}).walk
    expect(passed.pivots['PIVOT_1']).toEqual({ state: 'passed' })
    const later = exchange(passed, {}).walk
    const next = [later, ...Array<null>(8)].reduce<Walk>((walk) => {
      return walk.node === 'PIVOT_2' ? walk : exchange(walk, { node_satisfied: true }).walk
    }, later)
    expect(next.node).toBe('PIVOT_2')
    expect([passed, later, next].map(isTaken)).toEqual([true, true, false])
    for (const walk of [arm('PIVOT_1'), later]) {
      const left = exchange(walk, { learner_leaving: true }, GOODBYE).walk
      expect(left.end).not.toBeNull()
      const turn = { turnId: 't', seq: left.seq + 1 }
      const asked = step(graph, left, { type: 'learner', ...turn, isAfter: true })
      const report = { ...EMPTY_REPORT, pivot_choice: 'a' }
      const answered = step(graph, asked.walk, { type: 'report', ...turn, report, quality: 'clean' }).walk
      expect(answered.pivots['PIVOT_1']).toEqual({ state: 'chosen', choice: 'a', isTyped: true })
      expect(asked.effects.map((effect) => effect.type === 'brief' && nodeBlock(effect.node)).join('')).toContain(
        '"pivot_choice", for what you asked before',
      )
    }
  })

  it('[walk-12] that was misread can be corrected for two exchanges, and takes the mood with it', () => {
    const misread = exchange(arm('PIVOT_1'), { pivot_choice: 'b' }).walk
    const meant = exchange(arm('PIVOT_1'), { pivot_choice: 'a' }).walk.relationship
    expect(misread.relationship).not.toEqual(meant)
    const once = exchange(misread, { pivot_choice: 'a' }).walk
    expect([once.pivots['PIVOT_1'], once.relationship]).toEqual([
      { state: 'chosen', choice: 'a', isTyped: true },
      meant,
    ])
    const asked = exchange(misread, { detour_detected: true }).walk
    expect(exchange(asked, { pivot_choice: 'a' }).walk.relationship).toEqual(meant)
    const late = exchange(exchange(asked, { detour_detected: true }).walk, { pivot_choice: 'a' }).walk
    expect(late.pivots['PIVOT_1']).toMatchObject({ choice: 'b' })
    expect(exchange(misread, { pivot_choice: 'b' }).walk.relationship).toEqual(misread.relationship)
  })

  it('[walk-12] that was misread is not offered to the actor again, and only a correction counts', () => {
    const rule = (walk: Walk) => {
      const { effects } = step(graph, walk, { type: 'learner', turnId: 't', seq: walk.seq + 1 })
      const block = effects.flatMap((effect) => (effect.type === 'brief' ? [nodeBlock(effect.node)] : [])).join('')
      return /"pivot_choice"[^]*?null i[fn]/.exec(block)?.[0] ?? ''
    }
    const misread = rule(exchange(arm('PIVOT_1'), { pivot_choice: 'b' }).walk)
    expect(misread).toContain('ONLY if they now say what they meant instead: "a" if')
    expect(misread).not.toContain('"b" if')
    const passed = rule(exchange(exchange(arm('PIVOT_1'), {}).walk, {}).walk)
    expect(passed).toContain('"b" if')
    expect(passed).not.toContain('ONLY')
  })

  it('[walk-12] that was picked is not for a report to change', () => {
    const picked = step(graph, arm('PIVOT_1'), { type: 'pivot-choice', node: 'PIVOT_1', choice: 'b' }).walk
    expect(exchange(picked, { pivot_choice: 'a' }).walk.pivots['PIVOT_1']).toEqual({ state: 'chosen', choice: 'b' })
  })
})

describe('leaving', () => {
  it.each(graph.order.filter((id) => id !== 'GROUND'))(
    '[walk-43] ends the conversation with this very reply: %s',
    (node) => {
      const left = exchange(walkTo(graph, node), { learner_leaving: true })
      expect(left.walk.end).toMatchObject({ isLeft: true })
      expect(left.reasons).toEqual(['left'])
      expect(left.commands.at(-1)).toBe('AI_EndConversation')
      expect(step(graph, left.walk, { type: 'learner', turnId: 'later', seq: left.walk.seq + 1 }).effects).toEqual([])
    },
  )

  it('[walk-43] earns nothing before the gate, and something where this very report satisfies it', () => {
    const completion = (node: string, report: Partial<Report>) =>
      exchange(walkTo(graph, node), { learner_leaving: true, ...report }).walk.end?.completion
    expect(completion('SURFACE', { node_satisfied: true })).toBe('forced')
    expect(completion('DECISIVE', {})).toBe('forced')
    expect(completion('DECISIVE', { node_satisfied: true })).toBe('earned')
    expect(completion('PIVOT_2', {})).toBe('earned')
  })

  it('[walk-43] [walk-13] counts for a gate ahead if the learner has registered its fact, now or before', () => {
    const at = walkTo(graph, 'SURFACE')
    const left = exchange(at, { learner_leaving: true, fact_registered: true }).walk
    expect([left.end?.completion, left.satisfied.includes('DECISIVE')]).toEqual(['earned', true])
    const told = exchange(at, { fact_registered: true })
    expect([told.walk.satisfied.includes('DECISIVE'), told.walk.end, told.commands]).toEqual([
      true,
      null,
      ['AI_AdvanceObjective:launch-risk'],
    ])
    expect(exchange(told.walk, { learner_leaving: true }).walk.end?.completion).toBe('earned')
  })

  it('[walk-43] by words alone needs a missing report, or a second goodbye', () => {
    const at = walkTo(graph, 'DECISIVE')
    expect(exchange(at, {}, GOODBYE, 'missing').reasons).toEqual(['left'])
    const held = exchange(at, {}, GOODBYE)
    expect(held.reasons).toEqual(['gate-hold'])
    expect(exchange(held.walk, {}, GOODBYE).reasons).toEqual(['left'])
    // The learner says goodbye, then something else, then goodbye again. The message between cancels the first goodbye.
    expect(exchange(exchange(held.walk, {}).walk, {}, GOODBYE).reasons).toEqual(['gate-hold'])
  })

  it.each([
    ['bye', GOODBYE],
    ['Good. Goodbye then, Maya.', GOODBYE],
    ['Thanks Maya, I have to go now.', GOODBYE],
    ['ok gotta run, see you later!', GOODBYE],
    ['thx kofi, off to the basement', GOODBYE],
    ["ok enjoy the train, i'll send you what i decide", GOODBYE],
    ['that was off to a bad start', NEITHER],
    ['Nos vemos', GOODBYE],
    ['Danke, bis bald', GOODBYE],
    ['Great, thanks for your time and enjoy the noodles', GOODBYE],
    ['Gracias por tu tiempo.', GOODBYE],
    ['Thanks, have a nice evening!', GOODBYE],
    ['Hi Maya, thanks for your time', NEITHER],
    ['Good evening', NEITHER],
    ['Before I go, what does the contract say?', QUESTION],
    ['How do I say goodbye to the client?', QUESTION],
    ['I will leave the medical answers out', NEITHER],
    ['Wait, one more thing', NEITHER],
    ["Thank you Maya, goodbye - I'll go and ask Marcus.", GOODBYE],
    ['when must they have an answer', QUESTION],
    ["Thanks, I'm going to decide now", GOODBYE],
    ['I am going to decide now that the valve is shut', NEITHER],
    ['thanks a lot Maya, good luck upstairs', GOODBYE],
    ['are those noodles any good? anyway thats all, see you thursday!', { goodbye: true, question: true }],
    ['ok bye Ruth, give your mum my best', GOODBYE],
    ['perfect, valve first and then the notice. thanks Ruth, ill get on with it', GOODBYE],
    ['i feel ill today', NEITHER],
    ['one thing first: what happens at 3am if somebody asks about their meds', QUESTION],
    ['so my summary: medical breaks the 2%', NEITHER],
    ["Perfect, very clear. I'll go see Ruth. get some sleep tomorrow!", GOODBYE],
    ['ok ill go and talk to marcus', GOODBYE],
    ['good luck is not a plan', NEITHER],
    ['hang on i asked if YOU can do it, not me', QUESTION],
    ['ok so how long does it take', QUESTION],
    ['and i wait for him', NEITHER],
    ['ok thanks emyr, ill let you do your readings', GOODBYE],
    ['i will let you know how it goes', NEITHER],
    ['', NEITHER],
  ])('[walk-43] the words of %j show %o', (text, hints) => {
    expect(readHints(text)).toEqual(hints)
  })
})

describe('a reply that serves two nodes', () => {
  it('[walk-44] arms the fork, and waits at the gate', () => {
    const forked = exchange(walkTo(graph, 'DECISIVE'), { node_satisfied: true, went_on: true })
    expect([forked.reasons, forked.commands]).toEqual([
      ['satisfied', 'pivot-armed'],
      ['AI_PivotMoment:PIVOT_2', 'AI_AdvanceObjective:launch-risk'],
    ])
    const gated = exchange(arm('PIVOT_1'), { pivot_choice: 'a', went_on: true })
    expect([gated.walk.node, gated.walk.turns, gated.walk.end]).toEqual(['DECISIVE', 1, null])
  })

  it('[walk-44] is counted only after a move that the learner earned, and only for the node that was offered', () => {
    const forced = exchange(exchange(arm('PIVOT_1'), {}).walk, { went_on: true })
    expect([forced.reasons, forced.walk.turns]).toEqual([['pivot-passed'], 0])
    const unoffered = exchange(walkTo(graph, 'SURFACE'), { node_satisfied: true, went_on: true })
    expect([unoffered.walk.node, unoffered.walk.turns]).toEqual(['DEEPEN', 0])
  })

  it('[walk-44] never ends the conversation: the end comes with a reply of its own', () => {
    for (const from of [walkTo(graph, 'RESOLVE'), exchange(walkTo(graph, 'RESOLVE'), {}).walk]) {
      const taken = exchange(from, { node_satisfied: true, went_on: true })
      expect([taken.walk.node, taken.walk.turns, taken.walk.end]).toEqual(['CLOSE', 0, null])
    }
  })
})

it('[walk-44] a node that the colleague satisfies by speaking is left at once, and nobody speaks again in this turn', () => {
  const expert = walkedGraph(expertScenario, tomas)
  const at = walkTo(expert, 'CHALLENGE')
  const warm: Walk = { ...at, relationship: { score: 12, level: 'cooperative' } }
  const taken = exchange(warm, { node_satisfied: true, went_on: true }, NEITHER, 'clean', expert)
  expect(taken.reasons).toEqual(['satisfied', 'went-on'])
  expect([taken.walk.node, taken.walk.open]).toEqual(['DECISIVE', null])
  expect(taken.briefs).toBe(1)
})

describe('the document', () => {
  it('[walk-45] is handed over once, and not before every gate was satisfied', () => {
    const early = exchange(walkTo(graph, 'SURFACE'), { document_given: true })
    expect(early.commands).toEqual([])
    const atGate = exchange(walkTo(graph, 'DECISIVE'), { document_given: true })
    expect(atGate.commands).toEqual([])
    const given = exchange(walkTo(graph, 'PIVOT_2'), { document_given: true })
    expect(given.commands).toContain('AI_HandOverDocument')
    expect(exchange(given.walk, { document_given: true }).commands).not.toContain('AI_HandOverDocument')
    const leaving = exchange(walkTo(graph, 'SURFACE'), { document_given: true, learner_leaving: true })
    expect(leaving.commands).toEqual(['AI_HandOverDocument', 'AI_EndConversation'])
  })
})

it('[walk-40] a spoken opening counts as the entry, and the first message meets the node after it', () => {
  const walk = startWalk(graph)
  expect([walk.node, walk.satisfied, walk.visits.map(({ node }) => node)]).toEqual([
    'SURFACE',
    ['GROUND'],
    ['GROUND', 'SURFACE'],
  ])
})

it('[walk-48] a question at the end is answered without a goodbye, five times', () => {
  const answered = [1, 2, 3, 4, 5].reduce((walk) => exchange(walk, {}, QUESTION).walk, walkTo(graph, 'CLOSE'))
  expect(answered.end).toBeNull()
  expect(exchange(answered, {}, QUESTION).walk.end).not.toBeNull()
  const howToEnd = (walk: Walk, hints: MessageHints, on = graph) =>
    step(on, walk, { type: 'learner', turnId: 't', seq: walk.seq + 1, hints }).effects.flatMap((effect) =>
      effect.type === 'brief'
        ? nodeBlock(effect.node)
            .split('\n')
            .filter((line) => line.startsWith('HOW TO END'))
        : [],
    )
  expect(howToEnd(walkTo(graph, 'CLOSE'), QUESTION)).toEqual([expect.stringContaining('without a goodbye')])
  expect(howToEnd(walkTo(graph, 'CLOSE'), NEITHER)).toEqual([expect.stringContaining('and goodbye')])
  expect(howToEnd(answered, QUESTION)).toEqual([expect.stringContaining('and goodbye')])
})

it('[walk-44] a cooperative learner needs eight messages at most, and is asked nothing twice', () => {
  const told: readonly Partial<Report>[] = [
    { node_satisfied: true },
    { node_satisfied: true },
    {},
    { pivot_choice: 'a', went_on: true },
    { node_satisfied: true, went_on: true },
    { pivot_choice: 'b' },
    { node_satisfied: true, document_given: true },
    { node_satisfied: true },
  ]
  let walk = startWalk(graph)
  const reasons: string[] = []
  for (const report of told) {
    if (walk.end) break
    const taken = exchange(walk, report)
    walk = taken.walk
    reasons.push(...taken.reasons)
  }
  expect(walk.end).toEqual({ completion: 'earned' })
  expect(reasons.filter((reason) => reason === 'pivot-asked' || reason === 'gate-hold')).toEqual([])
  expect(play(graph, [turn(true)], walk).steps[0]?.step.trace[0]).toMatchObject({ type: 'ignored' })
})
