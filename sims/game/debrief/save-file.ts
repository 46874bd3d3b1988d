/** Saves a text as a file with the browser's own download. The text is not sent over the network. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // After `REVOKE_MS` every browser has begun the download, and nothing else uses the address.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS)
}

const REVOKE_MS = 10_000

/** The longest file name that the page uses, without its ending. Every file system accepts a name of this length. */
const LONGEST = 60

/**
 * Makes a file name that every file system accepts: small letters, digits and hyphens.
 *
 * @param parts the parts of the name, such as the title and the day
 * @param ending the ending without the dot
 */
export function fileName(parts: readonly string[], ending: string): string {
  const name = parts
    .map(slug)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  return `${name === '' || RESERVED.test(name) ? `walkon${name && `-${name}`}` : name}.${ending}`
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

/** File names that Windows reserves, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Returns the day in the learner's time zone as "2026-03-09", so that file names sort by day. */
export function dayForFileName(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
