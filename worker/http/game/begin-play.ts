import type { Play } from '../../chain/runs/open-play.ts'
import type { Opening } from '../../session/begin.ts'
import type { Bindings } from '../bindings.ts'
import { beginCopy } from './begin-again.ts'
import { objectsOf } from './objects-of.ts'

/**
 * Has the object of a run's conversation begin, unless it has. What is written down of a conversation stands before its
 * object does, and whoever wrote it may have died in between: then whoever asks next begins it.
 *
 * @param opening what it begins with; asked for only where it has not begun
 * @returns its epoch of revocation; null when it is being erased
 */
export async function beginPlay(env: Bindings, play: Play, opening: () => Promise<Opening>): Promise<number | null> {
  const { CONVERSATIONS } = env
  const { session } = play
  const object = CONVERSATIONS.get(CONVERSATIONS.idFromString(session))
  const epoch = await object.revocations()
  if (epoch !== null) return epoch
  const opens = await opening()
  if (play.from === null) await object.begin(opens)
  else await beginCopy(objectsOf(env), play, opens)
  return object.revocations()
}
