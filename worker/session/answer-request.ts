import { outsideOf } from '../core/briefing/latest.ts'
import { taskFor } from '../core/briefing/task-for.ts'
import { echoesAnswer } from '../core/reply/echoes.ts'
import { readBehavior, readPick, readQueries, readReflection } from '../core/reply/read-answer.ts'
import type { Request, WalkEvent } from '../core/walk/event.ts'
import type { Walk } from '../core/walk/walk.ts'
import type { TurnContext } from './turn-context.ts'
import type { StoredTurn } from './turn.ts'
import type { ConverseDeps } from './turn-deps.ts'

/**
 * Does the work that a walk requests in the middle of a turn, and returns the answer as an event. If an answer of the
 * model cannot be parsed, or repeats a text from the model's input, the walk gets an empty answer instead.
 *
 * @throws ActorError if the actor fails or is aborted
 */
export async function answerRequest(
  deps: ConverseDeps,
  { turn, context }: { turn: StoredTurn; context: TurnContext },
  walk: Walk,
  request: Request,
  signal: AbortSignal,
): Promise<WalkEvent> {
  const at = { turnId: String(turn.id), request: request.request }
  const think = () => answerOf(deps, context, walk, request, signal)
  switch (request.type) {
    case 'behavior-request': {
      const offered = request.offered.map(({ id }) => id)
      return { type: 'behavior', ...at, behavior: readBehavior(await think(), offered) ?? null }
    }
    case 'selection-request': {
      const offered = { actions: request.actions.length, exits: request.exits.length }
      return { type: 'selection', ...at, pick: readPick(await think(), offered) }
    }
    case 'recall-request': {
      const queries = request.queries ?? readQueries(await think())
      const fresh = queries.filter((query) => !request.performed.includes(query))
      return { type: 'memories', ...at, memories: await deps.memory(turn).recall(fresh) }
    }
    case 'reflection-request':
      return { type: 'reflection', ...at, text: readReflection(await think(), request.wordLimit) }
  }
}

async function answerOf(
  deps: ConverseDeps,
  context: TurnContext,
  walk: Walk,
  request: Request,
  signal: AbortSignal,
): Promise<string> {
  const { scenario, graph } = deps.info
  const task = taskFor(request, { scenario, npc: deps.npc, graph, walk, ...context })
  const answer = await deps.actor.think(task, signal)
  const outside = outsideOf({ ...task.scene, page: context.page }, task.scene.thoughts)
  return echoesAnswer(answer, FIELDS[request.type], outside) ? '' : answer
}

/** The fields that are read from the model's answer to each kind of request. */
const FIELDS: Readonly<Record<Request['type'], readonly string[]>> = {
  'behavior-request': ['behavior'],
  'selection-request': ['action', 'exit'],
  'recall-request': ['queries'],
  'reflection-request': ['reflection'],
}
