/** Escapes a text for HTML and XML, also within an attribute. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
