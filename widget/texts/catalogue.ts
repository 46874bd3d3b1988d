import { loadFile } from '../load-file.ts'
import { englishTexts } from './en.ts'
import type { ConversationTexts } from './en.ts'

/** The widget's own words in one language. */
export interface LanguageTexts {
  readonly lang: string
  readonly isRightToLeft: boolean
  readonly texts: ConversationTexts
}

/** The languages that have a file of their own, `texts-es.js` and so on. */
const OTHERS = ['es', 'de', 'ar']

/**
 * Returns the texts for a language tag such as `es-MX`; English for a language without texts, and if they can't be
 * loaded.
 */
export async function catalogueOf(tag: string): Promise<LanguageTexts> {
  const lang = tag.toLowerCase().split('-')[0] ?? ''
  if (OTHERS.includes(lang)) {
    try {
      const [texts] = Object.values((await loadFile(`texts-${lang}.js`)) as Record<string, ConversationTexts>)
      if (texts) return { lang, isRightToLeft: lang === 'ar', texts }
    } catch {
      console.error(`Walkon: texts-${lang}.js was not loaded, so the chat is in English.`)
    }
  }
  return { lang: 'en', isRightToLeft: false, texts: englishTexts }
}

/**
 * Returns the page's own wordings, each in the form of the text that it replaces. `{name}` in a wording stands for the
 * text's first value.
 */
export function withOwn(texts: ConversationTexts, own: Record<string, string> = {}): Partial<ConversationTexts> {
  return Object.fromEntries(
    Object.entries(own)
      .filter(([key]) => Object.hasOwn(texts, key))
      .map(([key, wording]) => {
        const isText = typeof texts[key as keyof ConversationTexts] === 'string'
        return [key, isText ? wording : (value: unknown) => wording.replaceAll('{name}', String(value))]
      }),
  )
}
