/** Brings an element into view and puts the keyboard there, unfolding whatever it is folded into. */
export function jumpTo(id: string): void {
  const place = document.getElementById(id)
  if (!place) return
  for (let fold = place.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  place.scrollIntoView({ block: 'start' })
  place.focus({ preventScroll: true })
}
