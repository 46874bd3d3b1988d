/**
 * A condition as a topology has it between its parentheses: on one line, with a backslash before every backslash and
 * before every parenthesis that has no partner. Partnered ones stay as they are, so that prose stays prose.
 */
export function escapeCondition(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const lonely = lonelyParentheses(line)
  return line
    .split('')
    .map((char, i) => (char === '\\' || lonely.has(i) ? `\\${char}` : char))
    .join('')
}

/** Reads a condition off a line that begins with its opening parenthesis; null when it is never closed. */
export function readCondition(line: string): { readonly condition: string; readonly rest: string } | null {
  let condition = ''
  let depth = 0
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (char === '\\' && ESCAPED.includes(line.charAt(i + 1)) && i + 1 < line.length) {
      i++
      condition += line.charAt(i)
      continue
    }
    if (char === ')') depth--
    if (depth === 0 && char === ')') return { condition: condition.trim(), rest: line.slice(i + 1) }
    if (depth > 0) condition += char
    if (char === '(') depth++
  }
  return null
}

const ESCAPED = '()\\'

function lonelyParentheses(line: string): ReadonlySet<number> {
  const open: number[] = []
  const lonely = new Set<number>()
  for (const [i, char] of line.split('').entries()) {
    if (char === '(') open.push(i)
    if (char === ')' && open.pop() === undefined) lonely.add(i)
  }
  for (const i of open) lonely.add(i)
  return lonely
}
