import type { lateEn } from './late-en.ts'
import { locale } from './texts.ts'

/** The words of the screens that are loaded when they are needed: the debrief, the result, the teacher's. */
export type LateTexts = typeof lateEn

/** There before any of these screens is drawn. */
export let late: LateTexts

/** Gets them in the language that the page speaks. */
export async function loadLateTexts(): Promise<void> {
  late = await lateTexts()
}

/** For tests, and whoever has them already. */
export function useLateTexts(texts: LateTexts): void {
  late = texts
}

async function lateTexts(): Promise<LateTexts> {
  switch (locale) {
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
