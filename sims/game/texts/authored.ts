import { options } from 'preact'

/**
 * Screens mark authors' words with `lang="en"`, the language of most simulations. This function makes the mark the
 * language of the simulation that the open run plays.
 *
 * @param language returns that language
 */
export function markAuthored(language: () => string): void {
  const before = options.vnode?.bind(options)
  options.vnode = (node) => {
    const props: object = node.props
    if (typeof node.type === 'string' && 'lang' in props && props.lang === 'en') props.lang = language()
    before?.(node)
  }
}
