/** Something wrong in a scenario, at a place in its data. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** A problem at its place in the file; line and column count from 1. */
export interface Finding extends Problem {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One line for a person: `sims/x/scenario.yaml:12:7 npcs[0].next.npc  nobody here is called "bob"`. */
export function formatFinding({ file, line, column, path, message }: Finding): string {
  return `${file}:${line}:${column} ${formatPath(path)}  ${message}`
}

function formatPath(path: Problem['path']): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return text === '' ? '(the whole file)' : text.replace(/^\./, '')
}
