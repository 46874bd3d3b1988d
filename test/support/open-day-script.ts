import type { Tier } from '../../worker/core/scenario/scenario.ts'

/** Returns what a player types to play the simulation that `sim new` writes. The player reaches the best ending. */
export function playedBy(tier: Tier): readonly string[] {
  const decision = ['decide', '2', 'The wind is over the limit, and every slot fits into the hall.', '1 2 3 4', 'yes']
  // An empty line goes on with the next colleague.
  return ['', ...GUIDE, '', ...NADIA[tier], '', ...JOEL[tier], ...decision]
}

const GUIDE = [
  "Hi, I'm here about the programme.",
  'Ok, what is it about?',
  'Right.',
  'Fine, and who knows?',
  'Thanks.',
]

const WIND = ['What is wrong with the tent?']
const CONSTRAINT = 'So it is 52 km/h against a limit of 38 km/h, and the tent has to come down.'
const NADIA: Readonly<Record<Tier, readonly string[]>> = {
  TECHNICAL: [
    ...WIND,
    'So there is wind on Saturday, and the tent is in it.',
    'Then it is not safe.',
    'And it takes 3 hours to take down.',
    '1',
    'Go on.',
    CONSTRAINT,
    'It goes somewhere else.',
    'Thanks.',
  ],
  ACADEMIC: [...WIND, CONSTRAINT, 'So I would take it down.', 'No more questions.', 'Thanks.'],
  EXPERT: [
    ...WIND,
    'So there is wind on Saturday, and the tent is in it.',
    "Then it can't stay, because the gusts get underneath.",
    'And taking it down takes 3 hours.',
    '1',
    'Go on.',
    'Because by then there are people inside, so 3 hours is too long.',
    'I see.',
    'Right.',
    CONSTRAINT,
    'It goes somewhere else.',
    'Thanks.',
  ],
}

const DOORS = ['How many people are coming?']
const FITS = 'So at most 205 at once, and 240 are allowed in the hall.'
const JOEL: Readonly<Record<Tier, readonly string[]>> = {
  TECHNICAL: [
    ...DOORS,
    'So the hall takes them if it is in slots.',
    'It goes by the doors then.',
    'So they come one after the other.',
    '1',
    'Go on.',
    FITS,
    'It goes into the hall.',
    'Thanks.',
  ],
  ACADEMIC: [...DOORS, FITS, 'So I would use the hall.', 'No more questions.', 'Thanks.'],
  EXPERT: [
    ...DOORS,
    'So the hall takes them if it is in slots.',
    'It goes by the doors then, because the doors are narrow.',
    'So they come one after the other.',
    '1',
    'Go on.',
    'Because they come in slots, so they are never all there at once.',
    'I see.',
    'Right.',
    FITS,
    'It goes into the hall.',
    'Thanks.',
  ],
}
