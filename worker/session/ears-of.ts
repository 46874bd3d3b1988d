import type { ConversationCopy } from './conversation-copy.ts'
import { type Ear, earOf } from './ear.ts'
import type { SessionInfo } from './session-info.ts'
import { upgradeInfo } from './upgrade-info.ts'

/**
 * What was listened for in a copied conversation when its log was at an event: a newer version of its scenario may tell the
 * same fact by other words.
 *
 * @param info what the copy is pinned to
 */
export function earsOf(
  { earlier }: Pick<ConversationCopy, 'earlier'>,
  info: Pick<SessionInfo, 'scenario' | 'npc'>,
): (seq: number) => Ear | null {
  const ears = earlier.map((was) => ({ until: was.seq, ear: earOf(upgradeInfo(JSON.parse(was.info) as SessionInfo)) }))
  const last = { ear: earOf(info) }
  return (seq) => (ears.find(({ until }) => seq <= until) ?? last).ear
}
