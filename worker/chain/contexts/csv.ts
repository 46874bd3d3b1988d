/**
 * Writes a table as CSV (RFC 4180): cells quoted where needed, lines ended by CR LF.
 *
 * A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, even in
 * quotes. An apostrophe is put in front of such a cell, so that the spreadsheet shows the cell as text.
 */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

// The full-width signs are included, because a spreadsheet in an East Asian language treats them like the ASCII signs.
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
// Semicolons and tabs are included, because spreadsheets split cells at them in countries where the decimal mark is a
// comma. Quotes prevent the split.
const SPECIAL = /[",;\t\r\n]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
