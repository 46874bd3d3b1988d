import { options } from 'preact'
import { baseOf } from './locale.ts'

/** The value of `lang` with which the screens of a run mark its authors' words. It is a valid tag for no language. */
const AUTHORED = 'x-authored'

/**
 * Gives every element with `lang="x-authored"` the language of the simulation that the open run plays.
 *
 * @param language returns that language
 */
export function markAuthored(language: () => string): void {
  const before = options.vnode?.bind(options)
  options.vnode = (node) => {
    const props: object = node.props
    if (typeof node.type === 'string' && 'lang' in props && props.lang === AUTHORED) props.lang = language()
    before?.(node)
  }
}

/**
 * Returns the messages that a talk's openers send, in the language of the simulation, because a colleague understands no
 * other. The buttons say the same in the language of the page. Undefined for a language without such messages.
 */
export function openersIn(language: string): readonly string[] | undefined {
  return OPENERS[baseOf(language)]
}

const OPENERS: Partial<Record<string, readonly string[]>> = {
  en: ["Hello. What's going on?", 'What should I know?'],
  es: ['Hola. ¿Qué está pasando?', '¿Qué debería saber?'],
}
