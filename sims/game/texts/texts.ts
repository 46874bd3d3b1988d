import type { en } from './en.ts'
import { createFormat } from './format.ts'
import type { Format } from './format.ts'
import type { lateEn } from './late-en.ts'
import { directionOf } from './locale.ts'
import type { Locale } from './locale.ts'

/** The page's own texts that are shown before the debrief. */
export type Texts = typeof en
/** The texts of the screens that load when they are needed: the debrief, the result and the teacher's pages. */
export type LateTexts = typeof lateEn

/** The texts in the learner's language. `loadTexts` sets them before anything is rendered. */
export let t: Texts
/** The later screens' texts. `loadLateTexts` sets them before any of these screens is rendered. */
export let late: LateTexts
export let locale: Locale = 'en'
export let format: Format = createFormat(locale)

/** Loads the texts of one language only. */
export async function loadTexts(wanted: Locale): Promise<void> {
  useTexts(wanted, await textsIn(wanted))
}

/** Loads the later screens' texts in the language of the page. */
export async function loadLateTexts(): Promise<void> {
  late = await lateTextsIn(locale)
}

/** Sets the page's language and texts. */
export function useTexts(wanted: Locale, texts: Texts): void {
  t = texts
  locale = wanted
  format = createFormat(wanted)
}

export function useLateTexts(texts: LateTexts): void {
  late = texts
}

/** Sets the page's language and direction, which screen readers and hyphenation need. */
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
