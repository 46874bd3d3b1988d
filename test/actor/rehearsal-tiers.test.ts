import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFigures, checkProse } from '../../sims/authoring/check-texts.ts'
import { checkReferences } from '../../sims/authoring/check-references.ts'
import { checkSupply } from '../../sims/authoring/check-walks.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import { academicScenario, jonas, lena } from '../support/academic-scenario.ts'
import { expertScenario, petra, tomas } from '../support/expert-scenario.ts'
import { EVERY_LINE } from '../support/learner-lines.ts'
import { launchDecision, npcOf } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'
import { runs } from '../support/runs.ts'

const launch = launchDecision()
const otto = npcOf(launch, 'otto')
const mute: Npc = { ...otto, rehearsal: { ...otto.rehearsal, nodes: {}, answers: [] } }

interface Told {
  readonly name: string
  readonly npc: string
  readonly completion: string
  readonly turns: readonly { node?: string; learner: string; speech?: string; satisfied?: boolean }[]
}
const file = new URL('../fixtures/tier-conversations.json', import.meta.url)
const told = JSON.parse(readFileSync(file, 'utf8')) as readonly Told[]
const casts: Readonly<Record<string, readonly [Scenario, Npc]>> = {
  lena: [academicScenario, lena],
  tomas: [expertScenario, tomas],
  petra: [expertScenario, petra],
  otto: [launch, otto],
}

describe('conversations read aloud', () => {
  it.each(told)('[tier-16] $name', ({ npc, turns, completion }) => {
    const [scenario, who] = casts[npc] ?? []
    if (!scenario || !who) throw new Error(`nobody is ${npc}`)
    const conversation = new WalkedConversation(scenario, who).play(turns.map(({ learner }) => learner))
    const spoken = turns.filter(({ learner }) => !learner.startsWith('#'))
    expect(
      conversation.exchanges.map(({ node, learner, speech, report }) => ({
        node,
        learner,
        speech,
        satisfied: report.node_satisfied,
      })),
    ).toEqual(spoken)
    expect(conversation.walk.end).toEqual({ completion })
    expect(conversation.commands.filter((name) => name === 'AI_AdvanceObjective')).toHaveLength(1)
    expect(conversation.commands.at(-1)).toBe('AI_EndConversation')
  })
})

describe('a confession', () => {
  it('[rehearsal-7] [tier-13] waits for one question, and is told then, whatever is said', () => {
    const turns = told.find(({ name }) => name === 'EXPERT: on good terms')?.turns ?? []
    const before = turns.slice(
      0,
      turns.findIndex(({ node }) => node === 'CONFIDE'),
    )
    for (const next of ["That can't have been easy.", 'And how often does that happen?']) {
      const conversation = new WalkedConversation(expertScenario, tomas).play(before.map(({ learner }) => learner))
      const asked = conversation.say('How many seconds was that again?')
      const after = conversation.say(next)
      expect([asked.node, after.node]).toEqual(['CONFIDE', 'CONFIDE'])
      expect(asked.speech).not.toContain('I wrote that lock')
      expect(after.speech).toContain('I wrote that lock')
    }
  })
})

describe('questions and answers', () => {
  const asking = () => new WalkedConversation(academicScenario, lena).play(['Hi', 'How many people answered?'])

  it.each([
    ['So the 81% only speaks for people who still ride it.', true],
    ["Then I'd print that people on the bus were satisfied.", true],
    ["That's all I needed.", true],
    ['No more questions, thank you.', true],
    ['Thanks!', true],
    ['And who was asked?', false],
    ['So the 81% is about commuters. Who else was asked?', false],
    ['Tell me about the forms.', false],
    ['ok', false],
    ["I don't care about the 81%.", false],
    ['The response rate was 60%.', false],
    ['My cat is unwell today, sadly.', false],
  ])('[tier-11] "%s" ends the asking: %s', (learner, satisfied) => {
    expect(asking().say(learner).report.node_satisfied).toBe(satisfied)
  })

  it('[tier-11] nothing is over before anything was answered', () => {
    const conversation = new WalkedConversation(academicScenario, lena).play(['Hi'])
    expect(conversation.say("That's all I needed.").report.node_satisfied).toBe(false)
  })

  it('[tier-11] a question that has its answer gets that alone, once the first thing was told', () => {
    const conversation = asking()
    expect(conversation.say('Is it representative?').speech).toBe(
      "It's honest about the people it asked. It's silent about everyone else.",
    )
  })
})

