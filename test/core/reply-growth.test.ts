import { describe, it } from 'vitest'
import { echoedFields, echoesAnswer } from '../../worker/core/reply/echoes.ts'
import { holdsSeparator, neutralise } from '../../worker/core/reply/neutralise.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { readReport } from '../../worker/core/reply/read-report.ts'
import { createReplySplitter } from '../../worker/core/reply/splitter.ts'
import { oneIn } from '../support/runs.ts'

/**
 * The length of each test text. Linear work takes a second for this length. Work that grows with the square of the
 * length would exceed the test's time limit.
 */
const LENGTH = 300_000

/**
 * Short texts that the tests repeat up to `LENGTH`. For each of them, an earlier version of the splitter needed
 * quadratic time.
 */
const SEEDS = {
  'one line': 'a',
  'short lines': 'Hi. \n',
  dashes: '-',
  'dashes and spaces': '-- ',
  'spaces behind dashes': ' ',
  'nearly separators': '--END-x',
  separators: '---END--- x',
  'open angles': '<',
  'nearly tags': '<thin',
  'open braces': '{',
  'open objects': '{"a": ',
  'small objects': '{"a": 1} ',
  'open comments': '{/*}',
  quotes: '"',
  backticks: '`',
  'open stage directions': '*a',
  'nearly fields': '"node_satisfie ',
  'white space': ' \n',
  'capital words': 'AB ',
  bars: '━ ',
  'open template marks': '<|',
  'nearly tags of a role': '< system ',
  'brackets of a role': '[INST',
  'roles at the beginning of a line': 'system \n',
  'nearly headings': 'YOUR DOCUMEN\n',
  'terminal strings': '\u001b]0;',
  'terminal parameters': '\u001b[1;',
  'joined emoji': '👩\u200d',
  'fields of a report': 'node_satisfied ',
  backslashes: '\\',
  'nearly fields with marks': 'node-_*\\satisfie ',
  'letters apart': 'n - - o ',
  'marks of HTML': '<a> &#9',
  'hexadecimal, nearly': '6e 6 ',
  'escapes of an address': '%6e%6',
} as const

const TEXTS = oneIn(12, Object.entries(SEEDS)).map(([name, seed]) => [name, seed.repeat(LENGTH / seed.length)] as const)

describe('a text of 300,000 characters', { timeout: 30_000 }, () => {
  it.each(TEXTS)('[reply-4] takes the splitter linear time: %s', (_, text) => {
    split([text])
  })

  it.each(TEXTS)('[reply-4] takes the splitter linear time if it comes one character at a time: %s', (_, text) => {
    split(text)
  })

  it.each(TEXTS)('[reply-35] takes neutralise linear time: %s', (_, text) => {
    neutralise(text)
    holdsSeparator(text)
  })

  it.each(TEXTS)('[reply-35] takes the comparison with a report linear time: %s', (_, text) => {
    echoedFields({ ...EMPTY_REPORT, node_satisfied: true }, { theirs: [text], ours: [] })
    echoesAnswer('{"exit": 1}', ['action', 'exit'], { theirs: [text, 'x'], ours: [text] })
  })

  it.each(TEXTS)('[reply-24] takes readReport linear time: %s', (_, text) => {
    readReport(`{"node_satisfied": ${text}`, { repair: (json) => json })
  })
})

function split(pieces: Iterable<string>): void {
  const splitter = createReplySplitter({ npcName: 'Maya Patel' })
  for (const piece of pieces) splitter.feed(piece)
  splitter.end()
}
