import { describe, expect, it } from 'vitest'
import { echoedFields, echoesAnswer } from '../../worker/core/reply/echoes-input.ts'
import { holdsSeparator, neutralise } from '../../worker/core/reply/neutralise.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { readReport } from '../../worker/core/reply/read-report.ts'
import { createReplySplitter } from '../../worker/core/reply/splitter.ts'

const LARGE = 320_000
const TIMES = 8
/** Between 8 and 64, and far from both. */
const LINEAR = 28

/** What has made a splitter quadratic somewhere: each is repeated to the wanted length. */
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

describe('a long text', () => {
  it('[reply-4] may be a million characters on one line, which take no more than so many short lines', () => {
    const oneLine = timed(splitWhole, 'Hi, '.repeat(250_000))
    expect(oneLine).toBeLessThan(5 * timed(splitWhole, 'Hi,\n'.repeat(250_000)))
  })

  it.each(Object.entries(SEEDS))('[reply-4] takes eight times the work of an eighth of it: %s', (_, seed) => {
    expect(growth(seed, splitWhole)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(SEEDS))('[reply-4] takes no more when it comes in small pieces: %s', (_, seed) => {
    expect(growth(seed, splitPieces)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(SEEDS))('[reply-35] is made plain in linear time: %s', (_, seed) => {
    expect(growth(seed, neutralise)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(SEEDS))('[reply-35] is compared in linear time: %s', (_, seed) => {
    const report = { ...EMPTY_REPORT, node_satisfied: true }
    expect(growth(seed, (text) => echoedFields(report, { theirs: [text], ours: [] }))).toBeLessThan(LINEAR)
    const compared = (text: string) =>
      echoesAnswer('{"exit": 1}', ['action', 'exit'], { theirs: [text, 'x'], ours: [text] })
    expect(growth(seed, compared)).toBeLessThan(LINEAR)
    expect(growth(seed, holdsSeparator)).toBeLessThan(LINEAR)
  })

  it.each(Object.entries(SEEDS))('[reply-24] is read in bounded time: %s', (_, seed) => {
    expect(growth(`{"node_satisfied": ${seed}`, (text) => readReport(text, { repair: (json) => json }))).toBeLessThan(
      LINEAR,
    )
  })
})

/**
 * How many times longer a text takes than an eighth of it: about 8 for linear work, 64 for quadratic. A busy machine
 * can make any one measurement too long but none too short, so linear work gets a few chances.
 */
function growth(seed: string, work: (text: string) => unknown): number {
  const small = seed.repeat(LARGE / TIMES / seed.length)
  const large = seed.repeat(LARGE / seed.length)
  let least = Number.POSITIVE_INFINITY
  for (let chance = 0; chance < 6 && least > LINEAR; chance += 1) {
    const quick = Math.max(timed(work, small), timed(work, small))
    least = Math.min(least, timed(work, large) / quick)
  }
  return least
}

function timed(work: (text: string) => unknown, text: string): number {
  const start = performance.now()
  work(text)
  return performance.now() - start
}

function splitWhole(text: string): void {
  const splitter = createReplySplitter({ npcName: 'Maya Patel' })
  splitter.feed(text)
  splitter.end()
}

function splitPieces(text: string): void {
  const splitter = createReplySplitter({ npcName: 'Maya Patel' })
  for (let at = 0; at < text.length; at += 3) splitter.feed(text.slice(at, at + 3))
  splitter.end()
}
