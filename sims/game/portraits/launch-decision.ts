import type { Drawing } from '../../../widget/portraits/people.ts'

/** The portraits of `sims/launch-decision`, except those that the widget draws. */
export const launchDecision: Readonly<Record<string, Drawing>> = {
  ines: {
    skin: '74% .07 62',
    hair: '33% .07 38',
    back: 'M25 8a7 6 0 0 1 14 0a7 6 0 0 1-14 0M18.5 30C16 17 24 11 32 11 40 11 48 17 45.5 30Z',
    front: 'M20 27C19 15 26 11 32 11 38 11 45 15 44 27 42.5 21 39 18 33.5 17 28 18 22 21 20 27Z',
    collar: 'M27 45 32 50 37 45 39 47 32 55 25 47Z',
    line: 'M22.5 27.5a4 4 0 0 1 8 0a4 4 0 0 1-8 0M33.5 27.5a4 4 0 0 1 8 0a4 4 0 0 1-8 0M30.5 27q1.5-1 3 0',
  },
}
