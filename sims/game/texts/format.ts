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

/**
 * How long ago, in words: "yesterday", "3 hours ago"; null from two weeks on, when the day itself says more. A day ends at
 * the reader's midnight. @param at milliseconds since 1970
 */
export function ago(at: number, now: number): string | null {
  const words = new Intl.RelativeTimeFormat(tag(), { numeric: 'auto' })
  const minutes = Math.round((at - now) / 60_000)
  if (minutes > -60) return words.format(Math.min(minutes, 0), 'minute')
  const hours = Math.round(minutes / 60)
  const days = Math.round((midnightBefore(at) - midnightBefore(now)) / DAY_MS)
  if (hours > -24 || days === 0) return words.format(hours, 'hour')
  return days > -14 ? words.format(days, 'day') : null
}

const DAY_MS = 86_400_000

function midnightBefore(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
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
