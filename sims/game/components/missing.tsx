import type { ComponentChildren } from 'preact'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'

/** A screen that replaces missing content. It tells the learner what happened and what to do. */
export function Missing({ title, says, children }: { title: string; says: string; children?: ComponentChildren }) {
  return (
    <div class="missing">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{says}</p>
      <p class="doings">
        {children}
        <a class="button" href={hrefOf({ screen: 'library' })}>
          {t.shell.toLibrary}
        </a>
      </p>
    </div>
  )
}

/** A message that replaces content that could not be loaded, with a button that loads the content again. */
export function NotGot({ onAgain, waits }: { onAgain: () => void; waits: boolean }) {
  return (
    <div class="missing" role="alert">
      <p>{t.shell.notLoaded}</p>
      <p class="doings">
        <button class="button" type="button" aria-disabled={waits} onClick={() => waits || onAgain()}>
          {t.shell.tryAgain}
        </button>
      </p>
    </div>
  )
}

/** A placeholder in the shape of the screen that is loading. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <h1 class="hidden" tabIndex={-1}>
        {t.shell.waiting}
      </h1>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="bar" aria-hidden="true" />
      ))}
    </div>
  )
}
