import type { en } from './en.ts'
import { createFormat } from './format.ts'
import type { Format } from './format.ts'
import type { lateEn } from './late-en.ts'
import { directionOf } from './locale.ts'
import type { Locale } from './locale.ts'

/** The texts of the game's screens before the debrief. */
export type Texts = typeof en
/** The texts of the lazily loaded screens: the debrief, the result and the teacher's pages. */
export type LateTexts = typeof lateEn

/** The texts in the learner's language. `loadTexts` sets `t` before the page renders anything. */
export let t: Texts
/** The texts of the lazily loaded screens. `loadLateTexts` sets `late` before the page renders any of those screens. */
export let late: LateTexts
export let locale: Locale = 'en'
export let format: Format = createFormat(locale)

/** Loads and uses the texts of one language. The browser doesn't load the other languages. */
export async function loadTexts(wanted: Locale): Promise<void> {
  useTexts(wanted, await textsIn(wanted))
}

/** Loads the texts of the lazily loaded screens in the page's language. */
export async function loadLateTexts(): Promise<void> {
  late = await lateTextsIn(locale)
}

/** Sets the variables of this file to a language and its texts. */
export function useTexts(wanted: Locale, texts: Texts): void {
  t = texts
  locale = wanted
  format = createFormat(wanted)
}

/** Sets the `lang` and `dir` attributes of the page, which screen readers and hyphenation need. */
export function tellLanguage(): void {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

async function textsIn(wanted: Locale): Promise<Texts> {
  switch (wanted) {
    case 'es':
      return (await import('./es.ts')).es
    case 'ar-XB': {
      const [{ en }, { pseudo }] = await Promise.all([import('./en.ts'), import('./pseudo.ts')])
      return pseudo(en)
    }
    default:
      return (await import('./en.ts')).en
  }
}

async function lateTextsIn(wanted: Locale): Promise<LateTexts> {
  switch (wanted) {
    case 'es':
      return (await import('./late-es.ts')).lateEs
    case 'ar-XB': {
      const [{ lateEn }, { pseudo }] = await Promise.all([import('./late-en.ts'), import('./pseudo.ts')])
      return pseudo(lateEn)
    }
    default:
      return (await import('./late-en.ts')).lateEn
  }
}
