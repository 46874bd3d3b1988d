import type { ConversationView, RelationshipLevel } from '../../worker/wire/messages.ts'
import { clean } from '../clean.ts'
import type { ConversationParams } from '../conversation.ts'
import { Portrait } from './portrait.tsx'

/** Above the first message: where the learner is, and who they are. */
export function Scene({
  params,
  conversation,
  level,
}: {
  params: ConversationParams
  conversation: ConversationView
  level: RelationshipLevel
}) {
  const { scenario, npc, scene } = conversation
  return (
    <div class="scene">
      <Portrait params={params} person={npc} level={level} size={88} />
      <h3>{clean(scenario.title)}</h3>
      <p>{clean(scenario.situation)}</p>
      <p class="quiet">
        {params.texts.youAre} {clean(scenario.role)}.
      </p>
      <p class="set">{clean(scene)}</p>
    </div>
  )
}
