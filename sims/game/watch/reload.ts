/** Under `npm start` this file reloads the page when there is a new build. Only that build contains it. */
const PACE_MS = 700

let shown: string | null = null
void look()

async function look(): Promise<void> {
  const build = await latestBuild()
  shown ??= build
  if (build !== null && build !== shown && !holdsWords()) return location.reload()
  setTimeout(() => void look(), PACE_MS)
}

/** Returns the name of the latest build; null while the server stops or restarts and gives no answer. */
async function latestBuild(): Promise<string | null> {
  try {
    const answer = await fetch('/watch/build.txt', { cache: 'no-store' })
    return answer.ok ? await answer.text() : null
  } catch {
    return null
  }
}

/**
 * Returns true if a field contains words that nothing stores, such as a name or a title. Conversations and decisions
 * store theirs.
 */
function holdsWords(): boolean {
  return Array.from(document.querySelectorAll('input')).some(
    ({ type, value, readOnly }) => type === 'text' && !readOnly && value !== '',
  )
}
