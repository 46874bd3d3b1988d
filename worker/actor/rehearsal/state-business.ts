import { lineKey } from '../../core/briefing/line-key.ts'
import type { Scene } from '../../core/briefing/briefing.ts'
import type { SpokenLine } from '../../core/scenario/rehearsal-lines.ts'
import type { Business } from './business.ts'
import type { HeardMessage } from './hear.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { firstFresh, nextFresh, speech } from './spoken.ts'

/**
 * What a context graph's state gives a colleague to say: the next line written for the selected action, then what is
 * bound to the state, each once. Null for a last state that nobody wrote a goodbye for; there is one for any.
 */
export function stateBusiness(scene: Scene, said: SpokenSoFar): Business | null {
  const authored = actionLines(scene)
  if (scene.node.isTerminal && authored.length === 0) return null
  const supply = [...authored, ...scene.node.content.flatMap(({ lines }) => lines)]
  const overlay = overlayLines(scene, said)
  const fresh = firstFresh(supply, said)
  const line = fresh ?? nextFresh(scene.npc.rehearsal.asides.idle, said) ?? leastRecent(supply, scene)
  return { leadIn: [], lines: [line, ...overlay], overlay, isPoint: false, isFiller: fresh === null }
}

/**
 * An answer goes before the action, since the action is what was selected and is done in any case; it needs no other
 * hello. With nothing written for it left, the answer does alone.
 */
export function inStateOrder(first: LineToSay | null, matter: Business, heard: HeardMessage): readonly LineToSay[] {
  if (first === null || (heard.manner === 'hello' && !matter.isFiller)) return matter.lines
  return matter.isFiller ? [first, ...matter.overlay] : [first, ...matter.lines]
}

function actionLines({ node: { id, state }, npc }: Scene): readonly SpokenLine[] {
  if (!state) return []
  return npc.rehearsal.states[lineKey(id, state.module)]?.actions[state.action?.index ?? 0] ?? []
}

function overlayLines({ node }: Scene, said: SpokenSoFar): readonly LineToSay[] {
  if (!node.overlay) return []
  const say = node.overlay.lines.join(' ')
  return said.line(say) ? [] : [{ say, point: node.overlay.lines[0] ?? say }]
}

/** Everything was said: the line heard longest ago. A state that nobody wrote anything for is met with a greeting. */
function leastRecent(supply: readonly SpokenLine[], { npc, history }: Scene): LineToSay {
  const heard = history.map(({ who, text }) => (who === 'npc' ? text : ''))
  const lastSaid = ({ say }: LineToSay) => heard.findLastIndex((text) => text.includes(say))
  const pool = [...supply.map(speech), ...npc.rehearsal.asides.idle.map(speech)]
  return pool.toSorted((a, b) => lastSaid(a) - lastSaid(b))[0] ?? { say: npc.greeting, point: null }
}
