/**
 * The time between two checks for a new build, in milliseconds. This script reloads the page after each build, and only
 * `npm start` puts it into the page.
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

/** Returns the name of the latest build; null while the server doesn't answer because it stops or restarts. */
async function latestBuild(): Promise<string | null> {
  try {
    const answer = await fetch('/watch/build.txt', { cache: 'no-store' })
    return answer.ok ? await answer.text() : null
  } catch {
    return null
  }
}

/**
 * Returns true if a field contains text that a reload would lose, such as a name or a title. Conversations and
 * decisions store their text themselves.
 */
function holdsWords(): boolean {
  return Array.from(document.querySelectorAll('input')).some(
    ({ type, value, readOnly }) => type === 'text' && !readOnly && value !== '',
  )
}
