import type { HeardMessage } from './hear.ts'
import type { SearchEntry } from './retrieve.ts'
import { termPlaces } from './terms.ts'
import { readAuthored, sameFigure } from '../../core/text/words.ts'

/**
 * What the learner has got wrong, or null: a statement that gives something the author foresaw questions about
 * another figure than the colleague has for it ("the limit is 5%"). "Medical is 7.5% of the set" says something else
 * of it, and is let be.
 */
export function misreads(heard: HeardMessage, entries: readonly SearchEntry[]): SearchEntry | null {
  const stated = heard.sentences.filter(({ form }) => form === 'statement' || form === 'echo')
  return entries.find((entry) => stated.some(({ tokens }) => isMisread(tokens, entry))) ?? null
}

function isMisread(tokens: HeardMessage['tokens'], { asks, say }: SearchEntry): boolean {
  const right = say.flatMap(readAuthored).flatMap(({ figure }) => figure ?? [])
  if (right.length === 0) return false
  return asks
    .flatMap((term) => termPlaces(tokens, term))
    .some(({ end }) => {
      let at = end
      while (at < end + 3 && LINKS.has(tokens[at]?.word ?? '')) at += 1
      const figure = tokens[at]?.figure
      if (!figure || figure.value === 1 || tokens[at + 1]?.word === 'of') return false
      const alike = right.filter(({ unit }) => unit === figure.unit)
      return alike.length > 0 && !alike.some((meant) => sameFigure(figure, meant))
    })
}

const LINKS = new Set('it is are was were at only just about around now s runs comes came out costs has'.split(' '))
