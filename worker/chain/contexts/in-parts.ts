/** As much text as one value of a statement is given; D1 takes 2 MB. */
const MOST_BYTES = 1_000_000

/** A list as one or more JSON lists in its order, none of them larger than a value of a statement may be. */
export function inParts(list: readonly unknown[]): readonly string[] {
  const parts: string[] = []
  let part: string[] = []
  let bytes = 0
  for (const text of list.map((each) => JSON.stringify(each))) {
    const size = new TextEncoder().encode(text).length
    if (part.length > 0 && bytes + size > MOST_BYTES) {
      parts.push(`[${part.join(',')}]`)
      part = []
      bytes = 0
    }
    part.push(text)
    bytes += size + 1
  }
  return part.length > 0 ? [...parts, `[${part.join(',')}]`] : parts
}
