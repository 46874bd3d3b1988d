import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { h, options } from 'preact'
import { typesetAll } from '../../../sims/game/run-api.ts'
import { launchCard } from '../../support/game-debrief.ts'
import { describe, expect, it } from 'vitest'
import { CHARACTERS } from '../../../scripts/game/fonts.ts'
import { nicknameProblem } from '../../../sims/game/library/join-screen.tsx'
import { markAuthored, openersIn } from '../../../sims/game/texts/authored.ts'
import { en } from '../../../sims/game/texts/en.ts'
import { es } from '../../../sims/game/texts/es.ts'
import { createFormat } from '../../../sims/game/texts/format.ts'
import { lateEn } from '../../../sims/game/texts/late-en.ts'
import { lateEs } from '../../../sims/game/texts/late-es.ts'
import { pickLocale } from '../../../sims/game/texts/locale.ts'
import { pseudo, pseudoText } from '../../../sims/game/texts/pseudo.ts'
import { useTexts } from '../../../sims/game/texts/texts.ts'
import { drawnTexts } from '../../support/drawn-texts.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const GAME = path.join(ROOT, 'sims/game')

/** Returns every text with its path in the catalogue. If a text has parameters, calls it with sample values. */
function leaves(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return [[at, value]]
  if (typeof value === 'function') return [[at, spoken(value as (...given: never[]) => unknown)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => leaves(each, `${at}.${key}`))
}

/**
 * Calls a text with a number, a name or an object, and returns the first result that is a text. Returns a placeholder
 * if the text accepts none of these.
 */
function spoken(text: (...given: never[]) => unknown): string {
  for (const given of [7, 'Maya', { code: 'spent', next: 'give-up', message: '' }]) {
    try {
      const said: unknown = Reflect.apply(text, null, [given, given, given])
      if (typeof said === 'string' && said !== '') return said
    } catch {
      // The text takes another kind of parameter, so the loop goes on to the next one.
    }
  }
  return UNSPEAKABLE
}

const UNSPEAKABLE = '7'

describe('an author’s words', () => {
  it('[page-10] are in the language of the run’s simulation, and other words keep their own', () => {
    const before = { ...options }
    markAuthored(() => 'es')
    expect(h('p', { lang: 'x-authored' }).props).toEqual({ lang: 'es' })
    expect(h('p', { lang: 'en' }).props).toEqual({ lang: 'en' })
    Object.assign(options, { vnode: undefined, ...before })
  })

  it('[page-10] are answered in their own language: an opener is sent in the language of the simulation', () => {
    expect(openersIn('en-GB')).toEqual(en.widget.openers)
    expect(openersIn('es')).toEqual(es.widget.openers)
    expect(openersIn('de')).toBeUndefined()
  })
})

describe('the languages', () => {
  const english = new Map(leaves({ ...en, ...lateEn }))
  const spanish = new Map(leaves({ ...es, ...lateEs }))

  it('[page-10] Spanish says all that English says, and nothing else', () => {
    expect([...spanish.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    expect(english.size).toBeGreaterThan(200)
  })

  it('[page-10] no text is empty, and only names and keys are the same in both languages', () => {
    useTexts('es', es)
    const empty = [...english, ...spanish].filter(([, text]) => text.trim() === '')
    expect(empty).toEqual([])
    const same = [...english].filter(([at, text]) => spanish.get(at) === text && /\p{L}{2}/u.test(text))
    expect(same.map(([at]) => at).filter((at) => !SAME.some((rule) => rule.test(at)))).toEqual([])
    useTexts('en', en)
  })

  it('[page-9] the address decides, then the earlier choice, then the browser, then English', () => {
    expect(pickLocale('?lang=es', 'en', ['en'])).toBe('es')
    expect(pickLocale('', 'es', ['en'])).toBe('es')
    expect(pickLocale('', null, ['fr-CH', 'es-MX', 'en'])).toBe('es')
    expect(pickLocale('', null, ['fr', 'de'])).toBe('en')
    expect(pickLocale('?lang=xx', null, ['es'])).toBe('es')
    expect(pickLocale('?lang=ar-XB', 'es', ['en'])).toBe('ar-XB')
    expect(pickLocale('', 'ar-XB', ['ar'])).toBe('en')
  })

  it('[page-11] the turned language is made of English: longer, marked, with every part still in it', () => {
    const turned = pseudo(en)
    expect(pseudoText('Close')).toBe('⟦Çļöşé~~⟧')
    for (const [at, text] of leaves(turned))
      if (/\p{L}{2}/u.test(english.get(at) ?? '')) expect([at, text]).toEqual([at, expect.stringMatching(/^⟦[^]*⟧/)])
    expect(turned.shell.talkTo('Maya')).toContain('Måýå')
    expect(turned.shell.keysList).toHaveLength(en.shell.keysList.length)
  })

  it('[page-9] numbers, times and lists are as the language writes them', () => {
    const spanishFormat = createFormat('es')
    expect(spanishFormat.number(12_345.6)).toBe('12.345,6')
    expect(spanishFormat.plural(1, { one: 'una', other: 'muchas' })).toBe('una')
    expect(spanishFormat.list(['Maya', 'Inés'])).toBe('Maya e Inés')
    expect(spanishFormat.ago(0, 3 * 3_600_000)).toBe('hace 3 horas')
    expect(createFormat('en').number(12_345.6)).toBe('12,345.6')
    expect(createFormat('en').ago(0, 20_000)).toBe('this minute')
    expect(createFormat('ar-XB').number(12_345.6)).toBe('12,345.6')
  })

  it('[page-9] yesterday begins and ends at the reader’s midnight, and two weeks ago is a day by its date', () => {
    const { ago } = createFormat('en')
    const on = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime()
    expect(ago(on(17, 22), on(18, 9))).toBe('11 hours ago')
    expect(ago(on(17, 1), on(18, 23))).toBe('yesterday')
    expect(ago(on(16, 22), on(18, 9))).toBe('2 days ago')
    expect(ago(on(5, 1), on(18, 9))).toBe('13 days ago')
    expect(ago(on(4, 23), on(18, 9))).toBeNull()
  })

  it.each([
    ['English', lateEn.teach, ['0 of 1 learner', '1 of 2 learners'], ['1 reason', '2 reasons']],
    ['Spanish', lateEs.teach, ['0 de 1 participante', '1 de 2 participantes'], ['1 razón', '2 razones']],
  ])('[page-10] in %s a noun agrees with its number', (_, { chosenBy, reasonsOf }, chosen, reasons) => {
    expect([chosenBy(0, 1), chosenBy(1, 2)]).toEqual(chosen)
    expect([reasonsOf(1), reasonsOf(2)]).toEqual(reasons)
  })

  it('[page-10] in Spanish a thing has one name, and a date and a number their words', () => {
    const other = [...spanish].filter(([, text]) => /[Cc]umplid|Perdido|Intentar de nuevo/.test(text))
    expect(other).toEqual([])
    expect(es.shell.objective).toEqual({ open: 'Pendiente', met: 'Logrado', missed: 'Aún no logrado' })
    expect(lateEs.result.objectivesLine({ met: 1, of: 2 })).toBe('1 de 2 logrado')
    expect(es.shell.begunOn('4 nov 2026')).toBe('Empezada el 4 nov 2026')
    expect(lateEs.teach.asOf('22 nov 2026, 09:40')).toBe('Datos del 22 nov 2026, 09:40')
    expect(es.widget.tooLong(1)).toContain('sobra 1 carácter.')
    expect(es.widget.tooLong(12)).toContain('sobran 12 caracteres.')
  })
})

/** The paths of texts that are the same in both languages, such as names and keys. */
const SAME: readonly RegExp[] = [
  /^\.shell\.keysList\.\d+\.0$/,
  /^\.shell\.title$/,
  /^\.shell\.changed$/,
  /^\.widget\.says$/,
  /level\.neutral$/,
]

describe('the sources', () => {
  it('[page-10] no source holds a text', () => {
    const sources = globSync('**/*.{ts,tsx}', { cwd: GAME }).filter((file) => !file.startsWith('texts/'))
    expect(sources.length).toBeGreaterThan(80)
    const found = sources.flatMap((file) => {
      const code = readFileSync(path.join(GAME, file), 'utf8')
      return drawnTexts(code, file.endsWith('x') ? 'tsx' : 'ts').map((text) => `${file}: ${text}`)
    })
    expect(found.toSorted()).toEqual(IN_NO_CATALOGUE)
  })

  it.each([
    ['<p>one <b>two</b></p>', 'one', 'two'],
    ["<p>{sure ? 'Yes please' : 'no thanks'}</p>", 'Yes please', 'no thanks'],
    ["<p>{sure && 'over'}{name ?? 'nobody'}</p>", 'over', 'nobody'],
    ["<p>{`${count} left`}{count + ' runs'}</p>", '… left', 'runs'],
    ["<p>{plural(count, { one: 'run', other: 'runs' })}</p>", 'run', 'runs'],
    ["<ul>{['red', 'green'].map((hue) => hue + ' one')}</ul>", 'red', 'green', 'one'],
    ["<b title={sure ? 'close' : undefined} aria-label={`open ${name}`} />", 'close', 'open …'],
    ['<Field heading="Your reason" />', 'Your reason'],
    ["const word = sure ? 'Begun' : t.over", 'Begun'],
    ['game.note(`Saved at ${time}`)', 'Saved at …'],
  ])('[page-10] finds the texts in %s', (code, ...texts) => expect(drawnTexts(code, 'tsx')).toEqual(texts))

  it.each([
    "<i class='a b' id={key === 'Escape' ? 'c' : `d-${name}`} onClick={() => go('desk')}>{t.hello}</i>",
    "<p>{key === 'Escape' && t.escape}{t.stands[`is-${stand}`]}{' · '}</p>",
    "switch (key) { case 'Escape': close('desk') }",
  ])('[page-10] finds none in %s', (code) => expect(drawnTexts(code, 'tsx')).toEqual([]))

  it('[page-11] styles know no left and no right', () => {
    const sided = globSync('**/*.css', { cwd: GAME }).flatMap((file) =>
      readFileSync(path.join(GAME, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (SIDED.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    )
    expect(sided).toEqual([])
  })

  it('[page-5] the apostrophes of a card are those of print', () => {
    const [card] = typesetAll([{ ...launchCard(), role: "somebody else's paper, which isn't the learners' own" }])
    expect(card?.role).toBe('somebody else’s paper, which isn’t the learners’ own')
  })

  it('[page-5] what the learner has written keeps its apostrophes', () => {
    const own = {
      decision: { reason: "I don't know" },
      nickname: "O'Brien",
      pivots: [{ said: { turn: 2, text: "It's late" } }],
      transcript: [{ who: 'learner', text: "What's this?" }],
    }
    expect(typesetAll({ ...own, facts: [{ said: "It isn't ready." }] })).toEqual({
      ...own,
      facts: [{ said: 'It isn’t ready.' }],
    })
  })

  it('[page-5] every character of the page and of the simulations is in its fonts', () => {
    const written = [...leaves({ ...en, ...lateEn, ...es, ...lateEs }).map(([, text]) => text), ...simulations()].join(
      '',
    )
    const missing = new Set(Array.from(written).filter((char) => !CHARACTERS.includes(char) && !/\s/.test(char)))
    expect([...missing]).toEqual([])
  })
})

/**
 * Texts of the sources that belong in no catalogue: our name, and the names of keys, headers and errors ([page-10]).
 */
const IN_NO_CATALOGUE: readonly string[] = [
  'components/app.tsx: Walkon',
  'desk/desk-screen.tsx: Alt+…',
  'run-api.ts: Bearer …',
  'run-api.ts: Content-Type',
  'run-api.ts: RunApiError',
]

const SIDED =
  /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right|(?:min-|max-)?width)\s*:|(?:text-align|float|clear):\s*(?:left|right)/

function simulations(): readonly string[] {
  return globSync('sims/*/scenario.yaml', { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').replace(/^\s*#.*$/gm, ''),
  )
}

describe('a nickname', () => {
  it('[page-14] has one to 24 characters, as a reader counts them', () => {
    expect(nicknameProblem('  ')).toBe('nicknameNone')
    expect(nicknameProblem('Ñandú 7')).toBeNull()
    expect(nicknameProblem('n'.repeat(24))).toBeNull()
    expect(nicknameProblem('n'.repeat(25))).toBe('nicknameLong')
    expect(nicknameProblem('n\u0303'.repeat(24))).toBeNull()
  })
})
