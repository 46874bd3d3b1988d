import { asksPage } from './assistant/state-tools.ts'
import { languageOf } from '../core/scenario/scenario.ts'
import type { ConversationView, Cursor, PartialReply, Hello } from '../wire/messages.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import { liveGrants } from './assistant/tool-calls.ts'
import type { LiveReply } from './live-reply.ts'
import type { TurnDeps } from './turn-deps.ts'

/**
 * Makes the `hello` message for a client that connects or sends `sync`. The message contains the events after the
 * client's cursor, or all events if the client has no cursor, or a cursor of another log. The log is read
 * synchronously, so that no event can be missed between `hello` and the first broadcast that the client receives.
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

/**
 * Returns the part of a conversation that a learner may see: the people and the place, but no fact that the learner has
 * to discover.
 */
function conversationView({ info, npc, actor, store, now }: TurnDeps): ConversationView {
  const { scenario } = info
  const record = scenario.assistant ? store.assistant.read() : null
  const person = ({ id, name, role, hue }: (typeof scenario.npcs)[number]) => ({ id, name, role, hue })
  return {
    session: info.session,
    scenario: {
      id: scenario.id,
      title: scenario.title,
      role: scenario.role,
      situation: `${sentence(scenario.situation.where)} ${scenario.situation.what}`,
      ...(languageOf(scenario) !== 'en' && { language: languageOf(scenario) }),
    },
    // What an assistant as a whole is, not its first agent alone.
    npc: { ...person(npc), ...(scenario.assistant && { role: scenario.situation.what.replace(/\.$/, '') }) },
    scene: npc.scene,
    colleagues: scenario.npcs.filter(({ id }) => id !== npc.id).map(person),
    speaker: { kind: actor.kind, label: actor.label },
    ...(!scenario.assistant && asksPage(info.graph) && { takesPage: true }),
    ...(scenario.assistant && {
      assistant: {
        locked: record?.state.shared_memory.locked_agent ?? null,
        grants: record ? liveGrants(record, now()).map(({ operation, expiresAt }) => ({ operation, expiresAt })) : [],
        agents: scenario.assistant.agents.map(({ id, does }) => ({
          id,
          name: scenario.npcs.find((each) => each.id === id)?.name ?? id,
          does,
        })),
        tools: [
          ...new Set(
            scenario.assistant.agents.flatMap(({ tools }) =>
              tools.filter(({ runs }) => runs === 'page').map(({ name }) => name),
            ),
          ),
        ],
        ...(scenario.assistant.starters && { starters: [...scenario.assistant.starters] }),
      },
    }),
  }
}

/** Makes a sentence of a phrase, because authors write the place of a scenario as a phrase. */
function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
