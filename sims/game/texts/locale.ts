/** The languages of the page. `ar-XB` is made from English and tests the page from right to left. */
export type Locale = 'en' | 'es' | 'ar-XB'

/** Languages to choose from, each by its own name. */
export const LANGUAGES: readonly { readonly locale: Locale; readonly name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'es', name: 'Español' },
]

/**
 * The language to show: what the address asks for (`?lang=es`), then what was chosen here before, then what the reader's
 * browser asks for, and else English. `ar-XB` is shown only if the address names it.
 */
export function pickLocale(search: string, kept: string | null, languages: readonly string[]): Locale {
  const asked = new URLSearchParams(search).get('lang')
  if (asked === 'ar-XB') return asked
  return named(asked) ?? named(kept) ?? languages.map(named).find((locale) => locale !== null) ?? 'en'
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar-XB' ? 'rtl' : 'ltr'
}

function named(tag: string | null): Locale | null {
  const language = tag?.toLowerCase().split('-')[0]
  return LANGUAGES.find(({ locale }) => locale === language)?.locale ?? null
}

const NAME = 'walkon-game|lang'

/** The language that was chosen here before, if any. */
export function keptLocale(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

/** Keeps the choice. Where the browser keeps nothing, the address carries it. */
export function keepLocale(locale: string): void {
  try {
    localStorage.setItem(NAME, locale)
  } catch {
    // As above.
  }
}
