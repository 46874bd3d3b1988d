import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { ConversationView } from '../../worker/wire/messages.ts'
import type { Doors } from './doors.ts'

/** Shorter than this, a text may well stand in a sentence by chance: it is looked for as a whole JSON value instead. */
const TELLING = 12

/**
 * Every text that a learner must never get: all of the graph but how it closes, what is only for the colleague's own
 * mind, and all of the log but the messages and what was found among them. What the client is told of the conversation
 * on purpose is left out.
 */
export function hiddenStrings(info: Doors['info'], log: InteractionLog, shown: ConversationView): readonly string[] {
  const { closing: _, hash: __, ...graph } = info.graph
  const npc = info.scenario.npcs.find(({ id }) => id === info.npc)
  const visits = [...log.past, log.current].map(({ entries, ...visit }) => ({
    ...visit,
    entries: entries.map((entry) => {
      if (entry.kind === 'message') return { metadata: entry.metadata }
      return entry.kind === 'memory' ? { query: entry.query } : entry
    }),
  }))
  const hidden = texts([graph, visits, log.turns, npc?.concerns, npc?.goals])
  const told = new Set([...texts(shown), ...LEVELS])
  return [...new Set(hidden)].filter((text) => !told.has(text) && /[a-z]{3}/i.test(text))
}

/** Those of the hidden texts that stand in these frames, each a packet to the letter. */
export function leaksIn(frames: readonly string[], hidden: readonly string[]): readonly string[] {
  const all = frames.join('\n')
  const values = new Set([...all.matchAll(/"(\w[\w:.-]*)"(?!:)/g)].map(([, value]) => value))
  return hidden.filter((text) => (isTelling(text) ? all.includes(JSON.stringify(text).slice(1, -1)) : values.has(text)))
}

function isTelling(text: string): boolean {
  return text.length >= TELLING || /[_@ ]/.test(text)
}

const LEVELS = ['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']

/** Every text in some data. Keys are none: ids stand among the values too, and the names of fields tell nothing. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(texts)
}
