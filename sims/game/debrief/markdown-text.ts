/**
 * Text of anybody's as Markdown that shows it and nothing else: what CommonMark and GitHub's kind of it would read as
 * markup is escaped, line ends stay line ends, and what cannot be seen is left out.
 */
export function markdownText(text: string): string {
  return linesOf(text).map(escapeLine).join('\\\n')
}

/** The same in one line, for a heading or an item of a list. */
export function markdownLine(text: string): string {
  return escapeLine(linesOf(text).join(' ').replaceAll(/\s+/g, ' ').trim())
}

/** Without empty lines, which would end the paragraph and begin another that nobody spoke. */
function linesOf(text: string): readonly string[] {
  return text
    .toWellFormed()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll(UNSEEN, '').replaceAll('\t', ' ').trim())
    .filter((line) => line !== '')
}

/** Controls, and what turns the direction of the text around it. Not joiners: names and faces are spelled with them. */
const UNSEEN = /(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

function escapeLine(line: string): string {
  return line
    .replaceAll(ANYWHERE, '\\$&')
    .replace(NUMBERED, '$1\\$2')
    .replace(AT_THE_START, '\\$&')
    .replaceAll(ADDRESS, '\\$&')
}

/** What means something wherever it stands: emphasis, code, links, images, tags, entities, tables, headings, mathematics. */
const ANYWHERE = /[\\`*_[\]<>&~|#$^{}@]/g
/** What means something at the start of a line: items, underlines of headings, terms. */
const NUMBERED = /^(\d+)([.)])/
const AT_THE_START = /^[-+=:]/
/** Addresses that would become links without any brackets, some of them even in the middle of a word. */
const ADDRESS = /(?<=https?|ftp|mailto|xmpp):|(?<=www)\./gi
