/**
 * Adds the styles of a lazily loaded screen to the page. Uses a constructed style sheet, because the page's CSP needs
 * no rule for such a sheet.
 */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
