import { describe, expect, it } from 'vitest'
import { formError } from '../../sims/authoring/finding.ts'
import { checkWalks } from '../../sims/authoring/check-walks.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { verifyGraph } from '../../worker/core/graph/proof/verify.ts'
import { simulationFile } from '../support/play-run.ts'
import { sampleNpc, sampleScenario } from '../support/sample-scenario.ts'

const scenario = simulationFile('launch-decision')

describe('the walks of the shipped scenario', () => {
  it.each(scenario.npcs.map((npc) => [npc.id, npc] as const))(
    '[graph-8] %s can be walked in every way, and it ends',
    (_, npc) => {
      const bound = graphFor(scenario, npc, SHIPPED_LIBRARY)
      if (!bound.ok) throw new Error('not bound')
      const proof = verifyGraph(bound.graph)
      expect(proof.findings).toEqual([])
      expect(proof.longest.exchanges).toBeLessThan(28)
    },
  )

  it('[graph-6] a colleague who cannot be walked stops the build, by name of the finding', () => {
    const npc = { ...sampleNpc, goal: { ...sampleNpc.goal, endCondition: '' } }
    expect(checkWalks({ ...sampleScenario, npcs: [npc] }, SHIPPED_LIBRARY)).toEqual([
      { ...formError(['npcs', 0], ''), message: expect.stringContaining('G018 at /nodes/CLOSE') },
    ])
  })
})
