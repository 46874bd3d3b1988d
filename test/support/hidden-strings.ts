import type { InteractionLog } from '../../worker/core/walk/interaction-log.ts'
import type { ConversationView } from '../../worker/wire/messages.ts'
import type { Doors } from './doors.ts'

/**
 * A text with fewer characters than this may occur in a sentence by chance, so it counts as found only as a complete
 * JSON value.
 */
const TELLING = 12

/**
 * Returns every text that a learner must never get: the whole graph except its closing, the colleague's private texts,
 * and the whole log except the messages and the memories that were found. Leaves out texts that the client is shown on
 * purpose.
 */
export function hiddenStrings(info: Doors['info'], log: InteractionLog, shown: ConversationView): readonly string[] {
  const { closing: _, hash: __, ...graph } = info.graph
  const npc = info.scenario.npcs.find(({ id }) => id === info.npc)
  const visits = [...log.past, log.current].map(({ entries, ...visit }) => ({
    ...visit,
    entries: entries.map((entry) => {
      if (entry.kind === 'message') return { metadata: entry.metadata }
      // This entry has only ids of colleagues and facts, which the learner already knows from the view of the run.
      if (entry.kind === 'brought') return {}
      return entry.kind === 'memory' ? { query: entry.query } : entry
    }),
  }))
  const hidden = texts([graph, visits, log.turns, npc?.concerns, npc?.goals])
  const told = new Set([...texts(shown), ...LEVELS])
  return [...new Set(hidden)].filter((text) => !told.has(text) && /[a-z]{3}/i.test(text))
}

/** Returns the hidden texts that occur in these frames. A frame is the raw text of a packet. */
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
 * Returns every string value in some data, without the keys: ids also occur among the values, and field names reveal
 * nothing.
 */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(texts)
}
