/** The languages of the page. `ar-XB` is pseudo-localised English, for testing the page from right to left. */
export type Locale = 'en' | 'es' | 'ar-XB'

/** The languages that a learner can choose, each with its name in that language. */
export const LANGUAGES: readonly { readonly locale: Locale; readonly name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'es', name: 'Español' },
]

/**
 * Returns the language of the page: the language in the address (`?lang=es`), else the language that the learner chose
 * in this browser before, else the first supported language that the browser prefers, else English. `ar-XB` is shown
 * only if the address names it.
 */
export function pickLocale(search: string, kept: string | null, languages: readonly string[]): Locale {
  const asked = new URLSearchParams(search).get('lang')
  if (asked === 'ar-XB') return asked
  return named(asked) ?? named(kept) ?? languages.map(named).find((locale) => locale !== null) ?? 'en'
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar-XB' ? 'rtl' : 'ltr'
}

/** Returns the language of a BCP 47 tag without its region: "es" for "es-MX". */
export function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? tag
}

function named(tag: string | null): Locale | null {
  const language = baseOf(tag ?? '')
  return LANGUAGES.find(({ locale }) => locale === language)?.locale ?? null
}

const NAME = 'walkon-game|lang'

/** Returns the language that the learner chose in this browser before; null if there is none. */
export function keptLocale(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

/** Stores the chosen language. Where storage is denied, only the address contains the choice. */
export function keepLocale(locale: string): void {
  try {
    localStorage.setItem(NAME, locale)
  } catch {
    // Storage is denied or full, so the choice is not stored.
  }
}
