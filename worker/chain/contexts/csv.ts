/**
 * A table as CSV (RFC 4180): cells in quotes where they have to be, lines ended by CR LF.
 *
 * A spreadsheet takes a cell that begins with one of these characters for a formula, in quotes or not, and runs it. Such a cell gets
 * an apostrophe in front, which they show as text and do not run.
 */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

// The full-width forms too: a spreadsheet set to an East Asian language reads them as the signs themselves.
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
// Where a comma stands in figures, cells are taken apart at semicolons, or at tabs: no cell may begin in the middle of one.
const SPECIAL = /[",;\t\r\n]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
