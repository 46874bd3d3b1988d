import type { en } from './en.ts'
import { fillWidgetTexts } from './widget-texts.ts'
import { directionOf } from './locale.ts'
import type { Locale } from './locale.ts'

/** Every word the page says itself before the debrief. What only the later screens say is in `late-texts.ts`. */
export type Texts = typeof en

/** The words, in the reader's language. There before anything is drawn, and read only while something is drawn. */
export let t: Texts
export let locale: Locale = 'en'

/** Gets the words of one language, and nothing of the others. */
export async function loadTexts(wanted: Locale): Promise<void> {
  useTexts(wanted, await textsOf(wanted))
}

/** Speaks this language from now on. */
export function useTexts(wanted: Locale, texts: Texts): void {
  t = texts
  locale = wanted
  fillWidgetTexts(texts.widget)
}

/** Tells the page's own element what it is written in, for screen readers, hyphens and the direction. */
export function tellLanguage(): void {
  document.documentElement.lang = locale
  document.documentElement.dir = directionOf(locale)
}

async function textsOf(wanted: Locale): Promise<Texts> {
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
