import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { PublicationData } from '../../sims/authoring/publication.ts'

const read = (file: string): unknown => parse(readFileSync(file, 'utf8'))

/** The rehearsal lines of the graph in `test/fixtures/tools`. */
const STATES = {
  help_visitor: {
    actions: [['What would you like to know about your parcel?'], ['Is there anything else I can look up?']],
    exits: [['that was all'], ['have to go']],
    tools: {
      parcel_status: { hears: ['parcel'], says: 'The depot says: {result}', fails: 'The depot does not answer.' },
      free_hour: {
        hears: ['calendar'],
        says: 'You are at home {result}.',
        fails: 'Then tell me when you are at home.',
      },
    },
  },
  say_goodbye: { actions: [['Goodbye, and mind the step.']], exits: [] },
}

/** Returns a scenario to publish: a colleague who walks a graph whose state has tools. */
export function parcelDesk(): PublicationData {
  const scenario = read('sims/one-to-one/scenario.yaml') as { npcs: { rehearsal: object }[] }
  const [npc] = scenario.npcs
  return {
    scenario: {
      ...scenario,
      id: 'parcel-desk',
      npcs: [{ ...npc, walk: { graph: 'parcel-desk', version: 1 }, rehearsal: { ...npc?.rehearsal, states: STATES } }],
    },
    backbones: [],
    graphs: [read('test/fixtures/tools/parcel-desk@1.yaml')],
  }
}
