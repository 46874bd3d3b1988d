import type { Locale } from './locale.ts'

export type Format = ReturnType<typeof createFormat>

const DAY_MS = 86_400_000

/**
 * Returns the functions that format numbers, times, lists and plurals in one language. Every time is in milliseconds
 * since 1970.
 */
export function createFormat(locale: Locale) {
  // `Intl` doesn't know `ar-XB`, whose texts are made from English.
  const tag = locale === 'ar-XB' ? 'en' : locale
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  return {
    number: (value: number) => new Intl.NumberFormat(tag).format(value),
    /** Formats a day: "22 Nov 2026". */
    date: (at: number) => new Intl.DateTimeFormat(tag, day).format(at),
    /** Formats a day and a time: "22 Nov 2026, 09:40". */
    dateTime: (at: number) => new Intl.DateTimeFormat(tag, { ...day, hour: '2-digit', minute: '2-digit' }).format(at),
    ago: (at: number, now: number) => ago(new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }), at, now),
    /** Formats a list: "Maya, Marcus and Ines". */
    list: (words: readonly string[]) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(words),
    /** Formats a choice: "Maya, Marcus or Ines". */
    either: (words: readonly string[]) => new Intl.ListFormat(tag, { type: 'disjunction' }).format(words),
    /** Returns, from the given forms, the plural form that the language uses with a number. */
    plural: (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) =>
      forms[new Intl.PluralRules(tag).select(count)] ?? forms.other,
  }
}

/**
 * Returns how long ago a time was, in words: "yesterday", "3 hours ago". Returns null if that was two weeks ago or
 * more, because a date is clearer. A day ends at midnight in the learner's time zone.
 */
function ago(words: Intl.RelativeTimeFormat, at: number, now: number): string | null {
  const minutes = Math.round((at - now) / 60_000)
  if (minutes > -60) return words.format(Math.min(minutes, 0), 'minute')
  const hours = Math.round(minutes / 60)
  const days = Math.round((midnightBefore(at) - midnightBefore(now)) / DAY_MS)
  if (hours > -24 || days === 0) return words.format(hours, 'hour')
  return days > -14 ? words.format(days, 'day') : null
}

function midnightBefore(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
