/** Hands a file over to be kept, by the browser's own way of saving. Nothing leaves the browser. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then in every browser; the address is good for nothing else.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS)
}

const REVOKE_MS = 10_000

/** The longest a name may be without its ending, so that every file system takes it. */
const LONGEST = 60

/**
 * The name of a file to keep, which every system takes: small letters, digits and hyphens.
 *
 * @param parts what it is, such as the title and the day
 * @param ending without the dot
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

/** Names that Windows keeps for itself, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** The day as part of a name that sorts: "2026-03-09", where the reader is. */
export function dayForFileName(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
