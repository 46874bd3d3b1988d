import type { ComponentProps } from 'preact'
import { Portrait } from '../../../widget/components/portrait.tsx'
import { castDrawing } from '../portraits/people.ts'

/** The portrait of a colleague of any simulation, drawn as in a conversation. */
export function CastPortrait(props: Omit<ComponentProps<typeof Portrait>, 'params'>) {
  return <Portrait params={CAST} {...props} />
}

const CAST = { drawingOf: castDrawing }
