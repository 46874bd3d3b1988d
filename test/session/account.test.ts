import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { talkView } from '../../worker/core/run/talk-view.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { levelOf, moved } from '../../worker/core/walk/relationship.ts'
import { accountOf } from '../../worker/session/read-log.ts'
import type { LogEvent } from '../../worker/wire/messages.ts'
import type { TalkView } from '../../worker/wire/run.ts'
import { academicScenario, lena } from '../support/academic-scenario.ts'
import { expertScenario, tomas } from '../support/expert-scenario.ts'
import { graphOf, sampleNpc } from '../support/sample-scenario.ts'
import { type Deed, playedScenario, roundGraph, StoredPlay } from '../support/stored-play.ts'
import { walkedGraph } from '../support/walked-conversation.ts'
import { runs } from '../support/runs.ts'

const say = (part: Partial<Extract<Deed, { type: 'say' }>> = {}): Deed => ({
  type: 'say',
  speech: 'We are at 23.4% there.',
  satisfied: true,
  engagement: 1,
  answers: [],
  ...part,
})

async function played(graph: Graph, deeds: readonly Deed[]): Promise<StoredPlay> {
  const play = StoredPlay.begun(graph)
  for (const [number, deed] of deeds.entries()) await play.do(deed, number + 1)
  return play
}

/** Returns the conversation of a play, as the debrief shows it. @throws when the play has no message */
function talkOf(play: StoredPlay): TalkView {
  const talk = talkView(accountFor(play))
  if (talk === null) throw new Error('nothing was said')
  return talk
}

function accountFor({ store, now }: StoredPlay) {
  const info = store.info()
  if (info === null) throw new Error('never begun')
  return accountOf(info, store, now)
}

/** What the learner does, step by step: the learner goes straight to the end and picks the first card of each fork. */
const straight: readonly Deed[] = [
  say(),
  say({ engagement: 2 }),
  say(),
  say({ engagement: -9 }),
  { type: 'choose', card: 0 },
  say(),
  say(),
  { type: 'choose', card: 0 },
  say(),
  say(),
]

describe('a conversation that went its way', () => {
  it('[debrief-10] its nodes in order, each with its turns and the reason for the step out of it', async () => {
    const play = await played(graphOf(), straight)
    expect(talkOf(play).walk).toEqual([
      { node: 'GROUND', kind: 'speak', from: 1, to: 1, reason: 'satisfied' },
      { node: 'SURFACE', kind: 'speak', from: 2, to: 2, reason: 'satisfied' },
      { node: 'DEEPEN', kind: 'speak', from: 3, to: 3, reason: 'satisfied' },
      { node: 'PIVOT_1', kind: 'pivot', from: 4, to: 4, reason: 'pivot-choice' },
      { node: 'DECISIVE', kind: 'speak', from: 5, to: 5, reason: 'satisfied' },
      { node: 'PIVOT_2', kind: 'pivot', from: 6, to: 6, reason: 'pivot-choice' },
      { node: 'RESOLVE', kind: 'speak', from: 7, to: 7, reason: 'satisfied' },
      { node: 'CLOSE', kind: 'speak', from: 8, to: 8, reason: 'satisfied' },
    ])
    expect(play.store.walk().end).toEqual({ completion: 'earned' })
    expect(talkOf(play).completion).toBe('earned')
  })

  it('[debrief-9] [debrief-11] where the colleague stood, and what each turn was worth', async () => {
    const { relationship, engagement } = talkOf(await played(graphOf(), straight))
    expect(relationship.map(({ turn, by }) => `${turn} ${by}`).join(', ')).toBe(
      '1 turn, 2 turn, 3 turn, 4 turn, 4 choice, 5 turn, 6 turn, 6 choice, 7 turn, 8 turn',
    )
    expect(relationship.slice(3, 5).map(({ level }) => level)).toEqual(['neutral', 'cooperative'])
    expect(engagement.slice(0, 4)).toEqual([
      { turn: 1, score: 1, said: 'What about number 1?' },
      { turn: 2, score: 2, said: 'What about number 2?' },
      { turn: 3, score: 1, said: 'What about number 3?' },
      // The report's score was lower. Only scores from -2 to 2 count for the relationship, so the account shows -2.
      { turn: 4, score: -2, said: 'What about number 4?' },
    ])
  })

  it('[debrief-12] its forks, with what was picked and what else there was; [debrief-13] what would have been accepted', async () => {
    const { pivots, accepts, opinion } = talkOf(await played(graphOf(), straight))
    const [p1, p2] = sampleNpc.pivots
    expect(pivots).toEqual([
      {
        pivot: 'PIVOT_1',
        turn: 4,
        question: p1?.question,
        choices: p1?.choices.map(({ id, text }) => ({ id, text })),
        choice: { id: 'a', effect: 'Maya opens up.' },
        said: null,
        again: true,
      },
      expect.objectContaining({ pivot: 'PIVOT_2', turn: 6, question: p2?.question }),
    ])
    expect(accepts).toEqual(sampleNpc.beats.beat6)
    expect(opinion).toEqual(sampleNpc.opinion)
  })

  it('[debrief-13] where nobody wrote what that is, it is their opinion', async () => {
    const npcs = playedScenario.npcs.map((npc) => ({ ...npc, beats: { ...npc.beats, beat6: [] } }))
    const play = StoredPlay.begun(graphOf(), { ...playedScenario, npcs })
    await play.do(say(), 1)
    expect(talkOf(play).accepts).toEqual([sampleNpc.opinion?.rightCall])
    const none = StoredPlay.begun(graphOf(), {
      ...playedScenario,
      npcs: npcs.map((npc) => ({ ...npc, opinion: null })),
    })
    await none.do(say(), 1)
    expect(talkOf(none)).toMatchObject({ accepts: [], opinion: null })
  })
})

