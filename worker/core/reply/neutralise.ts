import { clean } from './characters.ts'
import { headingIn } from './heading.ts'
import { skeletonOf, WIDE_DASH } from './skeleton.ts'

const RUN = `(?:-[-${WIDE_DASH}]+|${WIDE_DASH}[-${WIDE_DASH}]*)`
// Only from the beginning of a run, or a long one would be tried from each of its dashes.
const TOKEN = new RegExp(`(?<![-${WIDE_DASH}])(${RUN})(\\s*END(?:\\s*:\\s*[A-Z0-9]*)?\\s*)(${RUN})`, 'gi')
const BAR_RUN = /[\u2500-\u259f\u25ac\u23af\u23e4]{2,}/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/g

/**
 * Makes plain text of what comes from outside (a learner's message, a page, the history, authored content), so that it
 * can be set into a briefing and be nothing else there: what nobody can see is dropped, whatever is or looks like a
 * separator keeps one dash on each side, a bar becomes a dash, and a line that begins like a heading does so in small
 * letters. Blank lines are closed up. Ordinary prose comes out as it went in, but for joined emoji, which fall apart into
 * their parts. Doing it twice changes nothing.
 */
export function neutralise(text: string): string {
  const plain = clean(text).replaceAll(BLANK_LINES, '\n')
  const lines = withoutSeparators(plain).replaceAll(BAR_RUN, '-').split('\n')
  return lines.map(withoutHeading).join('\n')
}

function withoutSeparators(text: string): string {
  const points = Array.from(text)
  const skeleton = skeletonOf(points)
  let safe = ''
  let from = 0
  for (const { index, 0: token, 1: before = '', 3: after = '' } of skeleton.matchAll(TOKEN)) {
    const label = points.slice(index + before.length, index + token.length - after.length)
    safe += `${points.slice(from, index).join('')}-${label.join('')}-`
    from = index + token.length
  }
  return safe + points.slice(from).join('')
}

function withoutHeading(line: string): string {
  const points = Array.from(line)
  const skeleton = skeletonOf(points)
  const heading = headingIn(skeleton)
  if (heading === null) return line
  const small = points
    .slice(heading.start, heading.end)
    .map((point, at) => lowered(point, skeleton.charAt(heading.start + at)))
  return [...points.slice(0, heading.start), ...small, ...points.slice(heading.end)].join('')
}

/** A bold or otherwise dressed-up capital has no small form of its own and becomes the plain small letter. */
function lowered(point: string, look: string): string {
  const lower = point.toLowerCase()
  return lower === point && /^\p{Lu}$/u.test(look) ? look.toLowerCase() : lower
}
