import { options } from 'preact'

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
