import { SHIPPED_LIBRARY } from '../support/backbones.ts'
import { readFileSync } from 'node:fs'
import { jsonrepair } from 'jsonrepair'
import { describe, expect, it } from 'vitest'
import { checkReportFields } from '../../sims/authoring/check-texts.ts'
import { formatFinding, formError } from '../../sims/authoring/finding.ts'
import { readScenario } from '../../sims/authoring/read-scenario.ts'
import { readReply } from '../../worker/core/reply/read-report.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { split } from '../support/replies.ts'

const FILE = 'sims/launch-decision/scenario.yaml'
const text = readFileSync(new URL(`../../${FILE}`, import.meta.url), 'utf8')
const LINE = "        - 'Made up, all questions together: 8.1% of 2,500 prompts'\n"
const KNOWN = '      - I raised it two weeks ago and got told to save it for the launch review.\n'
/** The index of the text after `KNOWN` in what Maya knows. */
const FIRST = 5

const NAMED = [
  'The flag node_satisfied was set in every trace',
  'nodeSatisfied: true',
  'Field engagement_score: 2',
  'detour-detected, in 14 of them',
  'The `objective_complete` column',
]
const ITEMS = NAMED.map((named) => JSON.stringify(named))
/** The findings of the file with each text once in Maya's document and once in what she knows. */
const found = findings(
  text
    .replace(LINE, `${LINE}${ITEMS.map((item) => `        - ${item}\n`).join('')}`)
    .replace(KNOWN, `${KNOWN}${ITEMS.map((item) => `      - ${item}\n`).join('')}`),
)

describe('a text that names a field of the report', () => {
  it('[authoring-4] leads to no other finding', () => {
    expect(found).toHaveLength(2 * NAMED.length)
  })

  it.each(NAMED.map((named, place) => [named, place] as const))(
    '[authoring-4] would keep every report from counting, and is a finding in a document and in what is known: %s',
    (named, place) => {
      const report = {
        ...EMPTY_REPORT,
        node_satisfied: true,
        detour_detected: true,
        engagement_score: 2,
        objective_complete: 'x',
      }
      const end = split([`Fine.\n${SEPARATOR}\n${JSON.stringify(report)}`], {})
      const outside = { theirs: [], ours: [named] }
      expect(readReply(end, { repair: jsonrepair, outside }).quality).toBe('echoed')

      for (const at of [`document/lines/${1 + place}`, `knowledge/${FIRST + place}`])
        expect(found).toContainEqual(
          expect.stringMatching(`^${FILE}:\\d+:\\d+ error form /npcs/0/${at}  names a field of the report`),
        )
    },
  )

  it('[authoring-4] is one wherever it stands, whatever the rest looks like', () => {
    expect(checkReportFields({ situation: { what: 'hint_given' }, npcs: 5 })).toEqual([
      { ...formError(['situation', 'what'], ''), message: expect.stringContaining('names a field') },
    ])
  })

  it.each([
    'The node was satisfied, and so were we.',
    'We found a detour, and detected the leak behind it.',
    'Was the objective complete by then?',
    'Engagement is up, and the score is 4 to 2.',
  ])('[authoring-4] words of a sentence name none: %s', (plain) => {
    expect(checkReportFields([plain])).toEqual([])
  })
})

function findings(changed: string): readonly string[] {
  const read = readScenario(changed, FILE, SHIPPED_LIBRARY)
  return read.ok ? [] : read.findings.map(formatFinding)
}
