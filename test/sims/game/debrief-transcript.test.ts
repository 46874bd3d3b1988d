import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { marked } from 'marked'
import type { Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { castOf } from '../../../sims/game/people.ts'
import {
  anchorOfTurn,
  markdownLine,
  markdownText,
  placeMessages,
  transcriptJson,
  transcriptMarkdown,
} from '../../../sims/game/debrief/transcript.ts'
import { lateEn } from '../../../sims/game/texts/late-en.ts'
import type { Json } from '../../../worker/chain/api/openapi.ts'
import type { DebriefView } from '../../../worker/wire/run.ts'
import { launchCard, launchDebrief } from '../../support/game-debrief.ts'
import { schemaProblems } from '../../support/json-schema.ts'
import { XSS_CORPUS } from '../../support/xss-corpus.ts'
import { runs } from '../../support/runs.ts'

/** Texts that Markdown would interpret as markup. */
const HOSTILE: readonly string[] = [
  ...XSS_CORPUS,
  '# not a heading',
  'Not one\n===',
  'nor this\n---',
  '- no list\n- at all',
  '1. no list\n2) either',
  '+ no\n* list',
  '> no quotation',
  '    no code',
  '\tno code',
  '```js\nno code\n```',
  '`no code`',
  '**loud** __loud__ *soft* _soft_ ~~gone~~',
  '[a link](https://away.invalid) ![a picture](https://away.invalid/x.png)',
  '<https://away.invalid> https://away.invalid www.away.invalid somebody@away.invalid',
  '9https://away.invalid/login _https://away.invalid ahttps://away.invalid',
  '_www.away.invalid 9www.away.invalid',
  '[ref]: https://away.invalid\n[ref]',
  '| a | b |\n|---|---|\n| c | d |',
  'a\\\nb',
  'two spaces  \nno break',
  '&amp; &#35; &lt;b&gt;',
  '$x^2$ a^2^ {.class} :term',
  '[^1]\n[^1]: no note',
  '***\n___\n- - -',
  'a\n\n\nb',
  'snake_case_name and 2*3*4',
  '\u2028line\u2029para\u0085next',
  '\u202egnp.exe',
  '',
  '   ',
]

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '#',
        '*',
        '_',
        '`',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '!',
        '-',
        '+',
        '=',
        '|',
        '~',
        '&',
        '\\',
        '1',
        '.',
        ':',
        '/',
        '\n',
        ' ',
        'a',
        '@',
        'www',
        'http',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
)

/** Token types of plain text. Every other type means that a person's text became markup. */
const PLAIN: ReadonlySet<string> = new Set(['paragraph', 'text', 'escape', 'br', 'space'])

function kindsIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => [token.type, ...('tokens' in token ? kindsIn(token.tokens ?? []) : [])])
}

/** Returns the text with line breaks that a person sees in the rendered Markdown. */
function shownBy(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return '\n'
      if ('tokens' in token && token.tokens) return shownBy(token.tokens)
      return token.type === 'space' ? '' : 'text' in token ? String(token.text) : ''
    })
    .join('')
}

/** Returns a text without invisible characters and with uniform line breaks. */
function seen(text: string): string {
  return text
    .toWellFormed()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) =>
      line
        .replaceAll(/(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
        .replaceAll('\t', ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n')
}

describe('somebody’s words as Markdown', () => {
  it('[after-7] show as they are, and become no markup', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tokens = marked.lexer(markdownText(text))
        expect(kindsIn(tokens).filter((kind) => !PLAIN.has(kind))).toEqual([])
        expect(shownBy(tokens)).toBe(seen(text))
      }),
      { numRuns: runs('cheap'), examples: HOSTILE.map((text) => [text]) },
    )
  })

  it('[after-7] in a heading or an item are one line of text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = seen(text).replaceAll(/\s+/g, ' ').trim()
        const [heading, ...others] = marked.lexer(`# x ${markdownLine(text)}\n`)
        expect(others).toEqual([])
        expect(
          kindsIn(heading && 'tokens' in heading ? (heading.tokens ?? []) : []).filter((kind) => !PLAIN.has(kind)),
        ).toEqual([])
        expect(heading && shownBy([heading])).toBe(`x ${shown}`.trim())
      }),
      { numRuns: runs('usual'), examples: HOSTILE.map((text) => [text]) },
    )
  })
})

/** Returns the debrief with this text in every field that contains a person's words. */
function spokenBy(text: string): DebriefView {
  const debrief = launchDebrief()
  const decision = debrief.run.decision
  return {
    ...debrief,
    run: {
      ...debrief.run,
      nickname: text,
      decision: decision && { ...decision, reason: text },
      facts: debrief.run.facts.map((fact) => ({ ...fact, said: text })),
    },
    talks: debrief.talks.map((talk) => ({
      ...talk,
      transcript: talk.transcript.map((message) => ({ ...message, text })),
    })),
  }
}

