import { locale } from './texts.ts'

/** A number as the reader writes it. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(tag(), options).format(value)
}

/** A day: "22 Nov 2026". @param at milliseconds since 1970 */
export function date(at: number): string {
  return new Intl.DateTimeFormat(tag(), { day: 'numeric', month: 'short', year: 'numeric' }).format(at)
}

/** A day and a time: "22 Nov 2026, 09:40". @param at milliseconds since 1970 */
export function dateTime(at: number): string {
  return new Intl.DateTimeFormat(tag(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}

/** How long ago, in words: "yesterday", "3 hours ago". @param at milliseconds since 1970 */
export function ago(at: number, now: number): string {
  const words = new Intl.RelativeTimeFormat(tag(), { numeric: 'auto' })
  const minutes = Math.round((at - now) / 60_000)
  if (minutes > -60) return words.format(Math.min(minutes, 0), 'minute')
  const hours = Math.round(minutes / 60)
  if (hours > -24) return words.format(hours, 'hour')
  const days = Math.round(hours / 24)
  return days > -14 ? words.format(days, 'day') : date(at)
}

/** Words in a row: "Maya, Marcus and Ines". */
export function list(words: readonly string[]): string {
  return new Intl.ListFormat(tag(), { type: 'conjunction' }).format(words)
}

/** The form that goes with a number, as the language has it. */
export function plural(count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }): string {
  return forms[new Intl.PluralRules(tag()).select(count)] ?? forms.other
}

/** The turned language is English for Intl, which does not know it. */
function tag(): string {
  return locale === 'ar-XB' ? 'en' : locale
}
