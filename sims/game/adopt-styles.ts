/** Puts the styles of a screen that was loaded late onto the page. A constructed sheet needs no place in the page's policy. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