const paper = (debrief: DebriefView) =>
  transcriptMarkdown({
    debrief,
    card: launchCard(),
    cast: castOf(launchCard()),
    words: lateEn.debrief,
    when: (time) => new Date(time).toISOString(),
  })

describe('the transcript as Markdown', () => {
  it('[after-7] holds every word, with who said it, under the colleague it was said to', () => {
    const tokens = marked.lexer(paper(launchDebrief()))
    const headings = tokens.flatMap((token) => (token.type === 'heading' ? [shownBy([token])] : []))
    expect(headings).toEqual([
      'The launch decision',
      'The decision',
      'Evidence',
      'With Otto, Guide',
      'With Maya Patel, QA lead',
      'With Marcus Oyelaran, Account director',
    ])
    const shown = tokens.map((token) => shownBy([token])).join('\n')
    for (const { transcript } of launchDebrief().talks) for (const { text } of transcript) expect(shown).toContain(text)
    expect(shown).toContain('You: Hi Maya. I have to decide by Thursday.')
    expect(shown).toContain('Maya Patel: It isn’t spread evenly')
    expect(shown).toContain('Ship on Thursday, with medical questions going to the nurse line')
  })

  it('[after-7] keeps its shape with any words in it', () => {
    const shape = (text: string) =>
      marked
        .lexer(paper(spokenBy(text)))
        .filter(({ type }) => type !== 'space')
        .map(({ type }) => type)
    const plain = shape('words')
    for (const text of HOSTILE.filter((each) => each.trim() !== ''))
      expect({ text, shape: shape(text) }).toEqual({ text, shape: plain })
  })
})

describe('the transcript as JSON', () => {
  const {
    $schema: _dialect,
    title: _title,
    description: _description,
    $defs,
    ...schema
  } = JSON.parse(readFileSync(path.resolve('docs/transcript.schema.json'), 'utf8')) as Json
  const problems = (debrief: DebriefView) =>
    schemaProblems({ $defs }, schema as Json, JSON.parse(transcriptJson(debrief, launchCard(), castOf(launchCard()))))

  it('[after-8] is as its schema says, with any words in it', () => {
    expect(problems(launchDebrief())).toEqual([])
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(problems(spokenBy(text))).toEqual([])
      }),
    )
  })

  it('[after-8] has every message with its turn, and the cited facts in their colleagues’ words', () => {
    const told = JSON.parse(transcriptJson(launchDebrief(), launchCard(), castOf(launchCard()))) as {
      version: number
      decision: { verdict: string; evidence: unknown[]; at: string }
      talks: { npc: string; messages: { id: string; turn: number; who: string; text: string }[] }[]
    }
    expect(told.version).toBe(1)
    expect(told.decision).toMatchObject({
      verdict: 'right',
      at: '2026-03-09T09:50:00.000Z',
      evidence: [{ fact: 'medical-rate', npc: 'maya', turn: 3 }],
    })
    expect(told.talks.map(({ npc, messages }) => [npc, messages.length])).toEqual([
      ['otto', 2],
      ['maya', 16],
      ['marcus', 8],
    ])
    expect(told.talks[1]?.messages[4]).toMatchObject({ id: 'say-3', turn: 3, who: 'learner' })
  })

  it('[after-8] keeps words unchanged, even characters of no alphabet', () => {
    const talks = (
      JSON.parse(transcriptJson(spokenBy('\u0000"\ud83d'), launchCard(), castOf(null))) as {
        talks: { messages: { text: string }[] }[]
      }
    ).talks
    expect(talks[0]?.messages[0]?.text).toBe('\u0000"\ud83d')
  })
})

describe('a message’s turn', () => {
  it('[after-3] is the one its id says, and of a choice the turn before it', () => {
    const line = (id: string) => ({ id, who: 'npc' as const, text: '', at: 0 })
    const placed = placeMessages(['choice-1', 'say-1', 'reply-1', 'choice-9', 'reaction-9', 'say-2'].map(line))
    expect(placed.map(({ turn }) => turn)).toEqual([null, 1, 1, 1, 1, 2])
  })

  it('[after-3] leads to the reply, else to the learner’s words, else nowhere', () => {
    const line = (id: string) => ({ id, who: 'npc' as const, text: '', at: 0 })
    const talk = { npc: 'maya', transcript: ['say-1', 'reply-1', 'say-2'].map(line) }
    expect([1, 2, 3].map((turn) => anchorOfTurn(talk, turn))).toEqual(['said-maya-reply-1', 'said-maya-say-2', null])
  })
})