describe('a challenge', () => {
  const challenged = () =>
    new WalkedConversation(expertScenario, tomas).play([
      'Hi',
      'What do you see?',
      'How long is the pause?',
      'So a full disk starts compaction and the commit waits for the lock.',
      'ok',
      '#b',
      'Then we should stop it.',
    ])

  it.each([
    ['Because the median hides it, and a client only meets the pause.', true],
    ['I disagree, because the old engine never held the lock that long.', true],
    ['A 4 second pause every 11 minutes is a lot of commits.', true],
    ['If a client waits for the whole pause it gives up.', true],
    ['The commit is quick on average, but nobody waits for the average.', true],
    ['I just think it should.', false],
    ['Because.', false],
    ['Why do you ask?', false],
    ['Is it because of the lock?', false],
    ['ok', false],
    ['Who cares?', false],
    ['Because my cat is unwell, so there.', false],
  ])('[tier-12] "%s" is a reason: %s', (learner, satisfied) => {
    const conversation = challenged()
    expect(conversation.walk.node).toBe('CHALLENGE')
    expect(conversation.say(learner).report.node_satisfied).toBe(satisfied)
  })

  it('[tier-12] cannot be met before it is put, and is put to whoever arrives', () => {
    const [arrival] = challenged().exchanges.slice(-1)
    expect(arrival).toMatchObject({ node: 'CHALLENGE', report: { node_satisfied: false } })
    expect(arrival?.speech).toContain('why should a pause every 11 minutes stop anybody?')
  })

  it('[tier-12] disagreeing with a reason is no waving away, and counts as reasoning', () => {
    const conversation = challenged()
    const { speech, report } = conversation.say('I disagree, because the old engine never held the lock that long.')
    expect(report.engagement_score).toBe(1)
    expect(tomas.rehearsal.asides.pushback.some((line) => speech.includes(line))).toBe(false)
    expect(challenged().say('Because 4 seconds is longer than anybody waits.').report.engagement_score).toBe(2)
    expect(challenged().say('I disagree.').report.engagement_score).toBe(-1)
  })
})

describe('somebody who confides', () => {
  const reason = 'Because the median hides it, and a client only meets the pause.'
  const upTo = (card: string) =>
    new WalkedConversation(expertScenario, tomas).play([
      'Hi',
      'What do you see?',
      'How long is the pause?',
      'So compaction takes the lock and the commit waits.',
      'ok',
      card,
      'ok',
      reason,
    ])

  it('[tier-5] [tier-13] those on good terms are told, and owe no answer', () => {
    const conversation = upTo('#a')
    expect(conversation.walk.node).toBe('CONFIDE')
    const { speech, report, reason: why } = conversation.say('ok')
    expect(speech).toContain("I'll tell you what isn't in the notes.")
    expect([report.node_satisfied, why, conversation.walk.node]).toEqual([true, 'satisfied', 'DECISIVE'])
  })

  it('[tier-5] the others go straight on', () => {
    expect(upTo('#b').walk.node).toBe('DECISIVE')
  })
})

describe('a guide', () => {
  const shown = () => new WalkedConversation(launch, otto).play(['Hi'])

  it.each([
    ['ok', true],
    ['go on', true],
    ['Thanks', true],
    ["What's going on?", true],
    ['What is the error rate?', true],
    ["That's everything, thanks.", true],
    ["I don't understand", false],
    ['Wait.', false],
    ['Hang on, not so fast', false],
    ['Who won the football last night?', false],
    ['', false],
    ['¿Qué es esto y por qué no funciona?', false],
    ['you are useless', false],
  ])('[tier-14] after "%s" the learner is ready to go on: %s', (learner, ready) => {
    const conversation = shown()
    expect(conversation.say(learner).report.node_satisfied).toBe(ready)
    expect(conversation.walk.node).toBe(ready ? 'OPTIONS' : 'SITUATION')
  })

  it.each([
    ['What is the hallucination error rate?', 'Maya'],
    ['Can the routing be changed so the nurse line gets these?', 'Ines'],
  ])('[tier-14] "%s" is handed on to %s, and the round goes on', (learner, colleague) => {
    const conversation = shown().play(['ok', 'ok'])
    const { speech, report } = conversation.say(learner)
    expect(speech).toMatch(new RegExp(`^[^.]*(?:${colleague})`))
    expect(report).toMatchObject({ detour_detected: true, node_satisfied: true })
    expect(conversation.walk.node).toBe('CLOSE')
  })

  it('[tier-14] what is the guide’s to answer is answered', () => {
    expect(shown().say('Who decides?').speech).toMatch(/^You do\. I checked\./)
    expect(shown().play(['ok']).say('What would you do?').speech).toMatch(/^I keep the order, not the answer\./)
  })
})

