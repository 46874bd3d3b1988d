import type { ComponentProps } from 'preact'
import { Portrait } from '../../../widget/components/portrait.tsx'
import { castDrawing } from '../portraits/people.ts'

/** A colleague of any simulation, drawn as the conversation draws them. */
export function CastPortrait(props: Omit<ComponentProps<typeof Portrait>, 'params'>) {
  return <Portrait params={CAST} {...props} />
}

const CAST = { drawingOf: castDrawing }
