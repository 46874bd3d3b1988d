import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesSpoken } from '../../sims/authoring/texts.ts'
import { knownEntries } from '../../worker/actor/rehearsal/entries.ts'
import { rehearse } from '../support/rehearse-with-table.ts'
import { figuresIn, sameFigure } from '../../worker/core/text/words.ts'
import type { Npc } from '../../worker/core/scenario/scenario.ts'
import { EVERY_LINE, LEARNERS } from '../support/learner-lines.ts'
import { Conversation, inside, launchDecision } from '../support/rehearsal-conversation.ts'
import { oneIn, runs } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const scenario = launchDecision()
const npcs = scenario.npcs.map(({ id }) => id)

/** Generates the acts of a learner: a message, or the pick of a card where cards are offered. */
const doings = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...EVERY_LINE) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  ),
  { minLength: 45, maxLength: 45 },
)
const picks = fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 45, maxLength: 45 })

describe('whatever a learner writes', () => {
  it.runIf(IS_LONG)(
    '[rehearsal-1] the same scene gives the same reply, and is left as it was',
    { timeout: 300_000 },
    () => {
      everyConversation((conversation, learner) => {
        const scene = conversation.scene(learner)
        const before = JSON.stringify(scene)
        expect(rehearse(scene)).toEqual(rehearse(scene))
        expect(JSON.stringify(scene)).toBe(before)
      })
    },
  )

  it('[rehearsal-2] [rehearsal-14] there is always something said, without a separator, and a whole report', () => {
    everyConversation((conversation, learner) => {
      const { speech, report } = conversation.say(learner)
      expect(speech.trim()).not.toBe('')
      expect(speech).not.toMatch(/---|node_satisfied|undefined|\{line\}/)
      expect([-2, -1, 0, 1, 2]).toContain(report.engagement_score)
      expect(Object.values(report).every((value) => value !== undefined)).toBe(true)
    })
  })

  it('[rehearsal-28] a reply is never longer than six sentences', () => {
    everyConversation((conversation, learner) => {
      const { speech } = conversation.say(learner)
      expect(speech.split(/(?<=[.!?])["')]?\s+(?=["'A-Z0-9])/).length).toBeLessThanOrEqual(6)
    })
  })

  it('[rehearsal-28] what nobody asked for makes room for the answer to a second question', () => {
    const { speech } = inside('maya', 'PIVOT_1').say(
      'signed for 2%?? so were 10x over on medical. does marcus know that',
    )
    const [answer, second, question, ...rest] = speech.split('\n\n')
    expect(rest).toEqual([])
    expect(answer).toMatch(/^Ask Marcus/)
    expect(second).toMatch(/^Marcus knows the average/)
    // In place of "My turn to ask. Everyone who ..."
    expect(question).toMatch(/^Everyone .*\?$/)
  })

  it('[rehearsal-6] no line is said twice in the transcript at hand unless the colleague says so, no node’s line ever, and no node’s point', () => {
    everyConversation((conversation, learner) => {
      const before = atHand(conversation)
      const ever = conversation.steps.map(({ speech }) => speech).join('\n')
      const points = conversation.steps.flatMap(({ report }) => report.information_revealed)
      const { speech, report } = conversation.say(learner)
      expect(repeatedIn(speech, conversation.npc, before)).toEqual([])
      expect(nodeLines(conversation.npc).filter((line) => speech.includes(line) && ever.includes(line))).toEqual([])
      const nodePoints = report.information_revealed.filter((point) => isNodePoint(conversation.npc, point))
      expect(nodePoints.filter((point) => points.includes(point))).toEqual([])
    })
  })

  it('[rehearsal-9] no figure is stated that is not on the speaker’s own page', () => {
    everyConversation((conversation, learner) => {
      const own = figuresOf(conversation.npc)
      const stated = figuresIn(conversation.say(learner).speech)
      expect(stated.filter((figure) => !own.some((known) => sameFigure(figure, known)))).toEqual([])
    })
  })

  it('[rehearsal-9] and none that is a colleague’s alone', () => {
    everyConversation((conversation, learner) => {
      const own = figuresOf(conversation.npc)
      const theirs = scenario.npcs.filter(({ id }) => id !== conversation.npc.id).flatMap(figuresOf)
      const foreign = theirs.filter((figure) => !own.some((known) => sameFigure(figure, known)))
      const stated = figuresIn(conversation.say(learner).speech)
      expect(stated.filter((figure) => foreign.some((known) => known.value === figure.value))).toEqual([])
    })
  })

  it('[rehearsal-11] a fork ends on a question', () => {
    everyConversation((conversation, learner) => {
      const { node, speech } = conversation.say(learner)
      if (node.startsWith('PIVOT')) expect(speech).toMatch(/\?$/)
    })
  })

  it('[rehearsal-18] [rehearsal-19] only those who register the fact get past the gate', () => {
    const others = Object.entries(LEARNERS).filter(([kind]) => kind !== 'keen' && kind !== 'skeptic')
    fc.assert(
      fc.property(
        fc.constantFrom(...npcs),
        fc.array(fc.constantFrom(...others.flatMap(([, lines]) => lines)), { minLength: 45, maxLength: 45 }),
        (npc, lines) => {
          const conversation = new Conversation(scenario, npc)
          for (const line of lines) {
            if (conversation.ended) break
            const { node, report } = conversation.say(line)
            if (node === 'DECISIVE')
              expect({ line, satisfied: report.node_satisfied }).toEqual({ line, satisfied: false })
          }
          expect(conversation.ended).toBe(true)
        },
      ),
      { numRuns: runs('costly') },
    )
  })
})

describe('one kind of learner, all the way', () => {
  const pairs = npcs.flatMap((npc) => Object.keys(LEARNERS).map((kind) => [npc, kind] as const))

  it.each(oneIn(5, pairs))(
    '[rehearsal-6] %s and the %s come to an end without a line said twice, unless the colleague says so',
    (npc, kind) => {
      const conversation = new Conversation(scenario, npc)
      const lines = LEARNERS[kind] ?? []
      for (let turn = 0; turn < 45 && !conversation.ended; turn += 1) {
        const before = atHand(conversation)
        const { speech } = conversation.say(lines[turn % lines.length] ?? '')
        expect(repeatedIn(speech, conversation.npc, before)).toEqual([])
      }
      expect(conversation.ended).toBe(true)
    },
  )

  it('[rehearsal-6] when everything is used up, the line heard longest ago comes back, and never the one just said', () => {
    const conversation = new Conversation(scenario, 'maya')
    while (!conversation.armed) conversation.say('ok')
    conversation.choose('a')
    const replies = Array.from({ length: 40 }, () => {
      const { speech } = rehearse(conversation.scene('ok'))
      conversation.history.push({ who: 'learner', text: 'ok' }, { who: 'npc', text: speech })
      return speech
    })
    expect(new Set(replies.slice(0, 10)).size).toBe(10)
    expect(replies.every((speech, index) => index === 0 || speech !== replies[index - 1])).toBe(true)
  })
})

function everyConversation(
  check: (conversation: Conversation, learner: string) => void,
  numRuns = runs('costly'),
): void {
  fc.assert(
    fc.property(fc.constantFrom(...npcs), doings, picks, (npc, lines, cards) => {
      const conversation = new Conversation(scenario, npc)
      for (const [index, line] of lines.entries()) {
        if (conversation.ended) return
        const card = cards[index] ?? null
        if (conversation.armed && card !== null) conversation.choose(card)
        const steps = conversation.steps.length
        check(conversation, line)
        if (conversation.steps.length === steps) conversation.say(line)
      }
    }),
    { numRuns },
  )
}

/** Returns the colleague's earlier lines that the actor gets for its next reply, joined into one text. */
function atHand(conversation: Conversation): string {
  return conversation
    .scene('')
    .history.flatMap(({ who, text }) => (who === 'npc' ? [text] : []))
    .join('\n')
}

/**
 * Returns the lines of a reply that were said before. A line directly after a line of `asides.again` may be one, and so
 * may any answer once all lines of `again` are used up, or if the reply would have more than six sentences with one.
 */
function repeatedIn(speech: string, npc: Npc, before: string): readonly string[] {
  const { again } = npc.rehearsal.asides
  const answers = knownEntries(npc).map(({ say }) => say[0] ?? '')
  const isUsedUp = again.every((line) => before.includes(line))
  const isFull = speech.split(/(?<=[.?!])\s+/).length >= MOST_WITH_AGAIN
  const mayRepeat = (line: string) =>
    answers.some((say) => say.includes(line)) &&
    (isUsedUp ||
      isFull ||
      again.some((told) => answers.some((say) => say.includes(line) && speech.includes(`${told} ${say}`))))
  return linesOf(npc).filter((line) => speech.includes(line) && before.includes(line) && !mayRepeat(line))
}

/** A line of `again` has up to two sentences, and a reply six. */
const MOST_WITH_AGAIN = 5

/** Returns the colleague's lines of at least 25 characters: a shorter line may occur in another line by chance. */
function linesOf(npc: Npc): readonly string[] {
  return linesSpoken(npc, []).flatMap(({ text }) => (text.length >= 25 ? [text] : []))
}

function nodeLines(npc: Npc): readonly string[] {
  return linesSpoken({ rehearsal: { nodes: npc.rehearsal.nodes } }, []).flatMap(({ text }) =>
    text.length >= 25 ? [text] : [],
  )
}

function isNodePoint({ rehearsal }: Npc, point: string): boolean {
  const lines = Object.values(rehearsal.nodes).flatMap(({ open, stay, escalated, satisfied }) => [
    ...open,
    ...stay,
    ...escalated,
    ...satisfied,
  ])
  return lines.some((line) => typeof line !== 'string' && line.point === point)
}

function figuresOf({ document, knowledge }: Npc) {
  return [...(document ? [document.title, ...document.lines] : []), ...knowledge].flatMap(figuresIn)
}
