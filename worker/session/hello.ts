import type { ConversationView, Cursor, PartialReply, Hello } from '../wire/messages.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import type { LiveReply } from './live-reply.ts'
import type { TurnDeps } from './turn-deps.ts'

/**
 * What a client is told when it connects or has lost track: exactly what it misses after its cursor, or everything
 * when the cursor is not of this log. One synchronous read, so that nothing can happen between it and the first
 * broadcast the client takes part in.
 */
export function helloFor(
  deps: TurnDeps,
  live: LiveReply | null,
  known: { cursor?: Cursor; have?: PartialReply },
): Hello {
  const { store, info } = deps
  const head = store.head()
  const { cursor, have } = known
  const resumes = cursor !== undefined && cursor.epoch === info.epoch && cursor.seq <= head
  return {
    v: WIRE_VERSION,
    mode: resumes ? 'resume' : 'snapshot',
    epoch: info.epoch,
    head,
    conversation: conversationView(deps),
    level: store.walk().relationship.level,
    events: [...store.eventsAfter(resumes ? cursor.seq : 0)],
    running: live?.rest(resumes ? have : undefined) ?? null,
  }
}

/** The part of a conversation that a learner may see: the people and the place, and no fact to find out. */
function conversationView({ info, npc, actor }: TurnDeps): ConversationView {
  const { scenario } = info
  const person = ({ id, name, role, hue }: (typeof scenario.npcs)[number]) => ({ id, name, role, hue })
  return {
    session: info.session,
    scenario: {
      id: scenario.id,
      title: scenario.title,
      role: scenario.role,
      situation: `${sentence(scenario.situation.where)} ${scenario.situation.what}`,
    },
    npc: person(npc),
    scene: npc.scene,
    colleagues: scenario.npcs.filter(({ id }) => id !== npc.id).map(person),
    speaker: { kind: actor.kind, label: actor.label },
  }
}

/** An author writes where it is as a phrase; a page shows it as a sentence. */
function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
