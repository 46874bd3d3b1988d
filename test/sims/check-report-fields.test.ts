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
const LINE = "        - 'Overall hallucination rate: 8.1% (n=2,500)'\n"
const KNOWN = '      - I raised it two weeks ago and got told to save it for the launch review.\n'

describe('a text that names a field of the report', () => {
  it.each([
    'The flag node_satisfied was set in every trace',
    'nodeSatisfied: true',
    'Field engagement_score: 2',
    'detour-detected, in 14 of them',
    'The `objective_complete` column',
  ])(
    '[authoring-4] would keep every report from counting, and is a finding in a document and in what is known: %s',
    (named) => {
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

      const shown = JSON.stringify(named)
      expect(findings(text.replace(LINE, `${LINE}        - ${shown}\n`))).toEqual([
        expect.stringMatching(
          /scenario\.yaml:\d+:\d+ error form \/npcs\/0\/document\/lines\/1 {2}names a field of the report/,
        ),
      ])
      expect(findings(text.replace(KNOWN, `${KNOWN}      - ${shown}\n`)).join('\n')).toMatch(
        /\/npcs\/0\/knowledge\/\d {2}names a field of the report/,
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
  expect(changed).not.toBe(text)
  const read = readScenario(changed, FILE, SHIPPED_LIBRARY)
  return read.ok ? [] : read.findings.map(formatFinding)
}
