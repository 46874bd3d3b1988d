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
