/**
 * Writes a table as CSV (RFC 4180): cells quoted where needed, lines ended by CR LF.
 *
 * A spreadsheet runs a cell that begins with one of these characters as a formula, even in quotes. Such a cell gets
 * an apostrophe in front, so that the spreadsheet shows it as text.
 */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

// The full-width forms are included, because a spreadsheet in an East Asian language reads them as the same signs.
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
// Where the decimal mark is a comma, spreadsheets split cells at semicolons or tabs. Quotes keep a cell whole there
// too.
const SPECIAL = /[",;\t\r\n]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
