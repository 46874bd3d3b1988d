import { useRef } from 'preact/hooks'
import type { ClassView } from '../../../worker/wire/run.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import { JoinField, Poster, PosterWall } from './poster.tsx'
import { Sure } from './sure.tsx'
import type { Change } from './use-change.ts'

interface DoorProps {
  readonly view: ClassView
  readonly classKey: string
  readonly game: Game
  readonly waits: boolean
  readonly change: Change
}

/** How learners join the class, and the buttons that close the class, open it again, and give it a new code. */
export function Door({ view: { title, code, closed, learners }, classKey, game, waits, change }: DoorProps) {
  const words = late.teach
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <div class="door sheet">
      {!closed && <Poster code={code} />}
      <div class="door-side">
        <p>
          <strong>{closed ? words.isClosed : words.isOpen}</strong> {closed ? words.closedNote : words.openNote}
        </p>
        {!closed && <JoinField code={code} game={game} />}
        <div class="tools">
          {!closed && <PosterWall title={title} code={code} joined={learners.length} />}
          <button
            ref={toggle}
            class="button"
            type="button"
            aria-disabled={waits}
            onClick={() => void setClosed(!closed)}
          >
            {closed ? words.reopen : words.close}
          </button>
          {!closed && (
            <Sure
              label={words.newCode}
              title={words.newCodeSure}
              says={words.newCodeNote}
              yes={words.newCode}
              waits={waits}
              onYes={() => void change(() => game.api.renewCode(classKey), words.newCodeMade)}
            />
          )}
        </div>
      </div>
    </div>
  )

  async function setClosed(next: boolean): Promise<void> {
    await change(() => game.api.closeClass(classKey, next), next ? words.hasClosed : words.hasReopened)
    toggle.current?.focus()
  }
}
