import type { ComponentChildren } from 'preact'

/** A part of the debrief that the list of contents leads to. */
export function Chapter({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="chapter" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
