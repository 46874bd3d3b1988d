/** What was earned reaches the run a moment after the conversation has told of it: asked for soon, and once more. */
const WAITS_MS = [300, 2_500]
/** And ever more seldom, for as long as the run lacks what the conversation has told already. */
const LATER_MS = [6_000, 15_000, 40_000]

/**
 * Asks for the run whenever something has happened in a conversation.
 *
 * @param isBehind whether the conversation has told what the run does not know yet
 */
export function askAgain(refresh: () => void, isBehind: () => boolean): { soon(): void; leave(): void } {
  let timers: ReturnType<typeof setTimeout>[] = []
  const stop = () => {
    for (const timer of timers.splice(0)) clearTimeout(timer)
  }
  return {
    soon() {
      stop()
      timers = [
        ...WAITS_MS.map((wait) => setTimeout(refresh, wait)),
        ...LATER_MS.map((wait) => setTimeout(() => isBehind() && refresh(), wait)),
      ]
    },
    /** Whoever leaves asks by arriving somewhere else. What is still to come is waited for there too. */
    leave() {
      if (!isBehind()) stop()
    },
  }
}
