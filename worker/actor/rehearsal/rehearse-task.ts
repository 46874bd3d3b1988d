import type { PickTask, Task } from '../../core/briefing/task.ts'
import { toldOfThemselves } from '../../core/memory/told-of-themselves.ts'
import { conclude } from './conclude.ts'
import { matchTrigger } from './match-trigger.ts'
import { select } from './select.ts'
import { writeQueries } from './write-queries.ts'

/** Does a piece of inner work by words alone, and answers as a model is asked to. Pure: the same task, the same answer. */
export function rehearseTask(task: Task | PickTask): string {
  if (!('scene' in task)) return JSON.stringify(toldOfThemselves(task.request.said))
  const { request, scene } = task
  switch (request.type) {
    case 'selection-request':
      return JSON.stringify({ action: null, exit: null, ...select(request, scene) })
    case 'behavior-request':
      return JSON.stringify({ behavior: matchTrigger(request, scene) })
    case 'recall-request':
      return JSON.stringify({ queries: request.queries ?? writeQueries(request, scene) })
    case 'reflection-request':
      return JSON.stringify({ reflection: conclude(request, scene) })
  }
}
