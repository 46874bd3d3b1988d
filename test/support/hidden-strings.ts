import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { ConversationView } from '../../worker/wire/messages.ts'
import type { Doors } from './doors.ts'

/**
 * A text that is shorter than this number of characters may also occur in an innocent sentence. So it counts as found
 * only if it is the whole value of a JSON string.
 */
const TELLING = 12

/**
 * Returns every text that no learner may get: the texts of the graph except its closing, the colleague's private texts,
 * and the texts of the log except the messages and the memories that were found. Leaves out texts that the client is
 * meant to show.
 */
export function hiddenStrings(info: Doors['info'], log: InteractionLog, shown: ConversationView): readonly string[] {
  const { closing: _, hash: __, ...graph } = info.graph
  const npc = info.scenario.npcs.find(({ id }) => id === info.npc)
  const visits = [...log.past, log.current].map(({ entries, ...visit }) => ({
    ...visit,
    entries: entries.map((entry) => {
      if (entry.kind === 'message') return { metadata: entry.metadata }
      // The entry contains only ids of colleagues and facts. The learner has these from the view of the run.
      if (entry.kind === 'brought') return {}
      return entry.kind === 'memory' ? { query: entry.query } : entry
    }),
  }))
  const hidden = texts([graph, visits, log.turns, npc?.concerns, npc?.goals])
  const told = new Set([...texts(shown), ...LEVELS])
  return [...new Set(hidden)].filter((text) => !told.has(text) && /[a-z]{3}/i.test(text))
}

/** Returns the hidden texts that occur in any of these frames. A frame is the text of one packet as it was sent. */
export function leaksIn(frames: readonly string[], hidden: readonly string[]): readonly string[] {
  const all = frames.join('\n')
  const values = new Set([...all.matchAll(/"(\w[\w:.-]*)"(?!:)/g)].map(([, value]) => value))
  return hidden.filter((text) => (isTelling(text) ? all.includes(JSON.stringify(text).slice(1, -1)) : values.has(text)))
}

function isTelling(text: string): boolean {
  return text.length >= TELLING || /[_@ ]/.test(text)
}

const LEVELS = ['hostile', 'guarded', 'neutral', 'cooperative', 'trusting']

/**
 * Returns every string in some data that is a value. Leaves out the keys: an id that is a key is also a value
 * somewhere, and the names of fields are no secret.
 */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(texts)
}
