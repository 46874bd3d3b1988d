import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../build/scenarios.ts'
import { buildCards } from '../../scripts/build-scenarios.ts'
import { simulationCard } from '../../sims/authoring/simulation-card.ts'
import { linesSpoken, textsUnder } from '../../sims/authoring/texts.ts'
import { figuresIn, sameFigure } from '../../worker/core/text/words.ts'
import { factsIn } from '../../worker/core/run/facts-in.ts'

const played = scenarios.filter(({ simulation }) => simulation !== undefined)

describe('what anybody may know of a simulation', () => {
  it('[game-15] there is one for each, and none for what is conversations only', () => {
    const cards = scenarios.map(simulationCard).filter((card) => card !== null)
    expect(cards.map(({ id }) => id)).toEqual(played.map(({ id }) => id))
    const tiers = ['TECHNICAL', 'ACADEMIC', 'EXPERT']
    expect(cards.map(({ tier }) => tier)).toEqual(
      tiers.flatMap((tier) => cards.filter((card) => card.tier === tier).map(() => tier)),
    )
    expect(cards.length).toBeGreaterThan(0)
    expect(cards.length).toBeLessThan(scenarios.length)
  })

  it.each(played)('[game-15] of $id nothing that has to be heard, and no ending', (scenario) => {
    const { simulation, npcs, decision } = scenario
    const texts = textsUnder(simulationCard(scenario)).map(({ text }) => text)
    const whole = texts.join('\n')
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.flatMap((text) => factsIn(simulation?.facts ?? [], text))).toEqual([])
    const figures = npcs.flatMap(({ document }) => document?.lines ?? []).flatMap(figuresIn)
    // A small whole number occurs in many texts by chance. A percentage or a number over 100 would come from the
    // document.
    const told = texts.flatMap(figuresIn).filter(({ unit, value }) => unit === 'percent' || value > 100)
    expect(told.filter((figure) => figures.some((each) => sameFigure(figure, each)))).toEqual([])
    const secret = [
      ...(simulation?.facts ?? []).map(({ text }) => text),
      ...(simulation?.endings ?? []).flatMap(({ after }) =>
        after.flatMap((each) => (typeof each === 'string' ? [each] : [each.text, each.otherwise ?? []].flat())),
      ),
      ...decision.options.filter(({ needs }) => needs !== undefined).map(({ title }) => title),
      ...npcs.flatMap((npc) => linesSpoken(npc, []).map(({ text }) => text)),
      ...npcs.flatMap(({ knowledge, document, decisionFacts, concerns, goals }) => [
        ...knowledge,
        ...(document?.lines ?? []),
        ...decisionFacts,
        ...concerns,
        ...goals,
      ]),
    ]
    expect(secret.filter((text) => whole.includes(text))).toEqual([])
    expect(whole).not.toMatch(/\b(?:verdict|defensible|deciding)\b/)
  })

  it('[game-15] the file of the build holds exactly these', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walkon-cards-'))
    try {
      await buildCards(scenarios, join(folder, 'public', 'scenarios.json'))
      const written: unknown = JSON.parse(await readFile(join(folder, 'public', 'scenarios.json'), 'utf8'))
      expect(written).toEqual(played.map(simulationCard))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