describe('a colleague without a line of their own', () => {
  it('[tier-15] says what they are bound to, each thing once, and a guide leaves nobody out', () => {
    const conversation = new WalkedConversation(launch, mute).play(['hi', 'ok', 'ok', 'ok', 'ok'])
    const speech = conversation.exchanges.map((exchange) => exchange.speech)
    expect(conversation.path).toEqual(['WELCOME', 'SITUATION', 'OPTIONS', 'PEOPLE', 'CLOSE'])
    expect(speech[1]).toContain(launch.situation.what)
    expect(launch.decision.options.every(({ title }) => speech[2]?.includes(title))).toBe(true)
    expect(['Maya Patel', 'Marcus Bell', 'Ines Okafor'].every((name) => speech[3]?.includes(name))).toBe(true)
    expect(speech[4]).toBe(otto.next?.why)
  })

  it('[tier-15] never says aloud what a conversation is to come to', () => {
    for (const [scenario, npc] of [
      [academicScenario, jonas],
      [expertScenario, petra],
      [launch, mute],
    ] as const) {
      const { exchanges } = playOut(scenario, npc, ['ok'])
      expect(exchanges.filter(({ speech }) => speech.includes(npc.goal.endCondition))).toEqual([])
      expect(exchanges.at(-1)?.speech).toContain(npc.document?.title ?? npc.next?.why)
    }
  })

  it('[tier-15] answers what they know when asked on arrival, though nobody foresaw it', () => {
    const conversation = new WalkedConversation(expertScenario, petra).play(['Hi', 'What is wrong with the regions?'])
    expect(conversation.say('What is the disk use in West?').speech).toBe('West is at 82% disk use.')
  })
})

describe('whoever talks to them', () => {
  const everybody = [
    ['lena', academicScenario, lena],
    ['jonas', academicScenario, jonas],
    ['tomas', expertScenario, tomas],
    ['petra', expertScenario, petra],
    ['otto', launch, otto],
    ['a mute otto', launch, mute],
  ] as const

  it.each(everybody)(
    '[tier-17] %s: every conversation ends within the proven bound, and no reply is empty',
    (_, scenario, npc) => {
      const { longest } = verifyGraph(new WalkedConversation(scenario, npc).graph)
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...EVERY_LINE), { minLength: 1, maxLength: 6 }), (lines) => {
          const conversation = playOut(scenario, npc, lines)
          expect(conversation.exchanges.length).toBeLessThanOrEqual(longest.exchanges)
          expect(conversation.exchanges.filter(({ speech }) => speech.trim() === '')).toEqual([])
          expect(conversation.commands.at(-1)).toBe('AI_EndConversation')
        }),
        { numRuns: runs('costly') },
      )
    },
  )
})

describe('what an author writes for a tier', () => {
  it.each([
    ['ACADEMIC', academicScenario, 'lena'],
    ['EXPERT', expertScenario, 'tomas'],
    ['a guide', launch, 'otto'],
  ])('[tier-18] %s: lines for every node of the walk, and nothing against them', (_, scenario, id) => {
    const index = scenario.npcs.findIndex((npc) => npc.id === id)
    const findings = [checkSupply, checkProse, checkFigures, checkReferences].flatMap((check) =>
      check(scenario, SHIPPED_LIBRARY),
    )
    expect(findings.filter(({ at }) => at.startsWith(`/npcs/${index}/`))).toEqual([])
  })

  it('[tier-18] lines for a node that is not walked are found, and nodes without lines', () => {
    const findings = checkSupply({ ...launch, npcs: [{ ...otto, walk: 'tier' }] }, SHIPPED_LIBRARY)
    expect(findings.map(({ at, message }) => `${at} ${message}`)).toEqual([
      '/npcs/0/rehearsal/nodes has no lines for GROUND',
      '/npcs/0/rehearsal/nodes has no lines for SURFACE',
      '/npcs/0/rehearsal/nodes has no lines for DEEPEN',
      '/npcs/0/rehearsal/nodes has no lines for RESOLVE',
      ...['WELCOME', 'SITUATION', 'OPTIONS', 'PEOPLE'].map(
        (id) => `/npcs/0/rehearsal/nodes/${id} is no node that this colleague walks`,
      ),
    ])
  })
})

/**
 * Sends the learner's lines again and again until the conversation ends. The learner never picks a card, so every fork
 * times out.
 */
function playOut(scenario: Scenario, npc: Npc, lines: readonly string[]): WalkedConversation {
  const conversation = new WalkedConversation(scenario, npc)
  for (let turn = 0; conversation.walk.end === null; turn++) {
    if (turn > 200) throw new Error('does not end')
    conversation.say(lines[turn % lines.length] ?? 'ok')
  }
  return conversation
}
