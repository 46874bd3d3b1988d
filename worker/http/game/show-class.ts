import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import { readClass } from '../../chain/classes/read-class.ts'
import { csvOf } from '../../chain/contexts/csv.ts'
import { classLines } from '../../chain/classes/class-lines.ts'
import { classView } from '../../core/run/class-view.ts'
import type { ClassView } from '../../wire/run.ts'
import type { ClassEnv } from './class-env.ts'
import { unknownClass } from './refuse-class.ts'
import { unknownScenario } from './refuse-run.ts'
import { simulationOf } from './scenario-of.ts'

const factory = createFactory<ClassEnv>()

/** `GET /api/class`: the class whose key is brought, and everybody in it. */
export const showClass = factory.createHandlers((c) => withClass(c, (view) => c.json(view)))

/** `GET /api/class/export.csv`: the same as a table, a line a learner. */
export const exportClass = factory.createHandlers((c) =>
  withClass(c, (view) => {
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', 'attachment; filename="class.csv"')
    return c.body(csvOf(classLines(view)))
  }),
)

async function withClass(c: Context<ClassEnv>, answer: (view: ClassView) => Response): Promise<Response> {
  const { held, chain } = c.var
  const scenario = simulationOf(held.scenario)
  if (!scenario) return unknownScenario(c)
  const standing = await readClass(chain, held.id)
  return standing === null ? unknownClass(c) : answer(classView(standing, scenario))
}
