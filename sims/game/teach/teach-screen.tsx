import { useState } from 'preact/hooks'
import type { ClassStarted } from '../../../worker/wire/run.ts'
import { adoptStyles } from '../adopt-styles.ts'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import { BegunClass } from './begun-class.tsx'
import { ClassForm } from './class-form.tsx'
import { keptClasses, KeptList } from './kept-classes.tsx'
import { css } from './teach.css'

adoptStyles(css)

/** The screen on which a teacher begins a class. */
export function TeachScreen({ game }: { game: Game }) {
  const words = late.teach
  const [begun, setBegun] = useState<{ title: string; class: ClassStarted['class'] } | null>(null)
  const [kept, setKept] = useState(() => keptClasses(() => localStorage))
  const readKept = () => setKept(keptClasses(() => localStorage))
  return (
    <div class="teach">
      <h1 tabIndex={-1} dir="auto">
        {begun ? words.begun(begun.title) : words.title}
      </h1>
      {begun ? (
        <BegunClass
          title={begun.title}
          started={begun.class}
          game={game}
          onKept={readKept}
          onAnother={() => setBegun(null)}
        />
      ) : (
        <>
          <p class="measure">{words.lead}</p>
          <ClassForm game={game} onBegun={(title, { class: started }) => begin(title, started)} />
          <KeptList kept={kept} game={game} onLetGo={readKept} />
        </>
      )}
    </div>
  )

  function begin(title: string, started: ClassStarted['class']): void {
    setBegun({ title, class: started })
    // The form had the focus and has disappeared, so the new heading gets the focus.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.teach h1')?.focus())
  }
}
