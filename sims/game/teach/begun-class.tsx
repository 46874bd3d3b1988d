import { useState } from 'preact/hooks'
import type { ClassStarted } from '../../../worker/wire/run.ts'
import { CopyField, linkTo } from '../debrief/copy-field.tsx'
import type { Game } from '../game.ts'
import { hrefOf } from '../route.ts'
import { late } from '../texts/texts.ts'
import { keepClass } from './kept-classes.tsx'
import { JoinField, Poster, PosterWall } from './poster.tsx'

/**
 * Shows a class that has just begun: the link for the learners, and the teacher's secret link to the class, which is
 * shown nowhere else.
 */
export function BegunClass({
  title,
  started: { id, code, key },
  game,
  onKept,
  onAnother,
}: {
  title: string
  started: ClassStarted['class']
  game: Game
  onKept: () => void
  onAnother: () => void
}) {
  const words = late.teach
  const [isKept, setKept] = useState(false)
  return (
    <div class="begun">
      <section class="sheet" aria-labelledby="join-link">
        <h2 id="join-link">{words.joinLink}</h2>
        <p class="measure">{words.joinNote}</p>
        <Poster code={code} />
        <JoinField code={code} game={game} />
        <div class="tools">
          <PosterWall title={title} code={code} joined={null} />
        </div>
      </section>
      <section class="sheet secret" aria-labelledby="secret-link">
        <h2 id="secret-link">{words.secretLink}</h2>
        <p class="measure">{words.secretNote}</p>
        <CopyField
          label={words.secretLink}
          value={linkTo({ screen: 'class', key })}
          copy={words.copySecret}
          game={game}
        />
        <div class="keep">
          {isKept ? (
            <p role="status">{words.kept}</p>
          ) : (
            <>
              <button class="button" type="button" onClick={keep}>
                {words.keep}
              </button>
              <p class="small">{words.keepNote}</p>
            </>
          )}
        </div>
      </section>
      <div class="tools">
        <a class="button main" href={hrefOf({ screen: 'class', key })}>
          {words.open}
        </a>
        <button class="bare" type="button" onClick={onAnother}>
          {words.another}
        </button>
      </div>
    </div>
  )

  function keep(): void {
    if (!keepClass({ id, title, key }, () => localStorage)) return game.note(words.notKept, 'trouble')
    setKept(true)
    onKept()
  }
}