describe('one that did not go so well', () => {
  it('[debrief-8] begun, and nothing said: there is nothing to tell', async () => {
    expect(talkView(accountFor(StoredPlay.begun(graphOf())))).toBeNull()
  })

  it('[debrief-8] of somebody whom the scenario does not have any more, there is nothing to tell either', async () => {
    const account = accountFor(await played(graphOf(), [say()]))
    expect(talkView({ ...account, npc: 'gone' })).toBeNull()
  })

  it('[debrief-8] [debrief-9] a turn that failed counts for nothing until it is tried again', async () => {
    const failed = talkOf(await played(graphOf(), [{ type: 'fail' }]))
    expect(failed).toMatchObject({
      relationship: [],
      engagement: [],
      walk: [{ node: 'GROUND', from: 0, to: 0, reason: null }],
    })
    expect(failed.transcript.map(({ id }) => id)).toEqual(['say-1', 'reply-1'])
    const again = talkOf(
      await played(graphOf(), [{ type: 'fail' }, { type: 'retry', speech: 'It is 180.', satisfied: true }]),
    )
    expect(again.relationship).toEqual([{ turn: 1, level: 'neutral', by: 'turn' }])
    expect(again.engagement).toEqual([{ turn: 1, score: 1, said: 'What about number 1?' }])
    expect(again.walk).toMatchObject([{ node: 'GROUND', from: 1, to: 1 }, { node: 'SURFACE' }])
    expect(again.transcript.map(({ text }) => text)).toEqual(['What about number 1?', 'It is 180.'])
  })

  it('[debrief-8] [debrief-11] a reply that was stopped is told as far as it was shown, and judged by nobody', async () => {
    const talk = talkOf(await played(graphOf(), [say(), { type: 'cut', shown: 'We are' }]))
    expect(talk.relationship.map(({ turn }) => turn)).toEqual([1, 2])
    expect(talk.engagement.map(({ turn }) => turn)).toEqual([1])
    expect(talk.walk.at(-1)).toEqual({ node: 'SURFACE', kind: 'speak', from: 2, to: 2, reason: null })
    expect(talk.transcript.at(-1)).toMatchObject({ id: 'reply-2', text: 'We are' })
  })

  it('[debrief-12] a fork that waits, or has passed, has no choice', async () => {
    const waits = [say(), say(), say(), say()]
    expect(talkOf(await played(graphOf(), waits)).pivots).toMatchObject([{ pivot: 'PIVOT_1', choice: null }])
    const talk = talkOf(await played(graphOf(), [...waits, say(), say(), say(), say(), say()]))
    expect(talk.pivots[0]).toMatchObject({ pivot: 'PIVOT_1', choice: null })
    expect(talk.walk.find(({ node }) => node === 'PIVOT_1')).toMatchObject({ from: 4, to: 9, reason: 'pivot-passed' })
  })
})

