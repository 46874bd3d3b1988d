/** What the letters of a map stand for. */
export const MAP_LEGEND =
  'Letters: [A] you talk, [D] a way is chosen, [C] something is looked up, [R] you reflect, [N] a note is taken, [S] something is sent.'

/** A map of a graph with one of its states marked. A state that is not on it leaves it as it is. */
export function markedMap(topology: string, state: string): string {
  return topology
    .trim()
    .split('\n')
    .map((line) => (headOf(line) === state ? `>>> ${line}` : line))
    .join('\n')
}

/** The state a line is about: `greet` of `[A] greet` and of `[R] greet -> [A] plan`. Exits stand indented. */
function headOf(line: string): string | null {
  return /^\[[A-Z?]\] (\S+)/.exec(line)?.[1] ?? null
}
