/**
 * Follows an object's text from its first brace to the one that closes it, minding brackets, strings and escapes.
 * Strings are in double quotes; anything else a model may take for a string is not followed.
 */
export function createBraceCounter(): { push(point: string): void; isClosed(): boolean; depth(): number } {
  let depth = 0
  let deepest = 0
  let inString = false
  let escaped = false

  return {
    push(point) {
      if (escaped) escaped = false
      else if (inString && point === '\\') escaped = true
      else if (point === '"') inString = !inString
      else if (!inString) count(point)
    },
    isClosed: () => depth <= 0,
    depth: () => deepest,
  }

  function count(point: string): void {
    if (point === '{' || point === '[') depth += 1
    else if (point === '}' || point === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
}
