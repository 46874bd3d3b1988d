import type { Page } from 'playwright-core'

/** JavaScript that returns every element of a page, including the elements in shadow roots. Runs in the page. */
const DEEP = `(() => {
  const all = []
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      all.push(element)
      if (element.shadowRoot) walk(element.shadowRoot)
    }
  }
  walk(document)
  return all
})`

/**
 * JavaScript that returns how an element is marked: the outline, border and underline of the element itself and of its
 * `::before` and `::after`. Runs in the page.
 */
const EDGES = `((element) =>
  ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part)
    if (part !== '' && style.content === 'none') return 'nothing'
    const { outlineStyle, outlineWidth, borderStyle, borderWidth, textDecorationLine } = style
    return [outlineStyle, outlineStyle === 'none' ? '0px' : outlineWidth, borderStyle, borderWidth, textDecorationLine].join(' ')
  }).join('; '))`

/**
 * Returns the outline, border and underline of the first element that matches a selector. @throws when no element
 * matches
 */
export function edges(page: Page, selector: string): Promise<string> {
  return page.evaluate(`${EDGES}(document.querySelector(${JSON.stringify(selector)}))`)
}

/**
 * Returns the elements that a user cannot see to be focused. For such an element, the focus changes no outline, border
 * or underline, neither of the element nor of an element around it.
 */
export async function unmarked(page: Page): Promise<string[]> {
  // The page shows the focus only to users of a keyboard. The pressed key makes the test such a user.
  await page.keyboard.press('Tab')
  return page.evaluate(`(() => {
    const around = (element) =>
      [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling]
        .map((each) => each && ${EDGES}(each)).join(' | ')
    return ${DEEP}()
      .filter((element) => element.tagName !== 'MAIN' && (element.tabIndex >= 0 || element.hasAttribute('tabindex')))
      .filter((element) => {
        const active = document.activeElement
        ;(active.shadowRoot?.activeElement ?? active).blur()
        const without = around(element)
        element.focus({ preventScroll: true })
        return element.matches(':focus') && around(element) === without
      })
      .map((element) => element.cloneNode().outerHTML)
  })()`)
}

/** Returns how far a page can be scrolled sideways, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

/** Returns the elements that take time to move or fade, as tag name and class. */
export function motions(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const lasts = (times) => times.split(',').some((time) => parseFloat(time) > 0.001)
    return ${DEEP}()
      .filter((element) => {
        const { transitionDuration, transitionProperty, animationName, animationDuration, scrollBehavior } = getComputedStyle(element)
        return (
          (transitionProperty !== 'none' && lasts(transitionDuration)) ||
          (animationName !== 'none' && lasts(animationDuration)) ||
          scrollBehavior === 'smooth'
        )
      })
      .map((element) => element.tagName + '.' + element.getAttribute('class'))
  })()`)
}

/**
 * Returns all texts of the page that are visible or read aloud. An author's texts are always English. On a page in
 * another language they have `lang="en"`, and are left out.
 */
export function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const languageOf = (element) => {
      for (let at = element; at; at = at.parentElement ?? at.getRootNode().host ?? null)
        if (at.hasAttribute('lang')) return at.getAttribute('lang')
      return ''
    }
    const isAuthored = (element) => languageOf(element) === 'en' && document.documentElement.lang !== 'en'
    const words = []
    for (const element of ${DEEP}()) {
      if (!element.checkVisibility() || isAuthored(element) || /^(SCRIPT|STYLE)$/.test(element.tagName)) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-valuetext'])
        if (element.hasAttribute(name)) words.push(element.getAttribute(name))
      for (const node of element.childNodes) if (node.nodeType === 3) words.push(node.data)
    }
    return words.map((text) => text.trim()).filter((text) => text !== '')
  })()`)
}

/**
 * Records what the page writes into its live regions from now on. The returned function returns all of these texts, one
 * for each announcement.
 */
export async function announcements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    for (const region of document.querySelectorAll('body > [aria-live="polite"]'))
      new MutationObserver(() => region.textContent && told.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      })
  })
  return () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
}

/**
 * Records the notes that the page shows from now on. A note disappears after four seconds, but the returned function
 * still returns it.
 */
export async function notes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const noted: string[] = []
    Object.assign(globalThis, { noted })
    const place = document.querySelector('.notes')
    if (!place) throw new Error('nothing is noted on this page')
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const note of addedNodes) noted.push(note.textContent ?? '')
    }).observe(place, { childList: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { noted: string[] }).noted)
}
