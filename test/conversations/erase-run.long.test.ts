import { expect, it } from 'vitest'
import { runErasures } from '../support/erase-run.ts'
import { KillableServer } from '../support/killable-server.ts'
import { MarkedModel } from '../support/marked-model.ts'
import { ERASURE_CONFIG, PEOPLE_VARS } from '../support/people-server.ts'

// `npm run erase --prefix bench` runs the long form of this test.

it.skipIf(process.platform !== 'linux')(
  '[person-2] [person-3] [person-4] [person-7] [person-8] [person-14] people who are erased while the process is killed leave no data',
  { timeout: 480_000 },
  async () => {
    const model = await MarkedModel.start(0)
    const server = await KillableServer.start(ERASURE_CONFIG, { ...model.vars, ...PEOPLE_VARS, TEST_DIES: 'false' })
    try {
      const summary = await runErasures(server, model, { people: 6, others: 2, crowd: 3, killEvery: 2 })
      expect(summary).toMatchObject({
        underWay: 6,
        kills: 1,
        unforeseen: 0,
        othersChanged: 0,
        changedAgain: 0,
        inRows: [],
        inObjects: [],
        afterVacuum: [],
      })
      expect(summary.effect).toMatchObject({ sessions: 6, ledgers: 6, memories: 6, facts: 6, promoted: 6 })
      // Before the erasures, the same searches found data, so the empty results above prove something.
      expect(summary.found.before).toBeGreaterThan(0)
      expect(summary.found.ofOthers).toBeGreaterThan(0)
    } finally {
      await server.stop()
      await model.stop()
    }
  },
)
