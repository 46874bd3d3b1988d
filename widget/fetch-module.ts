/**
 * Loads a module from beside this one. An `import` has no `integrity` of its own, but takes what a preload with this
 * integrity has checked; a file with another content fails to load.
 *
 * @param integrity the hash of the file, as the attribute `integrity` takes it; '' checks nothing
 */
export async function fetchModule(href: string, integrity: string): Promise<unknown> {
  const link = document.createElement('link')
  if (integrity) {
    link.rel = 'modulepreload'
    link.integrity = integrity
    link.href = href
    document.head.append(link)
  }
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ href)
  } finally {
    link.remove()
  }
}
