/**
 * Under `npm start` the page reloads itself when there is another build. No other build has this file or imports it.
 */
const PACE_MS = 700

let shown: string | null = null
void look()

async function look(): Promise<void> {
  const build = await latestBuild()
  shown ??= build
  if (build !== null && build !== shown && !holdsWords()) return location.reload()
  setTimeout(() => void look(), PACE_MS)
}

/** Null while the server has no answer: it stops or restarts. */
async function latestBuild(): Promise<string | null> {
  try {
    const answer = await fetch('/watch/build.txt', { cache: 'no-store' })
    return answer.ok ? await answer.text() : null
  } catch {
    return null
  }
}

/** True if a field holds words that nothing keeps, such as a name or a title. Conversations and decisions keep theirs. */
function holdsWords(): boolean {
  return Array.from(document.querySelectorAll('input')).some(
    ({ type, value, readOnly }) => type === 'text' && !readOnly && value !== '',
  )
}
