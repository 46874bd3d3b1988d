import type { PersonView, RelationshipLevel } from '../../worker/wire/messages.ts'
import type { Drawing } from '../portraits/people.ts'

/**
 * A portrait of a colleague from the shoulders up. Only brows, eyelids and mouth show the mood. Screen readers skip the
 * portrait, because the name is written beside the portrait.
 */
export function Portrait({
  params,
  person,
  level,
  size,
}: {
  params: { readonly drawingOf: (id: string) => Drawing }
  person: PersonView
  level: RelationshipLevel
  size: number
}) {
  const { skin, hair, lips, back, front, collar, line } = params.drawingOf(person.id)
  const face = FACES[level]
  const skinColour = `oklch(${skin})`
  const hairColour = `oklch(${hair})`
  return (
    <svg
      class="portrait"
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ '--hue': person.hue }}
    >
      <path class="ground" d="M0 0H64V64H0Z" />
      <path d={back} fill={hairColour} />
      <path d="M27 36H37V50H27Z" fill={skinColour} />
      <path class="clothes" d="M6 64C7 52 15 48.5 26 46 29 50 35 50 38 46 49 48.5 57 52 58 64Z" />
      <path class="collar" d={collar} />
      <path
        d="M20 27C20 17 25 13.5 32 13.5 39 13.5 44 17 44 27 44 37 38.5 43 32 43 25.5 43 20 37 20 27Z"
        fill={skinColour}
      />
      <path d={front} fill={hairColour} />
      <path class="line drawn" d={`M32 28.5 31 32.500H33${line}${browsOf(face)}`} />
      <path class="line drawn" d={mouthOf(face)} style={{ stroke: lips && `oklch(${lips})` }} />
      <ellipse class="eye" cx="26.5" cy="27.5" rx="1.5" ry={face[5]} />
      <ellipse class="eye" cx="37.5" cy="27.5" rx="1.5" ry={face[5]} />
    </svg>
  )
}

/**
 * The face for one mood, as six numbers: the heights of the brow's outer end, of its bend and of its inner end, the
 * heights of the mouth's corners and of its bend, and half the height of the open eye. Heights are measured downwards.
 */
type Face = readonly [outer: number, bend: number, inner: number, corner: number, lip: number, eye: number]

const FACES: Record<RelationshipLevel, Face> = {
  hostile: [22.5, 23.5, 25, 38.5, 36, 0.9],
  guarded: [23.5, 23.5, 24.5, 38, 37.5, 1.2],
  neutral: [23.5, 22.5, 23.5, 37.5, 38, 1.6],
  cooperative: [23, 21.5, 22.5, 37, 39.5, 1.7],
  trusting: [23, 20, 22, 36.5, 41, 1.4],
}

function browsOf([outer, bend, inner]: Face): string {
  const brow = (from: number, over: number, to: number) => `M${from} ${outer}Q${over} ${bend} ${to} ${inner}`
  return brow(23, 26, 29.5) + brow(41, 38, 34.5)
}

function mouthOf([, , , corner, lip]: Face): string {
  return `M28.5 ${corner}Q32 ${lip} 35.5 ${corner}`
}
