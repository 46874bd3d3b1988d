import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { splitDrafts } from '../../sims/authoring/drafts.ts'
import { readYaml } from '../../sims/authoring/read-yaml.ts'
import { ROOT } from './workerd.ts'

/** The id of the scenario in which one conversation may have a thousand turns. */
export const LONG_TALK = 'long-talk'

const MOST_TURNS = 1_100

/**
 * Returns the launch decision, ready to publish, with a graph that stays in one node for a thousand turns. Every graph
 * that comes with Walkon ends a conversation long before.
 */
export async function longTalk(): Promise<object> {
  const {
    npcs,
    simulation: _,
    ...scenario
  } = splitDrafts(await dataOf('sims/launch-decision/scenario.yaml')).data as {
    readonly tier: string
    readonly simulation: unknown
    readonly npcs: readonly { readonly rehearsal: unknown; readonly pivots: unknown }[]
  }
  // The lines for a conversation without a model, and the forks, belong to nodes that this graph does not have.
  const bare = npcs.map(({ rehearsal: __, pivots: ___, ...npc }) => npc)
  return {
    scenario: { ...scenario, npcs: bare, id: LONG_TALK, version: 1 },
    backbones: [backbone(scenario.tier), await dataOf('sims/backbones/guide.yaml')],
    graphs: [],
  }
}

function backbone(tier: string): object {
  const goal = 'goal.end_condition'
  return {
    id: 'long',
    version: 1,
    tier,
    opening: 'spoken',
    entry: 'OPEN',
    terminal: 'CLOSE',
    limits: { stall: MOST_TURNS, detour_grace: 0 },
    nodes: [
      {
        id: 'OPEN',
        intent: 'Say hello.',
        content_source: 'greeting',
        satisfy_when: 'you have said hello',
        advance: 'TALK',
        when_empty: 'refuse',
      },
      {
        id: 'TALK',
        intent: 'Answer what they ask, from what you know.',
        content_source: 'what_they_know',
        satisfy_when: 'never; they may always ask again',
        max_turns: MOST_TURNS,
        advance: 'CLOSE',
        when_empty: 'refuse',
      },
      { id: 'CLOSE', intent: 'Say goodbye.', content_source: goal, satisfy_when: 'you said it', when_empty: 'refuse' },
    ],
  }
}

async function dataOf(file: string): Promise<unknown> {
  const read = readYaml(await readFile(path.join(ROOT, file), 'utf8'), file)
  if (!read.ok) throw new Error(`${file} cannot be read`)
  return read.value
}
