import type { ActorInput } from '../reply/echoes.ts'
import type { Thought } from '../walk/event.ts'
import type { Scene } from './briefing.ts'

/**
 * All that an actor is told this turn and may repeat, as it was before it was made plain: what others wrote, and what
 * stands on the colleague's own side. What an author wrote to direct the colleague (guidelines, actions, intents) is not
 * in it: it may name a report's fields, and often has to.
 */
export function outsideOf(
  {
    learner,
    page,
    history,
    said,
    npc,
    scenario,
  }: Pick<Scene, 'learner' | 'page' | 'history' | 'said' | 'npc' | 'scenario'>,
  thoughts: readonly Thought[],
): ActorInput {
  const lines = (...who: readonly string[]) => history.flatMap((line) => (who.includes(line.who) ? [line.text] : []))
  return {
    theirs: [learner, page ?? '', ...lines('learner'), ...thoughts.flatMap(remembered)].filter((text) => text !== ''),
    ours: [
      ...lines('npc', 'marker'),
      ...said,
      ...thoughts.flatMap(noted),
      ...(npc.document ? [npc.document.title, ...npc.document.lines] : []),
      ...scenario.npcs.map(({ name }) => name),
    ],
  }
}

function remembered(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [thought.query, ...thought.found] : []
}

function noted(thought: Thought): readonly string[] {
  return thought.kind === 'recall' ? [] : [thought.text]
}
