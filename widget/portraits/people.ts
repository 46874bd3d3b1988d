/** A drawing of a person from the shoulders up in a box of 64 by 64: flat shapes as path data, colours as OKLCH. */
export interface Drawing {
  readonly skin: string
  readonly hair: string
  /** The mouth's colour, if a dark beard would hide the line. */
  readonly lips?: string
  readonly back: string
  /** Shapes over the head: fringe, beard, moustache. */
  readonly front: string
  /** A shape over the clothes: a collar or a tie. */
  readonly collar: string
  /** Lines over the face: glasses, a part in the hair. */
  readonly line: string
}

/**
 * Returns the drawing of a colleague. A colleague without a drawing gets a generated face, which is always the same for
 * the same id.
 */
export function drawingOf(id: string): Drawing {
  return PEOPLE[id] ?? stranger(id)
}

const SHIRT = 'M27 45 32 52 37 45 40 47 32 60 24 47Z'

const PEOPLE: Partial<Record<string, Drawing>> = {
  maya: {
    skin: '68% .075 58',
    hair: '27% .03 40',
    back: 'M17 33C15 16 24 9 33 9 43 9 49 17 47 32 46 40 49 47 50 53L14 53C16 46 18 40 17 33Z',
    front: 'M20 28C19 15 26 11 33 11 41 11 45.5 18 44 29 42.5 23 39 19.5 35.5 17.5 31 22 25 22.5 20 28Z',
    collar: SHIRT,
    line: '',
  },
  marcus: {
    skin: '47% .06 48',
    hair: '22% .015 40',
    lips: '74% .07 30',
    back: '',
    front:
      'M20 26C18.5 14 25 9.5 32 9.5 39.5 9.5 45.5 14 44 26L42.5 20C38 17 26 17 21.5 20ZM20 30C20.5 40 26 44 32 44 38 44 43.5 40 44 30 43 33.5 41 34.5 37.5 33.7 34 33 30 33 26.5 33.7 23 34.5 21 33.5 20 30Z',
    collar: 'M24 46.500C28 50 36 50 40 46.500L42 50C36 55 28 55 22 50Z',
    line: 'M22.5 27a4 3.8 0 0 1 8 0a4 3.8 0 0 1-8 0M33.5 27a4 3.8 0 0 1 8 0a4 3.8 0 0 1-8 0M30.5 26.500q1.5-1 3 0',
  },
  otto: {
    skin: '81% .05 55',
    hair: '62% .014 85',
    back: 'M18.5 31C16 23 19.5 17 22 16L42 16C44.5 17 48 23 45.5 31Z',
    front: 'M24.5 35C26 31.5 30 31.5 32 33 34 31.5 38 31.5 39.5 35 37 36.5 34 36 32 34.8 30 36 27 36.5 24.5 35Z',
    collar: 'M32 49 25 45.5 25 53ZM32 49 39 45.5 39 53Z',
    line: '',
  },
}

const SKINS = ['82% .05 60', '72% .07 58', '60% .075 52', '46% .06 48']
const HAIRS = ['24% .02 40', '36% .05 45', '52% .09 55', '44% .11 38']
const CUTS: readonly Pick<Drawing, 'back' | 'front'>[] = [
  // Hair pinned up
  {
    back: 'M25 9a7 6 0 0 1 14 0a7 6 0 0 1-14 0M18.5 30C16 17 24 11 32 11 40 11 48 17 45.5 30Z',
    front: 'M20 27C19 15 26 11 32 11 38 11 45 15 44 27 41 24 38 20.5 32 19 26 20.5 23 24 20 27Z',
  },
  // Curly hair
  {
    back: 'M17 36C10 32 12 22 16 19 16 11 24 6 32 6 40 6 48 11 48 19 52 22 54 32 47 36Z',
    front: 'M20 25C19 14 26 10 32 10 38 10 45 14 44 25 41 21 39 21 36 19 33 21 29 18 27 20 24 20 22 22 20 25Z',
  },
  // Short hair, parted at the side
  {
    back: '',
    front: 'M19.5 27C17.5 14 25 9 33 9 42 9 46 16 44.5 27L43 21C38 21 31 19.5 28 15.5 27 19 23 21 21 21Z',
  },
]

function stranger(id: string): Drawing {
  let hash = 7
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 9973
  const pick = <T>(from: readonly T[], step: number): T => from[Math.floor(hash / step) % from.length] as T
  return { ...pick(CUTS, 1), skin: pick(SKINS, 4), hair: pick(HAIRS, 16), collar: SHIRT, line: '' }
}
