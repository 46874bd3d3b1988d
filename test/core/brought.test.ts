import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brief } from '../../worker/core/briefing/brief.ts'
import type { NodeBrief } from '../../worker/core/briefing/briefing.ts'
import {
  type Brought,
  BROUGHT_BYTES,
  BROUGHT_LINES,
  broughtLines,
  broughtTo,
  type OtherTalk,
} from '../../worker/core/briefing/brought.ts'
import { outsideOf } from '../../worker/core/briefing/latest.ts'
import type { ScenarioFact, Scenario } from '../../worker/core/scenario/scenario.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { hostileText } from '../support/hostile-text.ts'
import { runs } from '../support/runs.ts'
import { graphOf, sampleNpc, sampleScenario } from '../support/sample-scenario.ts'

const HEADING = 'WHAT THEY BRING (from the others; build on it, its figures are not yours to state):'

const graph = graphOf()
const INES = { ...sampleNpc, id: 'ines', name: 'Ines Roth', document: null }

const fact = (id: string, npc: string, text = `What ${id} is.`): ScenarioFact => ({
  id,
  npc,
  text,
  heard: [[id]],
  deciding: false,
})

const scenarioWith = (facts: readonly ScenarioFact[]): Scenario => ({
  ...sampleScenario,
  npcs: [...sampleScenario.npcs, INES],
  simulation: { minutes: 5, skills: [], deadline: 'by noon', guide: 'ines', facts, endings: [] },
})
const scenario = scenarioWith([
  fact('rate', 'maya'),
  fact('size', 'maya'),
  fact('credit', 'marcus'),
  fact('gate', 'ines'),
])

const talk = (npc: string, ...facts: readonly string[]): OtherTalk => ({
  npc,
  hasPaper: facts.length > 1,
  facts: facts.map((each, at) => ({ fact: each, at })),
})

function node(): NodeBrief {
  const [effect] = step(graph, startWalk(graph), { type: 'learner', turnId: 't', seq: 1 }).effects
  if (effect?.type !== 'brief') throw new Error('no briefing')
  return effect.node
}

function briefingWith(brought: Brought | null, own: { scenario?: Scenario; separator?: string } = {}) {
  return brief({
    scenario,
    npc: INES,
    modules: graph.modules,
    node: node(),
    history: [],
    said: [],
    relationship: { score: 0, level: 'neutral' },
    learner: 'Hello?',
    separator: '---END---',
    brought,
    ...own,
  })
}

/** Returns the lines under `HEADING` in a prompt; an empty list if the prompt does not have this heading. */
function sectionOf(user: string): readonly string[] {
  const [, after] = user.split(`\n\n${HEADING}\n`)
  return after === undefined ? [] : (after.split('\n\n')[0]?.split('\n') ?? [])
}