const words = fc.constantFrom('Hm.', 'We are at 23.4% there.', 'n=180, that is all.', '')
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('say' as const),
      speech: words,
      satisfied: fc.boolean(),
      engagement: fc.constantFrom(-99, -2, -1, 0, 1, 2, 1.5, 99),
      answers: fc.array(fc.constantFrom('{"exit": 0}', '{"exit": 1}', '{"action": 0}', 'hm'), { maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('choose' as const), card: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant<Deed>({ type: 'fail' }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('retry' as const), speech: words, satisfied: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cut' as const), shown: words }) },
)

describe.each([
  ['TECHNICAL', graphOf()],
  ['ACADEMIC', walkedGraph(academicScenario, lena)],
  ['EXPERT', walkedGraph(expertScenario, tomas)],
  ['a graph of states', roundGraph],
])('however it went, on %s', (_, graph) => {
  it(
    '[debrief-8] [debrief-9] [debrief-10] [debrief-11] [debrief-12] the account agrees with the walk, and changes nothing',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 30, size: 'max' }), async (deeds) => {
          const play = await played(graph, deeds)
          const before = play.bytes()
          const account = accountFor(play)
          expect(play.bytes()).toBe(before)
          expect(JSON.parse(JSON.stringify(account))).toEqual(account)
          const talk = talkView(account)
          expect(talk === null).toBe(play.store.lastTurn() === null)
          if (talk === null) return
          const walk = play.store.walk()
          agreesOnWalk(talk, play)
          expect(talk.completion).toBe(walk.end?.completion ?? null)

          // Computes the relationship's course again, from the score of each turn and from the effect of each picked
          // card on the mood.
          let relationship = { score: graph.policy.relationship.start, level: levelOf(0, graph.policy.relationship) }
          const worth = new Map(talk.engagement.map(({ turn, score }) => [turn, score]))
          const points = lastEnds(account.events).map((event) => {
            const delta = event.type === 'turn' ? (worth.get(event.turn) ?? 0) : moodOf(graph, event)
            relationship = moved(relationship, delta, graph.policy.relationship)
            return { turn: event.turn, level: relationship.level, by: event.type === 'turn' ? 'turn' : 'choice' }
          })
          expect(talk.relationship).toEqual(points)
          expect(relationship).toEqual(walk.relationship)

          for (const pivot of talk.pivots) {
            const state = walk.pivots[pivot.pivot]
            expect(pivot.choice?.id ?? null).toBe(state?.state === 'chosen' ? state.choice : null)
          }
          expect(new Set(talk.transcript.map(({ id }) => id)).size).toBe(talk.transcript.length)
        }),
        { numRuns: runs('costly') },
      )
    },
  )

  function agreesOnWalk(talk: TalkView, { store }: StoredPlay): void {
    const walk = store.walk()
    const isRound = talk.walk.some(({ reason }) => reason === 'internal-loop')
    if (!isRound) expect(talk.walk.map(({ node }) => node)).toEqual(walk.visits.map(({ node }) => node))
    expect(talk.walk.at(-1)?.node).toBe(walk.node)
    expect(talk.walk.slice(0, -1).every(({ reason }) => reason !== null)).toBe(true)
    expect(talk.walk.at(-1)?.reason !== null).toBe(walk.end !== null)
    let last = 0
    for (const { from, to } of talk.walk) {
      expect([from >= last, to >= from, to <= (store.lastTurn()?.id ?? 0)]).toEqual([true, true, true])
      last = to
    }
  }
})

type Ended = Extract<LogEvent, { type: 'turn' | 'pivot-end' }>

/**
 * Returns every choice and the last end of each turn, in the order of the log. Leaves out ends of attempts that failed.
 */
function lastEnds(events: readonly LogEvent[]): readonly Ended[] {
  return events.filter((event): event is Ended => {
    if (event.type === 'pivot-end') return event.choice !== null
    const isLast = events.findLast(({ type, turn }) => type === 'turn' && turn === event.turn) === event
    return event.type === 'turn' && event.outcome !== 'failed' && isLast
  })
}

function moodOf(graph: Graph, event: Ended): number {
  const node = event.type === 'pivot-end' ? graph.nodes[event.pivot] : undefined
  const id = event.type === 'pivot-end' ? event.choice?.id : undefined
  return (node?.kind === 'pivot' && node.pivot.choices.find((choice) => choice.id === id)?.mood) || 0
}
