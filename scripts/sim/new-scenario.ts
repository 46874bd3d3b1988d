import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { meant } from '../../worker/core/graph/document/lints/nearest.ts'
import type { Tier } from '../../worker/core/scenario/scenario.ts'
import { scenarioIds } from '../../sims/authoring/open-file.ts'

const TIERS: readonly Tier[] = ['TECHNICAL', 'ACADEMIC', 'EXPERT']

interface Wanted {
  readonly id: string
  readonly tier: string
  /** The title of the simulation. If the title is undefined, the id becomes the title. */
  readonly title: string | undefined
  readonly folder: string
}

type Made = { readonly ok: true; readonly file: string } | { readonly ok: false; readonly message: string }

/** Writes a small simulation that a model can play ([authoring-10]). Never overwrites a file. */
export async function newScenario({ id, tier: asked, title, folder }: Wanted): Promise<Made> {
  const tier = TIERS.find((each) => each === asked.toUpperCase())
  if (tier === undefined)
    return refused(`"${asked}" is no tier. There are ${TIERS.join(', ')}.${meant(asked.toUpperCase(), TIERS)}`)
  if (!ID.test(id) || id.length > LONGEST_ID)
    return refused(
      `"${id}" is no id. It is lower case words joined by hyphens, ${LONGEST_ID} letters at the most: open-day.`,
    )
  const called = (title ?? inWords(id)).trim()
  if (called === '' || called.length > LONGEST_TITLE || /[\p{C}\u2028\u2029]/u.test(called))
    return refused(`The title is one line of 1 to ${LONGEST_TITLE} characters.`)
  const taken = (await scenarioIds(folder)).find((each) => each.id === id)
  if (taken) return refused(`There is a simulation "${id}" already, in ${taken.file}.`)
  if (await isThere(join(folder, id))) return refused(`${join(folder, id)} is there already.`)

  const file = join(folder, id, 'scenario.yaml')
  await mkdir(join(folder, id), { recursive: true })
  const starter = await readFile(new URL('starter.yaml', import.meta.url), 'utf8')
  // With the flag "wx", writing fails if another process has written the file meanwhile.
  await writeFile(file, filledIn(starter, { id, tier, title: called }), { flag: 'wx' })
  return { ok: true, file }
}

/** The pattern of a simulation's id, as in the schema of scenarios. */
const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const LONGEST_ID = 48
const LONGEST_TITLE = 80

function refused(message: string): Made {
  return { ok: false, message }
}

function inWords(id: string): string {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

/** Puts the id, the tier and the title into the starter. The title is inside double quotes there. */
function filledIn(starter: string, { id, tier, title }: Record<'id' | 'tier' | 'title', string>): string {
  const quoted = JSON.stringify(title).slice(1, -1)
  return starter
    .replaceAll('THE-ID', () => id)
    .replaceAll('THE-TIER', () => tier)
    .replaceAll('THE-TITLE', () => quoted)
}