describe('what a learner brings', () => {
  it('[briefing-12] is in the author’s words: whom they talked with, what they carry and heard, and what is remembered', () => {
    const talks = [talk('maya', 'rate', 'size'), talk('marcus', 'credit')]
    const brought = broughtTo(scenario, 'ines', talks, ['They said of themselves: name: Ada'])
    const { user, system } = briefingWith(brought)
    expect(sectionOf(user)).toEqual([
      '- They talked with Maya Patel and Marcus Bell.',
      '- They carry: Run 47 (Maya)',
      '- They heard from Maya: What rate is.',
      '- They heard from Marcus: What credit is.',
      '- They heard from Maya: What size is.',
      '- Remembered of them: "They said of themselves: name: Ada"',
    ])
    expect(user.indexOf(HEADING)).toBeLessThan(user.indexOf('━━━ CURRENT NODE'))
    expect(system).toBe(briefingWith(null).system)
  })

  it('[briefing-12] is nothing in the first conversation, and never anything of the colleague’s own', () => {
    expect(broughtTo(scenario, 'ines', [], ['Known of them: team: Payments'])).toBeNull()
    expect(broughtTo(scenario, 'ines', [talk('ines', 'gate', 'rate')], [])).toBeNull()
    const odd = [talk('maya', 'gate', 'credit', 'gone', 'rate'), talk('ines', 'gate'), talk('nobody', 'rate')]
    expect(broughtTo(scenario, 'ines', odd, [])).toEqual({
      talked: ['maya'],
      papers: ['maya'],
      facts: ['rate'],
      remembered: [],
    })
    expect(briefingWith(null).user).not.toContain('WHAT THEY BRING')
  })

  it('[briefing-12] names everyone once, and leaves out a memory that names a field of a report', () => {
    const talks = [talk('maya', 'rate'), talk('maya', 'rate', 'size')]
    expect(broughtTo(scenario, 'ines', talks, ['goal: node_satisfied', 'goal: to learn', 'goal: to learn'])).toEqual({
      talked: ['maya'],
      papers: ['maya'],
      facts: ['rate', 'size'],
      remembered: ['goal: to learn'],
    })
  })

  it('[briefing-12] loses what is remembered first, then the facts heard first, when it is too long', () => {
    const many = Array.from({ length: 20 }, (_, place) => fact(`f${place}`, 'maya'))
    const brought = broughtTo(
      scenarioWith(many),
      'ines',
      [talk('maya', ...many.map(({ id }) => id))],
      ['Known of them: team: Payments'],
    )
    expect(brought?.facts).toEqual(many.map(({ id }) => id))
    expect(broughtLines(brought!, scenarioWith(many))).toEqual([
      'They talked with Maya Patel.',
      'They carry: Run 47 (Maya)',
      ...many.slice(-(BROUGHT_LINES - 2)).map(({ text }) => `They heard from Maya: ${text}`),
    ])
    const long = many.map((each, place) => ({ ...each, text: `${place}${'é'.repeat(400)}` }))
    const kept = broughtTo(scenarioWith(long), 'ines', [talk('maya', ...long.map(({ id }) => id))], [])
    // Each line is over 800 bytes long, because it has 400 letters of two bytes. Only two such lines fit into the
    // limit.
    expect(broughtLines(kept!, scenarioWith(long)).filter((line) => line.includes('é'))).toEqual(
      long.slice(-2).map(({ text }) => `They heard from Maya: ${text}`),
    )
  })

  it('[briefing-12] stays within its bounds, one line an item, whatever names, titles and memories are', () => {
    const text = fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 400 }))
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(text, { maxLength: 16 }),
        fc.array(text, { maxLength: 4 }),
        (name, title, texts, memories) => {
          const facts = texts.map((each, place) => fact(`f${place}`, 'maya', each))
          const maya = { ...sampleNpc, name, document: { title, kind: 'report', lines: [] } }
          const hostile = { ...scenarioWith(facts), npcs: [maya, INES] }
          const brought = broughtTo(hostile, 'ines', [talk('maya', ...facts.map(({ id }) => id))], memories)
          const lines = brought ? broughtLines(brought, hostile) : []
          expect(lines.length).toBeLessThanOrEqual(BROUGHT_LINES)
          expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(BROUGHT_BYTES)
          const { user } = briefingWith(brought, { scenario: hostile })
          expect(sectionOf(user)).toHaveLength(lines.length)
          expect(user).not.toMatch(/[-–—－]{2,}\s*END\s*[-–—－]{2,}/i)
          expect(user.match(/━━━/g)).toHaveLength(2)
          expect(user.match(/^THE LEARNER SAYS: /gm)).toHaveLength(1)
        },
      ),
      { numRuns: runs('usual') },
    )
  })

  it('[briefing-12] counts as input that a report may be copied from', () => {
    const remembered = ['They said of themselves: goal: to learn']
    const brought = broughtTo(scenario, 'ines', [talk('maya', 'rate')], remembered)
    const { theirs, ours } = outsideOf(briefingWith(brought).scene, [])
    expect(theirs).toEqual(expect.arrayContaining(remembered))
    expect(ours).toContain('They heard from Maya: What rate is.')
  })
})
