import type { Path } from '../../worker/core/graph/verify.ts'
import { told } from '../../worker/core/graph/verify.ts'

/** `25 exchanges`, and what ends them when nothing else does. */
export function lengthOf({ exchanges, isCutByLimit }: Path): string {
  const count = `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  return isCutByLimit ? `${count}, where the limit ends it` : count
}

/** A path, one move a line: where it stands, what happens, and what the walker makes of it. */
export function pathLines(title: string, path: Path): readonly string[] {
  const wide = Math.max(0, ...path.moves.map(({ node }) => node.length))
  const moves = path.moves.map(({ node, event, reason }, i) => {
    const number = String(i + 1).padStart(4)
    return `${number}  ${node.padEnd(wide)}  ${told(event)}, ${reason}`
  })
  return [`${title}: ${lengthOf(path)}`, ...moves]
}
