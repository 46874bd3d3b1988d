import { late } from '../texts/texts.ts'
import { jumpTo } from './jump.ts'

/** What there is on the page, beside it where there is room. The address after # is the route, so these are no links. */
export function Contents({ hasOthers }: { hasOthers: boolean }) {
  const { debrief } = late
  const chapters = [
    ['verdict', debrief.verdictTitle],
    ['facts', debrief.factsTitle],
    ['people', debrief.peopleTitle],
    ...(hasOthers ? ([['others', debrief.othersTitle]] as const) : []),
    ['transcript', debrief.transcriptTitle],
    ['result', debrief.resultTitle],
  ] as const
  return (
    <nav class="contents" aria-label={debrief.contents}>
      <ol>
        {chapters.map(([id, title]) => (
          <li key={id}>
            <button type="button" onClick={() => jumpTo(id)}>
              {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
