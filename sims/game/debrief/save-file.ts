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
