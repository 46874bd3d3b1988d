/**
 * Adds the styles of a screen that loads late to the page. The page's CSP needs no rule for a constructed style sheet.
 */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
