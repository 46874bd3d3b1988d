import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import { linkTo } from './address.ts'
import { Chapter } from './chapter.tsx'
import { CopyField } from './copy-field.tsx'

/** The signed result: its link, what it shows, and how somebody checks it. */
export function ResultPart({ result, game }: { result: string; game: Game }) {
  const words = late.debrief
  const route = { screen: 'result', result } as const
  return (
    <Chapter id="result" title={words.resultTitle}>
      <p class="measure">{words.resultNote}</p>
      <p class="measure">{words.resultHow}</p>
      <CopyField
        label={words.resultLink}
        value={linkTo(route)}
        copy={words.copy}
        copied={words.copied}
        notCopied={words.notCopied}
        game={game}
      />
      <p class="screen">
        <a href={hrefOf(route)}>{words.openResult}</a>
      </p>
    </Chapter>
  )
}
