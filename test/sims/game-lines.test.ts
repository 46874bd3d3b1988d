import { describe, expect, it } from 'vitest'
import { factsIn } from '../../worker/core/run/facts-in.ts'
import { decidingIn, linesOf, PLAYS, simulationFile } from '../support/play-run.ts'
import { npcOf } from '../support/rehearsal-conversation.ts'
import { SHIPPED_BACKBONES } from '../support/backbones.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'

const TALKS = Object.entries(PLAYS).flatMap(([scenario, { talks }]) => talks.map(({ npc }) => [scenario, npc] as const))

describe('the lines of a learner who listens', () => {
  it.each(TALKS)(
    '[debrief-3] in %s have %s come to an end with nothing left to say, and tell what decides',
    (name, npc) => {
      const scenario = simulationFile(name)
      const conversation = new WalkedConversation(scenario, npcOf(scenario, npc), SHIPPED_BACKBONES)
      for (const line of linesOf(name, npc)) {
        expect(conversation.commands).not.toContain('AI_EndConversation')
        if (line.startsWith('#')) conversation.choose(cardAt(conversation, Number(line.slice(1)) - 1))
        else conversation.say(line)
      }
      expect(conversation.commands).toEqual(expect.arrayContaining(['AI_AdvanceObjective', 'AI_EndConversation']))
      expect(conversation.factsSaid()).toEqual(expect.arrayContaining([...decidingIn(name, npc)]))
    },
  )

  it.each(Object.keys(PLAYS))(
    '[debrief-7] of %s lead to everybody, the guide first, and to the right decision',
    (name) => {
      const { npcs, simulation } = simulationFile(name)
      const met = PLAYS[name]?.talks.map(({ npc }) => npc) ?? []
      expect(met[0]).toBe(simulation.guide)
      expect(met.toSorted()).toEqual(npcs.map(({ id }) => id).toSorted())
      const ending = simulation.endings.find(({ option }) => option === PLAYS[name]?.decision.option)
      expect(ending?.verdict).toBe('right')
    },
  )
})

describe('an answer with the point of a line of a node', () => {
  it.each(Object.keys(PLAYS))(
    '[debrief-3] in %s tells the deciding facts of that line, which is not said then',
    (name) => {
      const { npcs, simulation } = simulationFile(name)
      for (const { id, rehearsal } of npcs) {
        const facts = simulation.facts.filter(({ npc, deciding }) => deciding && npc === id)
        const toldBy = (text: string) => factsIn(facts, text).map(({ fact }) => fact)
        const lines = Object.values(rehearsal.nodes).flatMap((node) => Object.values(node).flat().filter(isLine))
        const short = rehearsal.answers.filter(({ say: [first = ''], point }) =>
          lines.some((line) => line.point === point && !toldBy(line.say).every((fact) => toldBy(first).includes(fact))),
        )
        expect(short.map(({ say }) => say[0])).toEqual([])
      }
    },
  )
})

function isLine(line: unknown): line is { readonly say: string; readonly point: string } {
  return typeof line === 'object' && line !== null && 'say' in line && 'point' in line && line.point !== null
}

function cardAt({ graph, walk }: WalkedConversation, index: number): string {
  const node = graph.nodes[walk.node]
  const choice = node?.kind === 'pivot' ? node.pivot.choices[index] : undefined
  if (!choice) throw new Error(`no card ${index} in ${walk.node}`)
  return choice.id
}
