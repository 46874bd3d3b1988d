import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** The example of docs/reference/authoring.md, which has all its rehearsal lines. */
const OPEN_DAY = new URL('../../docs/reference/open-day.yaml', import.meta.url)

/** Copies the example into a folder of simulations, and returns the copy's file. */
export function openDayIn(folder: string): string {
  const file = path.join(folder, 'open-day/scenario.yaml')
  mkdirSync(path.dirname(file), { recursive: true })
  copyFileSync(OPEN_DAY, file)
  return file
}

/** Returns what a player types to play the example. The player reaches the best ending. */
export function playedOpenDay(): readonly string[] {
  const decision = ['decide', '2', 'The wind is over the limit, and every slot fits into the hall.', '1 2 3 4', 'yes']
  // An empty line goes on with the next colleague.
  return ['', ...GUIDE, '', ...NADIA, '', ...JOEL, ...decision]
}

const GUIDE = [
  "Hi, I'm here about the programme.",
  'Ok, what is it about?',
  'Right.',
  'Fine, and who knows?',
  'Thanks.',
]

const NADIA = [
  'What is wrong with the tent?',
  'So there is wind on Saturday, and the tent is in it.',
  'Then it is not safe.',
  'And it takes 3 hours to take down.',
  '1',
  'Go on.',
  'So it is 52 km/h against a limit of 38 km/h, and the tent has to come down.',
  'It goes somewhere else.',
  'Thanks.',
]

const JOEL = [
  'How many people are coming?',
  'So the hall takes them if it is in slots.',
  'It goes by the doors then.',
  'So they come one after the other.',
  '1',
  'Go on.',
  'So at most 205 at once, and 240 are allowed in the hall.',
  'It goes into the hall.',
  'Thanks.',
]
