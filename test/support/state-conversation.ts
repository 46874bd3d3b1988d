import { rehearseTask } from '../../worker/actor/rehearsal/tasks.ts'
import { rehearse } from './rehearse-with-table.ts'
import { brief } from '../../worker/core/briefing/brief.ts'
import type { Briefing, HistoryLine } from '../../worker/core/briefing/briefing.ts'
import { taskFor } from '../../worker/core/briefing/task-for.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { readBehavior, readPick, readQueries, readReflection } from '../../worker/core/reply/read-answer.ts'
import type { Report } from '../../worker/core/reply/report.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Effect, Request, Trace, WalkEvent } from '../../worker/core/walk/event.ts'
import { step } from '../../worker/core/walk/step.ts'
import { startWalk, type Walk } from '../../worker/core/walk/walk.ts'

/** Everything that resulted from one message. */
export interface Exchange {
  readonly tasks: readonly Task[]
  readonly briefing: Briefing
  readonly speech: string
  readonly report: Report
  readonly trace: readonly Trace[]
}

/**
 * A conversation in a context graph with the rehearsal actor. The conversation runs through the walker, the prompts and
 * the parsers.
 */
export class StateConversation {
  walk: Walk
  readonly history: HistoryLine[] = []
  readonly said: string[] = []
  readonly exchanges: Exchange[] = []
  readonly #place: { readonly graph: Graph; readonly scenario: Scenario; readonly npc: Npc }
  readonly #memory: (query: string) => readonly string[]

  constructor(
    place: { graph: Graph; scenario: Scenario; npc: Npc },
    memory: (query: string) => readonly string[] = () => [],
  ) {
    this.#place = place
    this.#memory = memory
    this.walk = startWalk(place.graph)
  }

  say(learner: string): Exchange {
    const turnId = `t${this.walk.seq + 1}`
    const seq = this.walk.seq + 1
    const tasks: Task[] = []
    const trace: Trace[] = []
    let spoken: { briefing: Briefing; speech: string; report: Report } | null = null
    let event: WalkEvent | null = { type: 'learner', turnId, seq }
    while (event) {
      const stepped = step(this.#place.graph, this.walk, event)
      this.walk = stepped.walk
      trace.push(...stepped.trace)
      event = null
      for (const effect of stepped.effects) {
        if (effect.type === 'command' || effect.type === 'send') continue
        if (effect.type === 'brief') {
          const briefing = this.#brief(effect, learner)
          spoken = { briefing, ...rehearse(briefing.scene) }
          event = { type: 'report', turnId, seq, report: spoken.report, quality: 'clean' }
          continue
        }
        if (effect.type === 'recall-request' && effect.queries) {
          event = this.#answer(effect, '', turnId)
          continue
        }
        const task = taskFor(effect, {
          ...this.#place,
          walk: this.walk,
          history: this.history,
          said: this.said,
          learner,
        })
        tasks.push(task)
        event = this.#answer(effect, rehearseTask(task), turnId)
      }
    }
    if (!spoken) throw new Error('nothing was said')
    this.history.push({ who: 'learner', text: learner }, { who: 'npc', text: spoken.speech })
    this.said.push(...spoken.report.information_revealed)
    const exchange = { tasks, trace, ...spoken }
    this.exchanges.push(exchange)
    return exchange
  }

  #brief(effect: Extract<Effect, { type: 'brief' }>, learner: string): Briefing {
    const { graph, scenario, npc } = this.#place
    return brief({
      scenario,
      npc,
      modules: graph.modules,
      node: effect.node,
      history: this.history,
      said: this.said,
      relationship: this.walk.relationship,
      learner,
      separator: '---END---',
    })
  }

  #answer(request: Request, answer: string, turnId: string): WalkEvent {
    const at = { turnId, request: request.request }
    switch (request.type) {
      case 'behavior-request':
        return {
          type: 'behavior',
          ...at,
          behavior:
            readBehavior(
              answer,
              request.offered.map(({ id }) => id),
            ) ?? null,
        }
      case 'selection-request': {
        const offered = { actions: request.actions.length, exits: request.exits.length }
        return { type: 'selection', ...at, pick: readPick(answer, offered) }
      }
      case 'recall-request': {
        const queries = request.queries ?? readQueries(answer)
        return { type: 'memories', ...at, memories: queries.map((query) => ({ query, found: this.#memory(query) })) }
      }
      case 'reflection-request':
        return { type: 'reflection', ...at, text: readReflection(answer, request.wordLimit) }
    }
  }
}
