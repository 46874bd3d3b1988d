/**
 * Follows an object's text from its first brace to the one that closes it, minding brackets, strings and escapes.
 * Strings are in double quotes, or in escaped ones where the object is a copy of what stood in a string (`{\"a\": 1}`);
 * anything else a model may take for a string is not followed.
 */
export function createBraceCounter(): { push(point: string): void; isClosed(): boolean; depth(): number } {
  let depth = 0
  let deepest = 0
  let string: 'none' | 'plain' | 'escaped' = 'none'
  let backslashes = 0

  return {
    push(point) {
      if (point === '"') quote()
      else if (string === 'none') count(point)
      backslashes = point === '\\' ? backslashes + 1 : 0
    },
    isClosed: () => depth <= 0,
    depth: () => deepest,
  }

  function quote(): void {
    if (string === 'none') string = backslashes === 1 ? 'escaped' : 'plain'
    // An odd number of backslashes leaves a quote escaped. In an escaped string that is one more than usual.
    else if (string === 'plain' ? backslashes % 2 === 0 : backslashes <= 1) string = 'none'
  }

  function count(point: string): void {
    if (point === '{' || point === '[') depth += 1
    else if (point === '}' || point === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
}
